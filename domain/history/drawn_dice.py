"""Dice that were drawn for a correction: seen, hence on record, whatever became of the correction."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.dice.ledger import places_of
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled, Event

DRAW = "draw-for"
"""The verb of dice that were drawn for an action that is about to be corrected."""
TO_INSERT: ActionNumber = 0
"""Dice are drawn for this action if they are for one that is about to be inserted and has no number yet."""

Drawn: TypeAlias = tuple[int, DiceRolled]
"""A die that was drawn, with the ordinal of the roll it belongs to."""


def drawn_by(draw: RecordedEntry) -> Iterator[Drawn]:
    """The dice of an entry that drew some."""
    ordinal = draw.intent.params.get("ordinal")
    if isinstance(ordinal, int):
        yield from ((ordinal, roll) for roll in draw.events if isinstance(roll, DiceRolled))


def unused_draws(drawn: Iterable[Drawn], events: Iterable[Event]) -> tuple[Drawn, ...]:
    """Those of some drawn dice that are not among the dice of these events."""
    used = set(places_of(events))
    return tuple((ordinal, roll) for ordinal, roll in drawn if used.isdisjoint(places_of((roll,))))
