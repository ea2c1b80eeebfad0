"""Numbers that people type are read as they mean them, or not at all; and what is entered stands on the sheet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.spelling import typed
from rollbook.kit import stat_entry
from rollbook.plugin import Refused, Term, events
from tests.support.bare_table import joined_events, recorded_events, table_after

TABLE = table_after()


STATS = Parameter(name="stats", want=ParameterType.AMOUNTS, help="numbers on the sheet")


def entered(typed: str, known: tuple[str, ...] = ()) -> dict[str, int]:
    return stat_entry.checked_stats(TABLE, STATS.read(typed), known)  # type: ignore[arg-type]


@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]*", fullmatch=True), st.integers(-999_999, 999_999)))
def test_entries_come_back_as_they_were_typed(numbers: dict[str, int]) -> None:
    assert entered(typed(numbers)) == numbers


@pytest.mark.parametrize(
    "said", ["to_hit", "to_hit=", "=4", "To_hit=4", "to_hit=four", "to_hit=+-4", "to_hit=1234567", "a=५"]
)
def test_what_is_no_entry_is_refused(said: str) -> None:
    with pytest.raises(Refused, match="written name=number.* not '"):
        entered(said)


def test_a_name_that_is_not_known_is_refused() -> None:
    assert entered("speed=+9", ("speed", "ac")) == {"speed": 9}
    with pytest.raises(Refused, match="no number called 'sped'.*speed, ac"):
        entered("sped=9", ("speed", "ac"))


def test_so_many_numbers_as_names_in_their_order() -> None:
    assert stat_entry.parse_scores(TABLE, ["13", "-2", "+8"], ("str", "dex", "con"), what="Scores") == {
        "str": 13,
        "dex": -2,
        "con": 8,
    }


@pytest.mark.parametrize("typed", [(), ("1", "2"), ("1", "2", "3", "4"), ("1", "2", "x"), ("1", "2", "10000")])
def test_too_few_too_many_or_no_numbers_are_refused(typed: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match=r"Scores are 3 numbers \(STR, DEX, CON\), as in 1,1,1"):
        stat_entry.parse_scores(TABLE, typed, ("str", "dex", "con"), what="Scores")


def test_numbers_are_added_to_what_stands_there_and_noughts_are_left_out() -> None:
    table = table_after(
        (*joined_events("robin"), events.StatChanged(character="robin", stat="ac", amount=12, reason=""))
    )
    stat_entry.add(table, "robin", {"ac": 2, "speed": 0, "to_hit": -1})
    assert table.character("robin").stats == {"ac": 14, "to_hit": -1}
    assert len(recorded_events(table)) == 2


@given(before=st.none() | st.integers(-20, 20), wanted=st.integers(-20, 20))
def test_a_number_that_is_set_is_so_whatever_stood_there_and_nothing_is_recorded_twice(
    before: int | None, wanted: int
) -> None:
    stood = () if before is None else (events.StatChanged(character="robin", stat="ac", amount=before, reason=""),)
    table = table_after((*joined_events("robin"), *stood))
    stat_entry.set_to(table, "robin", "ac", wanted, reason="creation")
    assert table.character("robin").stats["ac"] == wanted
    assert len(recorded_events(table)) == (before != wanted)


def test_a_number_is_a_summand_where_it_stands_on_the_sheet_even_a_nought() -> None:
    who = table_after(
        (*joined_events("robin"), events.StatChanged(character="robin", stat="ac", amount=0, reason=""))
    ).character("robin")
    assert stat_entry.terms(who, "ac", "ruling") == (Term(0, "ruling", "QG.8", "stat.ac"),)
    assert stat_entry.terms(who, "speed") == ()
