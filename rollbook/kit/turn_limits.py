"""Conditions that last to the start or the end of somebody's turn.

On record, in the data of a condition: ``ends`` ("start" or "end") of a turn of ``whose``, not the turn (``turn``, counted in
the fight) in which it began.
"""

from rollbook.domain.events import Data
from rollbook.kit import conditions, fields
from rollbook.plugin import CampaignState, Table, events

__all__ = [
    "END",
    "ENDS",
    "START",
    "TURN",
    "WHOSE",
    "end_outside_fights",
    "end_with_turn",
    "said",
    "this_turn",
    "until_turn",
]

ENDS, WHOSE, TURN = "ends", "whose", "turn"
START, END = "start", "end"


def until_turn(table: Table, whose: str, moment: str) -> dict[str, events.Scalar]:
    """The data of what lasts to the start or the end of somebody's next turn, not the present one."""
    turn = table.encounter.turn if table.encounter is not None else 0
    return {ENDS: moment, WHOSE: whose, TURN: turn}


def this_turn(table: Table) -> dict[str, events.Scalar]:
    """The data of what lasts to the end of the present turn, and at the most as long as the fight; {} outside one."""
    return {ENDS: END, WHOSE: table.encounter.current} if table.encounter is not None else {}


def end_with_turn(table: Table, whose: str, moment: str) -> None:
    """End, on whomever it lies, what lasts to this moment of a turn of ``whose``."""
    turn = table.encounter.turn if table.encounter is not None else 0
    for name, held in conditions.everywhere(table):
        is_meant = held.data.get(ENDS) == moment and held.data.get(WHOSE) == whose
        if is_meant and fields.number(held.data, TURN) < turn:
            table.record(events.ConditionEnded(character=name, condition=held.name))


def end_outside_fights(table: Table, seconds: int) -> None:
    """End what lasts to somebody's next turn once nobody counts turns and so many seconds, a round, have passed."""
    for name, held in conditions.everywhere(table):
        is_over = ENDS in held.data and table.clock - held.since >= seconds
        if is_over and not table.character(name).elsewhere:
            conditions.end(table, name, held.name)


def said(campaign: CampaignState, data: Data) -> str:
    """The turn that ends a condition, in words, "" for a condition that no turn ends."""
    whose = campaign.characters.get(fields.text(data, WHOSE))
    if ENDS not in data:
        return ""
    return f"until the {data[ENDS]} of {whose.name}'s turn" if whose is not None else "until a turn ends"
