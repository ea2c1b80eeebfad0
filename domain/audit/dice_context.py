"""Accounts that the dice audit keeps besides the dice: seats, requests, an action's own dice, other timelines."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import attrs

from rollbook.domain import events
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber, SeatName
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.dice import record
from rollbook.domain.dice.ledger import Where, places_of
from rollbook.domain.dice.record import RequestKey, StreamPlace
from rollbook.domain.dice.recorded import OrdinalKey, RecordedDice, sourced
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.events import DiceRolled, Event, Role
from rollbook.domain.history.drawn_dice import DRAW, TO_INSERT, drawn_by, unused_draws
from rollbook.domain.history.play_order import PlayOrder
from rollbook.domain.state.fold.draft import MOST_REPEATS

_ABOUT_SEATS = frozenset((events.SeatTaken, events.SeatLeft))


@attrs.frozen
class SeatThen(Record):
    """A seat with its ``number`` in the streams, the role that it has had since entry ``since``, and whether it was left."""

    number: int
    role: Role
    since: EntryNumber
    present: bool = True


NOBODY = SeatThen(0, Role.GM, 0)
"""The seat for actions without one: the GM of a table at which no seat is taken."""


@attrs.define
class SeatsThen(Changeable):
    """The seats after some entries. A correction of the action that took a seat counts as a change of that seat."""

    _changes: dict[ActionNumber, tuple[EntryNumber, tuple[Event, ...]]] = attrs.field(factory=dict)
    _seats: dict[SeatName, SeatThen] = attrs.field(factory=dict)

    def __getitem__(self, name: SeatName) -> SeatThen:
        return self._seats.get(name, NOBODY)

    @property
    def first_gm(self) -> int:
        """The number of the first GM who sits there; 0, which is that of a GM without a seat, if none does."""
        return min((seat.number for seat in self._seats.values() if seat.role is Role.GM and seat.present), default=0)

    def follow(self, entry: RecordedEntry, counts: Iterable[Event]) -> None:
        """One more entry, after which the events ``counts`` count for its action."""
        about = tuple([event for event in counts if event.__class__ in _ABOUT_SEATS])
        if not about and entry.action not in self._changes:
            return
        self._changes[entry.action] = entry.number, about
        self._seats = {}
        for _, (since, changed) in sorted(self._changes.items()):
            for event in changed:
                if isinstance(event, events.SeatTaken):
                    self._seats[event.seat] = SeatThen(event.number, event.role, since)
                elif isinstance(event, events.SeatLeft) and event.seat in self._seats:
                    self._seats[event.seat] = attrs.evolve(self._seats[event.seat], present=False)


BEGINNINGS = frozenset(
    (
        events.EncounterBegan,
        events.EncounterEnded,
        events.SceneFramed,
        events.SceneResumed,
        events.SceneSetAside,
        events.SessionOpened,
    )
)
"""Events after which requests are counted from 0 again."""

_COUNTED = BEGINNINGS | {DiceRolled}

Events = tuple[Event, ...]


@attrs.define
class AskedFor(Changeable):
    """Requests by roller, purpose and occasion, as bits of their numbers; None where they have to be counted again."""

    _counting: dict[ActionNumber, Events] = attrs.field(factory=dict)
    _taken: dict[tuple[str, ...], int] | None = attrs.field(factory=dict)
    _order: PlayOrder = attrs.field(factory=PlayOrder)

    def begin(self) -> None:
        """A new stretch of play: requests are counted from 0 again."""
        self._taken = {}

    def note(self, request: RequestKey) -> int:
        """One more request. Returns the number that it should have: the lowest that was free."""
        noted = self._noted()
        taken = noted.get(request[:3], 0)
        _note(noted, request)
        return (~taken & (taken + 1)).bit_length() - 1

    def settle(self, entry: RecordedEntry, counts: Events, *, is_kept: bool) -> None:
        """Note what counts of an action since an entry. Nothing before a beginning counts again, unless it may be corrected."""
        action = entry.action
        if entry.kind is EntryKind.INSERTED:
            self._order.insert(action, entry.before)
        found = tuple([event for event in counts if event.__class__ in _COUNTED])
        if not is_kept and not BEGINNINGS.isdisjoint(map(type, found)):
            self._counting.clear()
        if found or action in self._counting:
            self._counting[action] = found
        if entry.kind is not EntryKind.TAKEN:
            self._taken = None

    def _noted(self) -> dict[tuple[str, ...], int]:
        if self._taken is None:
            self._taken = {}
            played = sorted(self._counting, key=self._order.place, reverse=True)
            for event in chain.from_iterable(reversed(self._counting[action]) for action in played):
                if not isinstance(event, DiceRolled):
                    break
                _note(self._taken, event.request)
        return self._taken


def _note(taken: dict[tuple[str, ...], int], request: RequestKey) -> None:
    if 0 <= request.repeat < MOST_REPEATS:
        taken[request[:3]] = taken.get(request[:3], 0) | 1 << request.repeat


_PLACED = {record.STREAM: True, record.OVERRIDE: True, record.PHYSICAL: False, record.IMPORTED: False}
"""The kinds of sources, and whether their dice have a place in the streams."""


@attrs.define
class Outcome(Changeable):
    """An outcome as its rolls are looked at, and what it has ``met`` so far.

    ``before`` are the dice that its action had before it, None if it was only now taken.
    """

    entry: RecordedEntry
    before: RecordedDice | None
    is_kept: bool
    met: set[Where] = attrs.field(factory=set)
    _rolls: dict[tuple[str, str], int] = attrs.field(factory=dict)

    def key(self, roll: DiceRolled) -> OrdinalKey:
        """The key of the next roll of the outcome."""
        whose = roll.roller, roll.purpose
        ordinal = self._rolls.get(whose, 0)
        self._rolls[whose] = ordinal + 1
        return (*whose, ordinal)


@attrs.define
class OwnDice(Changeable):
    """The outcomes of the actions that it was given, and the dice that were drawn for their corrections."""

    _outcomes: dict[ActionNumber, list[tuple[Event, ...]]] = attrs.field(factory=dict)
    _draws: dict[ActionNumber, list[tuple[int, DiceRolled]]] = attrs.field(factory=dict)

    def outcome(self, entry: RecordedEntry, *, is_kept: bool) -> Outcome:
        """An entry with the dice that its action had before it."""
        if entry.kind is EntryKind.TAKEN:
            return Outcome(entry, None, is_kept)
        if entry.kind is EntryKind.INSERTED:
            return Outcome(entry, RecordedDice((), NoDice(), self._draws.get(TO_INSERT, ())), is_kept)
        known, drawn = self._outcomes.get(entry.action, ()), self._draws.get(entry.action, ())
        return Outcome(entry, RecordedDice(known, NoDice(), drawn), is_kept)

    def add(self, entry: RecordedEntry) -> None:
        """One more outcome. Dice that it drew for a correction of another action are that action's from here on."""
        self._outcomes.setdefault(entry.action, []).append(entry.events)
        if entry.kind is EntryKind.INSERTED and TO_INSERT in self._draws:
            self._draws[TO_INSERT] = list(unused_draws(self._draws[TO_INSERT], entry.events))
        drawn_for = entry.intent.params.get("action")
        if entry.intent.verb == DRAW and isinstance(drawn_for, int):
            self._draws.setdefault(drawn_for, []).extend(drawn_by(entry))


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
    """The faults in the sources of a roll: every die has one source of a known kind."""
    counts = [source.dice for source in roll.sources]
    if sum(counts) != len(roll.dice) or min(counts, default=0) < 0:
        yield f"nothing says where some of the dice of {roll.purpose or 'a roll'!r} come from"
    for source in roll.sources:
        if _PLACED.get(source.kind) is not (source.place is not None):
            called = f"{source.kind[:20]!r} {'with' if source.place is not None else 'without'} a place"
            yield f"{roll.purpose or 'a roll'!r} has dice of a source that there is not: {called}"


