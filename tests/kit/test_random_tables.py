"""Tables that are rolled on have a row for every result, and only one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.kit import random_tables
from rollbook.plugin import RulesetBroken, events
from tests.support.bare_table import joined_events, recorded_events, table_after


class Row(random_tables.Band):
    what: str


def row(lowest: int, highest: int, what: str) -> Row:
    return Row(lowest=lowest, highest=highest, what=what)


WEATHER = (row(2, 5, "rain"), row(6, 8, "clouds"), row(9, 12, "sun"))


@pytest.mark.parametrize(
    ("result", "what"), [(2, "rain"), (5, "rain"), (6, "clouds"), (9, "sun"), (12, "sun"), (-3, "rain"), (40, "sun")]
)
def test_a_result_has_its_row_and_what_lies_beyond_the_first_or_last(result: int, what: str) -> None:
    assert random_tables.row_for(WEATHER, result).what == what


@given(st.lists(st.integers(1, 6), min_size=1, max_size=8), st.integers(-5, 60))
def test_rows_that_follow_on_one_another_have_one_row_for_every_result(lengths: list[int], result: int) -> None:
    rows, low = [], 1
    for length in lengths:
        rows.append(row(low, low + length - 1, ""))
        low += length
    random_tables.check_without_gaps("made up", rows)
    found = random_tables.row_for(rows, result)
    inside = min(max(result, 1), low - 1)
    assert found.lowest <= inside <= found.highest


@pytest.mark.parametrize("second", [row(7, 8, "gap"), row(5, 8, "overlap")])
def test_a_gap_or_an_overlap_breaks_the_ruleset(second: Row) -> None:
    with pytest.raises(RulesetBroken, match=rf"weather: the row from {second.lowest} does not follow on 5"):
        random_tables.check_without_gaps("weather", (WEATHER[0], second))


def test_the_roll_is_recorded_like_any_other() -> None:
    table = table_after(joined_events("robin"), dice=(3, 4))
    assert random_tables.roll(table, WEATHER, "2d6", roller="robin", purpose="weather").what == "clouds"
    (rolled,) = recorded_events(table)
    assert isinstance(rolled, events.DiceRolled)
    assert (rolled.purpose, rolled.total, rolled.secret) == ("weather", 7, False)
    hidden = table_after(joined_events("robin"), dice=(1, 1))
    random_tables.roll(hidden, WEATHER, "2d6", roller="robin", purpose="weather", secret=True)
    (secret,) = recorded_events(hidden)
    assert isinstance(secret, events.DiceRolled)
    assert secret.secret
