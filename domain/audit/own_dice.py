"""The dice that an action has had, as its outcomes show them: of its own it takes the first, then the next, and no other."""

from collections import Counter
from collections.abc import Iterator

import attrs

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Changeable
from rollbook.domain.dice import record
from rollbook.domain.dice.ledger import Where
from rollbook.domain.dice.record import Source
from rollbook.domain.dice.recorded import OrdinalKey, RecordedDice, sourced
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import DiceRolled, Event
from rollbook.domain.history.history import DRAW

_PLACED = {record.STREAM: True, record.OVERRIDE: True, record.PHYSICAL: False, record.IMPORTED: False}
"""The kinds of sources, and whether their dice have a place in the streams."""

_NONE_BEFORE = RecordedDice((), NoDice())
"""The dice of an action before it was taken."""


@attrs.define
class Outcome(Changeable):
    """An outcome as its rolls are looked at: the dice that its action had ``before`` it, and what it has ``met`` so far."""

    entry: RecordedEntry
    before: RecordedDice
    is_kept: bool
    met: set[Where] = attrs.field(factory=set)
    _rolls: Counter[tuple[str, str]] = attrs.field(factory=Counter)

    def key(self, roll: DiceRolled) -> OrdinalKey:
        """Which roll of the outcome the next one is."""
        whose = roll.roller, roll.purpose
        self._rolls[whose] += 1
        return (*whose, self._rolls[whose] - 1)


@attrs.define
class OwnDice(Changeable):
    """The outcomes of the actions that it was given, and the dice that were drawn for their corrections."""

    _outcomes: dict[ActionNumber, list[tuple[Event, ...]]] = attrs.field(factory=dict)
    _draws: dict[ActionNumber, list[tuple[int, DiceRolled]]] = attrs.field(factory=dict)

    def outcome(self, entry: RecordedEntry, *, is_kept: bool) -> Outcome:
        """An entry with the dice that its action had before it."""
        if entry.kind is EntryKind.TAKEN:
            return Outcome(entry, _NONE_BEFORE, is_kept)
        known, drawn = self._outcomes.get(entry.action, ()), self._draws.get(entry.action, ())
        return Outcome(entry, RecordedDice(known, NoDice(), drawn), is_kept)

    def add(self, entry: RecordedEntry) -> None:
        """One more outcome. Dice that it drew for a correction of another action are that action's from here on."""
        self._outcomes.setdefault(entry.action, []).append(entry.events)
        drawn_for, ordinal = (entry.intent.params.get(name) for name in ("action", "ordinal"))
        if entry.intent.verb == DRAW and isinstance(drawn_for, int) and isinstance(ordinal, int):
            rolls = [(ordinal, event) for event in entry.events if isinstance(event, DiceRolled)]
            self._draws.setdefault(drawn_for, []).extend(rolls)


def own_places(before: RecordedDice, key: OrdinalKey, roll: DiceRolled) -> tuple[set[Where], set[Where]]:
    """The places of a roll from which its action had dice before, and those that come out of the order of those dice.

    Of its own dice with so many sides a roll takes the first that it had, then the next; typed ones may be typed again.
    """
    own, odd, many = set[Where](), set[Where](), Counter[int]()
    for die, source in sourced(roll):
        due = before.origins(key, die.sides)[many[die.sides] :]
        many[die.sides] += 1
        if source.place is not None and due:
            where = source.session, source.place
            (own if where == due[0] else odd).add(where)
    return own, odd


def odd_sources(roll: DiceRolled) -> Iterator[str]:
    """What is wrong with how a roll says where its dice come from: every die has one source of a known kind."""
    counts = [source.dice for source in roll.sources]
    if sum(counts) != len(roll.dice) or min(counts, default=0) < 0:
        yield f"nothing says where some of the dice of {roll.purpose or 'a roll'!r} come from"
    for source in roll.sources:
        if _PLACED.get(source.kind) is not (source.place is not None):
            yield f"{roll.purpose or 'a roll'!r} has dice of a source that there is not: {_called(source)}"


def _called(source: Source) -> str:
    return f"{source.kind[:20]!r} {'with' if source.place is not None else 'without'} a place"
