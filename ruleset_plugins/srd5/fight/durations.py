"""Durations, and what ends something: spans of the clock, turns, saves, concentration, rests (Q5.6).

On record, in the data of a condition: ``ends`` ("start" or "end") of a turn of ``whose``, not the turn (``turn``,
counted in the fight) in which it began; ``save``, ``dc`` and ``when`` of a save that ends it, and when it is ``eased``;
``concentration``, the caster whose concentration holds it; ``escape``, the DC to get free; ``rest``, the rest that ends
it. A span is the condition's own ``until``.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from rollbook.kit import clock, conditions, fields
from rollbook.plugin import Character, Condition, Table, events
from rollbook.rulesets.srd5.effects.lasting import everywhere

ENDS, WHOSE, TURN, SAVE, DC, WHEN = "ends", "whose", "turn", "save", "dc", "when"
CONCENTRATION, ESCAPE, REST, EASED = "concentration", "escape", "rest", "eased"
START, END = "start", "end"
SECONDS = {"round": 6, "minute": clock.MINUTE, "hour": clock.HOUR, "day": clock.DAY}
ROUND = 6

_SPAN = re.compile(r"(?:up to )?(\d+) (round|minute|hour|day)s?")
_TURN = re.compile(r"(start|end) of the (source|target)'s next turn")


class Lasting(NamedTuple):
    """The ``until`` and the data of a condition."""

    until: int = 0
    data: Mapping[str, events.Scalar] = {}


def lasting(table: Table, text: str, *, source: str = "", target: str = "") -> Lasting:
    """The duration that the catalogue says in words, from now on; other words last until ended."""
    text = text.casefold()
    dice, _, unit = text.partition(" ")
    if "d" in dice and unit.removesuffix("s") in SECONDS:
        text = f"{table.roll(dice, roller=source or target, purpose='duration').total} {unit}"
    span = _SPAN.fullmatch(text)
    if span is not None:
        return Lasting(until=table.clock + int(span[1]) * SECONDS[span[2]])
    turn = _TURN.fullmatch(text)
    if turn is not None:
        return Lasting(data=until_turn(table, source if turn[2] == "source" else target, turn[1]))
    if text in ("end of the turn", "that attack") and table.encounter is not None and table.encounter.current:
        return Lasting(data={ENDS: END, WHOSE: table.encounter.current})
    if text == "the target's next turn":
        return Lasting(data=until_turn(table, target, END))
    return Lasting(data={REST: "long"}) if text == "long rest" else Lasting(data={"lasts": text} if text else {})


def lasting_seconds(text: str) -> int:
    """The seconds of a span in words, 0 for anything else."""
    span = _SPAN.fullmatch(text)
    return int(span[1]) * SECONDS[span[2]] if span is not None else 0


def until_turn(table: Table, whose: str, moment: str) -> dict[str, events.Scalar]:
    """The data of what lasts to the start or the end of somebody's next turn, not the present one."""
    turn = table.encounter.turn if table.encounter is not None else 0
    return {ENDS: moment, WHOSE: whose, TURN: turn}


def end_with_turn(table: Table, whose: str, moment: str) -> None:
    """End everywhere what lasts to this moment of a turn of ``whose``."""
    turn = table.encounter.turn if table.encounter is not None else 0
    for name, held in everywhere(table):
        is_meant = held.data.get(ENDS) == moment and held.data.get(WHOSE) == whose
        if is_meant and fields.number(held.data, TURN) < turn:
            table.record(events.ConditionEnded(character=name, condition=held.name))


def end_outside_fights(table: Table) -> None:
    """End what lasts to somebody's next turn once nobody counts turns and a round has passed."""
    for name, held in everywhere(table):
        if ENDS in held.data and table.clock - held.since >= ROUND:
            conditions.end(table, name, held.name)


def held_by(who: Character, caster: str) -> tuple[Condition, ...]:
    """The conditions of a character that somebody's concentration holds."""
    return conditions.with_data(who, CONCENTRATION, caster)
