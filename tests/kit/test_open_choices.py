"""Only an open choice can be made, and only what it offers can be picked."""

from __future__ import annotations

import pytest

from rollbook.domain.rules.table import Table
from rollbook.kit import open_choices
from rollbook.plugin import NotFound, Refused, events
from tests.support.bare_table import joined_events, recorded_events, table_after

OPTIONS = tuple(events.Option(key=key) for key in ("dex", "str", "noble"))
OFFERED = events.ChoiceOffered(character="robin", choice="pick-4", options=OPTIONS, reason="level 4")


def table_with(*offered: events.ChoiceOffered) -> Table:
    return table_after((*joined_events("robin"), *offered))


def test_a_choice_is_made_once() -> None:
    table = table_with(OFFERED)
    assert open_choices.options_of(table, table.character("robin"), "pick-4") == ("dex", "str", "noble")
    open_choices.choose(table, table.character("robin"), "pick-4", "noble")
    assert table.character("robin").chosen == {"pick-4": "noble"}
    with pytest.raises(Refused, match=r"Robin has no open choice called 'pick-4'\. Open: none\."):
        open_choices.choose(table, table.character("robin"), "pick-4", "noble")
    assert recorded_events(table) == (events.ChoiceMade(character="robin", choice="pick-4", picked="noble"),)


def test_who_names_a_choice_that_is_not_open_hears_which_are() -> None:
    table = table_with(OFFERED)
    with pytest.raises(Refused, match="called 'pick-8'.*Open: pick-4"):
        open_choices.options_of(table, table.character("robin"), "pick-8")


@pytest.mark.parametrize("picked", ["nobel", "", "DEX"])
def test_what_is_not_offered_cannot_be_picked(picked: str) -> None:
    table = table_with(OFFERED)
    for piece in (open_choices.check_option, open_choices.choose):
        with pytest.raises(NotFound, match="There is no option of pick-4 called"):
            piece(table, table.character("robin"), "pick-4", picked)
    assert recorded_events(table) == ()


def test_a_choice_is_offered_several_times_under_names_that_are_free() -> None:
    table = table_after(
        (
            *joined_events("robin"),
            events.ChoiceOffered(character="robin", choice="skill-2", options=(), data={}, reason=""),
        )
    )
    open_choices.offer_several(
        table, "robin", "Skill", ("climb", "swim", "climb"), kind="trait", many=2, data={"by": 1}
    )
    open_choices.offer_several(table, "robin", "Nothing", (), many=3)
    who = table.character("robin")
    assert list(who.choices) == ["skill-2", "skill-1", "skill-3"]
    assert who.choices["skill-3"].keys == ("climb", "swim")
    assert open_choices.data_of(who, "skill-1") == {"kind": "trait", "by": 1}
