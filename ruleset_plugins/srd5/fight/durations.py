"""Durations, and what ends something: spans of the clock, turns, saves, concentration, rests (Q5.6).

On record, in the data of a condition: the turn that ends it as ``kit.turn_limits`` has it; ``save``, ``dc`` and ``when`` of
a save that ends it, and when it is ``eased``; ``concentration``, the caster whose concentration holds it; ``escape``, the DC
to get free; ``rest``, the rest that ends it. A span is the condition's own ``until``.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from rollbook.kit import clock, concentration, turn_limits
from rollbook.plugin import Table, events

SAVE, DC, WHEN = "save", "dc", "when"
CONCENTRATION, ESCAPE, REST, EASED = concentration.BY, "escape", "rest", "eased"
ROUND = 6

_TURN = re.compile(r"(start|end) of the (source|target)'s next turn")


class Lasting(NamedTuple):
    """The ``until`` and the data of a condition."""

    until: int = 0
    data: Mapping[str, events.Scalar] = {}


def lasting(table: Table, text: str, *, source: str = "", target: str = "") -> Lasting:
    """The duration that the catalogue says in words, from now on; other words last until ended."""
    text = text.casefold()
    dice, _, unit = text.partition(" ")
    if "d" in dice and seconds(f"1 {unit}"):
        text = f"{table.roll(dice, roller=source or target, purpose='duration').total} {unit}"
    span = seconds(text)
    if span:
        return Lasting(until=table.clock + span)
    turn = _TURN.fullmatch(text)
    if turn is not None:
        return Lasting(data=turn_limits.until_turn(table, source if turn[2] == "source" else target, turn[1]))
    if text in ("end of the turn", "that attack") and table.encounter is not None and table.encounter.current:
        return Lasting(data=turn_limits.this_turn(table))
    if text == "the target's next turn":
        return Lasting(data=turn_limits.until_turn(table, target, turn_limits.END))
    return Lasting(data={REST: "long"}) if text == "long rest" else Lasting(data={"lasts": text} if text else {})


def seconds(text: str) -> int:
    """The seconds of a span in words, 0 for anything else."""
    return clock.span_seconds(text, round_seconds=ROUND)
