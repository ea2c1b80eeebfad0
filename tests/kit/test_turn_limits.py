"""What lasts to a turn ends with it, and outside a fight with the time that a round takes."""

from __future__ import annotations

import pytest

from rollbook.kit import conditions, turn_limits
from rollbook.plugin import Table, events
from tests.support.bare_table import joined_events, table_after

FIGHT = (
    *joined_events("robin", "marian"),
    events.EncounterBegan(),
    events.RoundBegan(),
    events.TurnOrderSet(order=("robin", "marian"), scores=(2, 1)),
    events.TurnBegan(character="robin"),
)
ANOTHER_TURN = (events.TurnEnded(character="robin"), events.RoundBegan(), events.TurnBegan(character="robin"))


def dazzled(moment: str) -> events.ConditionBegan:
    """Marian is dazzled until Robin's next turn."""
    data = turn_limits.until_turn(table_after(FIGHT), "robin", moment)
    return events.ConditionBegan(character="marian", condition="dazzled", data=data)


def is_dazzled(table: Table) -> bool:
    return table.character("marian").has("dazzled")


@pytest.mark.parametrize("moment", [turn_limits.START, turn_limits.END])
def test_the_turn_in_which_it_began_does_not_end_it_and_the_next_one_does(moment: str) -> None:
    table = table_after((*FIGHT, dazzled(moment)))
    turn_limits.end_with_turn(table, "robin", moment)
    assert is_dazzled(table)
    table = table_after((*FIGHT, dazzled(moment), *ANOTHER_TURN))
    turn_limits.end_with_turn(table, "marian", moment)
    assert is_dazzled(table)
    turn_limits.end_with_turn(table, "robin", moment)
    assert not is_dazzled(table)


@pytest.mark.parametrize(("seconds", "lasts"), [(5, True), (6, False)])
def test_outside_fights_a_round_ends_it(seconds: int, *, lasts: bool) -> None:
    began = (*FIGHT, dazzled(turn_limits.START), events.EncounterEnded())
    table = table_after((*began, events.TimePassed(seconds=seconds)))
    turn_limits.end_outside_fights(table, 6)
    assert is_dazzled(table) is lasts


def test_the_turn_is_said_in_words() -> None:
    table = table_after((*FIGHT, dazzled(turn_limits.END)))
    held = table.character("marian").conditions["dazzled"]
    assert turn_limits.said(table.campaign, held.data) == "until the end of Robin's turn"
    assert turn_limits.said(table.campaign, {turn_limits.ENDS: "start"}) == "until a turn ends"
    assert turn_limits.said(table.campaign, {}) == ""


def test_all_conditions_are_found_on_everybody_and_may_end_on_the_way() -> None:
    table = table_after((*FIGHT, dazzled(turn_limits.START), events.ConditionBegan(character="robin", condition="wet")))
    found = [(name, held.name) for name, held in conditions.everywhere(table) if conditions.end(table, name, held.name)]
    assert found == [("robin", "wet"), ("marian", "dazzled")]
    assert list(conditions.everywhere(table)) == []


def test_what_lasts_for_this_turn_ends_with_it() -> None:
    data = turn_limits.this_turn(table_after(FIGHT))
    table = table_after((*FIGHT, events.ConditionBegan(character="marian", condition="dazzled", data=data)))
    turn_limits.end_with_turn(table, "robin", turn_limits.END)
    assert not is_dazzled(table)
    assert turn_limits.this_turn(table_after(joined_events("robin"))) == {}
