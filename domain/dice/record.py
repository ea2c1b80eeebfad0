"""The record of a roll, kept for ever: every die, every flat number, and the source of the dice.

These values stand inside events. They hold nothing but whole numbers, truth values, texts and tuples of those, and a
roll is never computed again from its text: what was drawn is what counts.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple, TypeAlias

import attrs

from rollbook.domain.base.records import Record, quickly_made


class StreamCounter(NamedTuple):
    """One run of rolls that are numbered from 0: those of a ``seat`` in timeline ``fork`` (0: what really happens)."""

    screen: bool
    fork: int
    seat: int

    def place(self, number: int) -> "StreamPlace":
        """The place of roll ``number`` in this run."""
        return StreamPlace(*self, number)


class StreamPlace(NamedTuple):
    """The place of one roll in the streams of a session."""

    screen: bool
    fork: int
    seat: int
    number: int

    @property
    def counter(self) -> StreamCounter:
        return StreamCounter(self.screen, self.fork, self.seat)


class RollCount(NamedTuple):
    """The number of ``rolls`` that one run of rolls has in a session."""

    screen: bool
    fork: int
    seat: int
    rolls: int

    @property
    def counter(self) -> StreamCounter:
        return StreamCounter(self.screen, self.fork, self.seat)


STREAM, OVERRIDE, PHYSICAL, IMPORTED = "stream", "override", "physical", "imported"


class Die(NamedTuple):
    """One die as it fell: ``face`` from 1 to ``sides``. Dice stand in the order in which they were drawn.

    ``kept`` says whether the die counts. ``why`` gives the reason that a die does not count or that it exists at all:

    * not kept: ``"dropped"`` by keep or drop, ``"rerolled"`` for another, ``"missed"`` when successes are counted;
    * kept: ``""`` for a die of the handful, ``"replacement"`` for the die a reroll brought, ``"exploded"`` for an
      extra die, ``"subtracted"`` for one that a low die takes away (it counts as its face below 0).

    ``counts_as`` is what the die adds instead of its face, after a minimum, a maximum or the counting of successes
    (a success adds 1), or below 0; 0 says that it adds its face. ``term`` is the place, from 0, of its dice term in the
    expression;
    ``cause`` is the place in the roll of the die that was rerolled or exploded, -1 for a die of the first handful.
    """

    sides: int
    face: int
    kept: bool = True
    why: str = ""
    counts_as: int = 0
    term: int = 0
    cause: int = -1

    @property
    def value(self) -> int:
        """The number that the die adds to its term: 0 if it was not kept."""
        return (self.counts_as or self.face) if self.kept else 0


Dice: TypeAlias = tuple[tuple[int, int], ...]
"""Dice in their order, as sides and face."""


def are_some_of(few: Dice, dice: Dice) -> bool:
    """True if they are some of the dice, in order: the same roll, of which less is needed."""
    rest = iter(dice)
    return all(die in rest for die in few)


class Flat(NamedTuple):
    """A number added to the dice, with its sign and the label it was typed with (``+2[STR]``)."""

    amount: int
    label: str = ""


class Source(NamedTuple):
    """The source of the next dice of a roll, ``dice`` of them.

    ``kind`` is ``"stream"``, ``"override"`` (faces that the GM put in the place of dice of the stream), ``"physical"`` (real
    dice that a player typed in) or ``"imported"`` (taken over from another record). Dice of the stream, overridden or not,
    have a ``place`` in the streams of dice session ``session``; others have none.
    """

    kind: str
    dice: int
    session: int = 0
    place: StreamPlace | None = None


def joined(sources: Iterable[Source]) -> tuple[Source, ...]:
    """The sources of single dice as runs."""
    single = tuple(sources)
    if len(single) == 1 and single[0].dice == 1:  # most rolls are of one die
        return single
    return tuple(source._replace(dice=len(list(same))) for source, same in groupby(single))


def are_typed(sources: Iterable[Source]) -> bool:
    """True if every die of a roll is a real one that was typed in."""
    return all(source.kind == PHYSICAL for source in sources)


class RequestKey(NamedTuple):
    """The key of a request for dice: who rolls, for what, on which occasion, after how many the same."""

    roller: str
    purpose: str
    occasion: str
    repeat: int


@quickly_made
@attrs.frozen(kw_only=True)
class Roll(Record):
    """A finished roll: ``expression`` in canonical notation, ``typed`` as it was asked for, and its ``total``.

    ``flat`` lists the numbers that stand beside the dice in a sum. In a plain sum the total is therefore the kept dice
    and the flat numbers together; where dice are subtracted, multiplied, divided or compared, the expression says how.
    """

    expression: str
    typed: str
    dice: tuple[Die, ...]
    flat: tuple[Flat, ...]
    total: int

    @property
    def natural(self) -> int:
        """The face of the first die that counts in the first term; 0 if there is none."""
        return next((die.face for die in self.dice if die.kept and die.term == 0), 0)