@attrs.frozen
class Elsewhere(Record):
    """Timeline number ``fork`` left another history at entry ``forked_at``; 0 and 0 for canon.

    Since then other histories asked the ``requests``, and at each of the ``places`` (by session identity) dice fell for some.
    """

    fork: int = 0
    forked_at: EntryNumber = 0
    requests: frozenset[RequestKey] = frozenset()
    places: Mapping[tuple[str, StreamPlace], frozenset[RequestKey]] = attrs.field(factory=dict)

    @classmethod
    def of(
        cls, fork: int, forked_at: EntryNumber, rolls: Iterable[tuple[Mapping[int, str], DiceRolled]]
    ) -> "Elsewhere":
        """The rolls that were made elsewhere: each with the identities of the sessions there, by their numbers."""
        places: dict[tuple[str, StreamPlace], frozenset[RequestKey]] = {}
        requests = set[RequestKey]()
        for identities, roll in rolls:
            requests.add(roll.request)
            for session, place in places_of((roll,)):
                at = identities.get(session, ""), place
                places[at] = places.get(at, frozenset()) | {roll.request}
        return cls(fork, forked_at, frozenset(requests), places)

    def is_own(self, entry: EntryNumber) -> bool:
        """True if an entry is the timeline's own, and not one that it shares."""
        return bool(self.fork) and entry > self.forked_at


CANON = Elsewhere()
"""Canon has nothing from elsewhere."""
