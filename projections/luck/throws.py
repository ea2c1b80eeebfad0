"""The rolls of a history: which of them count, and which were seen and set aside, by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum

import attrs

from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.undoing_together import REASON
from rollbook.domain.dice.ledger import Where, opened_session, places_of
from rollbook.domain.dice.record import IMPORTED, OVERRIDE, PHYSICAL, Dice, Die, Source, are_some_of, joined
from rollbook.domain.dice.recorded import OrdinalKey, rolls_by_ordinal, sourced
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import CheckResolved, DiceRolled, Event, FreshDiceGranted
from rollbook.domain.history.history import DRAW, History


class Origin(StrEnum):
    """Origin of the dice of a roll."""

    STREAM = "stream"
    TYPED = "typed"
    OVERRIDDEN = "overridden"
    IMPORTED = "imported"


class DiscardReason(StrEnum):
    """Reason why a roll that was seen does not count."""

    UNDONE = "undone"
    GRANTED = "granted again"
    OVERRIDDEN = "overridden"
    RETYPED = "typed again"
    REPLACED = "replaced"


@attrs.frozen(kw_only=True)
class Throw(Record):
    """One roll. ``seat`` took the action; ``check`` is the one that this roll alone decided, None if there is none."""

    action: ActionNumber
    entry: EntryNumber
    session: int
    seat: str
    roll: DiceRolled
    origin: Origin
    is_secret: bool
    check: CheckResolved | None = None


@attrs.frozen(kw_only=True)
class DiscardedThrow(Record):
    """A roll that was seen and does not count: set aside by ``by``; ``chosen`` if on purpose, not as a consequence.

    Where some of its dice count after all, ``throw`` has only the others, as their plain sum.
    """

    throw: Throw
    fate: DiscardReason
    by: str
    chosen: bool


@attrs.frozen
class Throws(Record):
    """All rolls of a history, in the order of the actions."""

    counting: tuple[Throw, ...]
    aside: tuple[DiscardedThrow, ...]

    def only(self, fits: Callable[[Throw], bool], *, by: str = "") -> Throws:
        """The rolls that fit; with ``by``, of the rolls set aside only those that this seat set aside."""
        counting = tuple(throw for throw in self.counting if fits(throw))
        return Throws(counting, tuple(each for each in self.aside if fits(each.throw) and by in ("", each.by)))


def gather(history: History) -> Throws:
    """Gather every roll that counts, and every roll that was seen and does not count any more."""
    return _Gathering(history).gather()


class _Gathering:
    def __init__(self, history: History) -> None:
        self.history = history
        self.sessions: dict[ActionNumber, int] = {}
        self.granted: dict[Where, str] = {}
        self.counting: list[Throw] = []
        self.aside: list[DiscardedThrow] = []
        self.places: set[Where] = set()

    def gather(self) -> Throws:
        session = 0
        for entry in self.history.entries:
            session = opened_session(entry.events) or session
            self.sessions.setdefault(entry.action, session)
            for event in entry.events:
                if isinstance(event, FreshDiceGranted):
                    self.granted.update(((event.session, where), entry.seat) for where in event.places)
        for _, outcome in self.history.outcomes():
            if outcome is not None:
                self._count(outcome)
        for action in self.history.corrected:
            self._set_aside(action)
        return Throws(tuple(self.counting), tuple(self.aside))

    def _count(self, entry: RecordedEntry) -> None:
        """Add the rolls of an outcome that counts. A die drawn for a correction counts where the correction uses it."""
        if entry.intent.verb == DRAW:
            return
        checks = {} if entry.intent.second_thoughts else dict(_decided(entry.events))
        for at, roll in enumerate(entry.events):
            if not isinstance(roll, DiceRolled):
                continue
            # An imported roll has known odds even if only its total was recorded.
            if roll.dice or any(source.kind == IMPORTED for source in roll.sources):
                self.counting.append(self._throw(entry, roll, checks.get(at)))
                self.places.update(places_of([roll]))

    def _throw(self, entry: RecordedEntry, roll: DiceRolled, check: CheckResolved | None = None) -> Throw:
        action = entry.action
        return Throw(
            action=action,
            entry=entry.number,
            session=self.sessions[action],
            seat=self.history.seat_of(action),
            roll=roll,
            origin=origin_of(roll),
            is_secret=roll.secret or bool(entry.visibility),
            check=check,
        )

    def _set_aside(self, action: ActionNumber) -> None:
        """Set aside each roll of earlier outcomes of an action that is not in the one that counts, once."""
        counts = self.history.effective(action)
        kept = dict(_keyed(counts.events)) if counts else {}
        seen: set[tuple[OrdinalKey, object]] = set()
        for entry in self.history.revisions(action):
            if entry is counts or not entry.is_outcome or entry.intent.verb == DRAW:
                continue
            for key, roll in _keyed(entry.events):
                if self._still_counts(roll, kept.get(key)):
                    continue
                rest = self._rest(roll, kept.get(key))
                if (known := (key, _dice(rest))) not in seen:
                    seen.add(known)
                    self._put_aside(self._throw(entry, rest), kept.get(key))

    def _still_counts(self, roll: DiceRolled, kept: DiceRolled | None) -> bool:
        """True if the same dice of a roll count, here or where the same request was made again."""
        if kept is not None and _dice(kept) == _dice(roll):
            return True
        places = set(places_of([roll]))
        return bool(places) and not _is_overridden(kept) and places <= self.places

    def _rest(self, roll: DiceRolled, kept: DiceRolled | None) -> DiceRolled:
        """A roll that does not count, without those of its dice that do: more may have been drawn than are used."""
        if _is_overridden(kept) or self.places.isdisjoint(places_of([roll])):
            return roll
        typed = [die for die, source in sourced(kept) if source.place is None] if kept else []
        rest: list[tuple[Die, Source]] = []
        for die, source in sourced(roll):
            if source.place is not None and (source.session, source.place) in self.places:
                continue
            if source.place is None and die in typed:
                typed.remove(die)
            else:
                rest.append((die, source))
        return _roll_of(roll, rest)

    def _put_aside(self, throw: Throw, kept: DiceRolled | None) -> None:
        last = self.history.revisions(throw.action)[-1]
        fate, by = self._fate(throw, kept, last)
        chosen = fate in (DiscardReason.GRANTED, DiscardReason.OVERRIDDEN, DiscardReason.RETYPED)
        if fate is DiscardReason.UNDONE:
            chosen = not last.causation and last.reason != REASON
        self.aside.append(
            DiscardedThrow(throw=throw, fate=fate, by=by, chosen=chosen and throw.origin is not Origin.IMPORTED)
        )

    def _fate(self, throw: Throw, kept: DiceRolled | None, last: RecordedEntry) -> tuple[DiscardReason, str]:
        granted = next((self.granted[where] for where in places_of([throw.roll]) if where in self.granted), None)
        if granted is not None:
            return DiscardReason.GRANTED, granted
        if kept is None:
            return (DiscardReason.UNDONE if last.kind is EntryKind.UNDONE else DiscardReason.REPLACED), last.seat
        if _is_overridden(kept):
            return DiscardReason.OVERRIDDEN, last.seat
        retyped = throw.origin is Origin.TYPED and not are_some_of(_dice(kept), _dice(throw.roll))
        return (DiscardReason.RETYPED if retyped else DiscardReason.REPLACED), last.seat


_LEAST_PROVEN = (Origin.OVERRIDDEN, Origin.TYPED, Origin.IMPORTED, Origin.STREAM)


def origin_of(roll: DiceRolled) -> Origin:
    """The origin of a roll, which is that of the least proven of its dice."""
    found = {source_origin(source) for source in roll.sources if source.dice > 0}
    return min(found, key=_LEAST_PROVEN.index, default=Origin.IMPORTED)


def source_origin(source: Source) -> Origin:
    """The origin of the dice of one source."""
    if source.kind in (OVERRIDE, PHYSICAL):
        return Origin.OVERRIDDEN if source.kind == OVERRIDE else Origin.TYPED
    return Origin.IMPORTED if source.place is None else Origin.STREAM


def _is_overridden(roll: DiceRolled | None) -> bool:
    return roll is not None and origin_of(roll) is Origin.OVERRIDDEN


def _roll_of(roll: DiceRolled, dice: Sequence[tuple[Die, Source]]) -> DiceRolled:
    """Some dice of a roll as a roll of their own: their plain sum."""
    sides = Counter(die.sides for die, _ in dice)
    expression = " + ".join(f"{many}d{size}" for size, many in sides.items())
    return attrs.evolve(
        roll,
        expression=expression,
        typed="",
        dice=tuple(die for die, _ in dice),
        flat=(),
        total=sum(die.face for die, _ in dice),
        natural=dice[0][0].face if dice else 0,
        sources=joined(source for _, source in dice),
    )


def _keyed(events: Iterable[Event]) -> Iterator[tuple[OrdinalKey, DiceRolled]]:
    return rolls_by_ordinal(event for event in events if isinstance(event, DiceRolled) and event.dice)


def _dice(roll: DiceRolled) -> Dice:
    return tuple((die.sides, die.face) for die in roll.dice)


def _decided(events: Iterable[Event]) -> Iterator[tuple[int, CheckResolved]]:
    """Yield the index of each roll whose total decided a later check, with that check."""
    waiting: list[tuple[int, DiceRolled]] = []
    for at, event in enumerate(events):
        if isinstance(event, DiceRolled):
            waiting.append((at, event))
        elif isinstance(event, CheckResolved):
            for roll in reversed(waiting):
                if (roll[1].roller, roll[1].total) == (event.character, event.total):
                    waiting.remove(roll)
                    yield roll[0], event
                    break
