"""How far a session's dice have been used: every roll has a place in the stream, and a place never comes back.

The roll of an undone action stays in its place and waits for the same request, unless the GM grants fresh dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from domain.dice.place import StreamCounter, StreamPlace, read_counter, read_place
from domain.dice.record import OVERRIDE, Source
from domain.events import DiceRolled, Event, FreshDiceGranted, ScreenCounted, SessionClosed, SessionOpened


@attrs.frozen
class VoidRoll:
    """A roll of the stream that was undone and waits for the same request, ``intent``."""

    intent: str
    place: StreamPlace
    sides: tuple[int, ...]


@attrs.define
class DiceLedger:
    """How far a session's stream has been used, and which of its rolls were undone.

    It counts everything that was ever recorded, corrected or not: a counter never falls.
    """

    session: int = 0
    used: dict[StreamCounter, int] = attrs.field(factory=dict)
    void: dict[StreamPlace, VoidRoll] = attrs.field(factory=dict)

    def copy(self) -> DiceLedger:
        """A ledger to try things out on."""
        return DiceLedger(self.session, dict(self.used), dict(self.void))

    def after(self, before: Iterable[Event], events: tuple[Event, ...]) -> DiceLedger:
        """The ledger once ``events`` count for an action in the place of ``before``; a new one if they open a session."""
        session = opened_session(events)
        ledger = DiceLedger(session) if session else self
        ledger.undone(before)
        ledger.rolled(events)
        return ledger

    def next_place(self, counter: StreamCounter) -> StreamPlace:
        """The place of the next new roll."""
        return counter.place(self.used.get(counter, 0))

    def rolled(self, events: Iterable[Event]) -> None:
        """Count the stream's rolls among these events; what they take up, or what is granted, is no longer void."""
        recorded = tuple(events)
        for source in _sources(recorded, self.session):
            counter = StreamCounter(source.screen, source.fork or 0, source.seat)
            self.used[counter] = max(self.used.get(counter, 0), source.index + 1)
            if self.void:
                self.void.pop(place_of(source), None)
        for event in recorded if self.void else ():
            if isinstance(event, FreshDiceGranted) and event.session == self.session:
                for granted in granted_places(event):
                    self.void.pop(granted, None)

    def undone(self, events: Iterable[Event]) -> None:
        """The events of an outcome that no longer counts: its rolls wait for the same request."""
        for event in events:
            if isinstance(event, DiceRolled):
                self._waits(event)

    def _waits(self, roll: DiceRolled) -> None:
        for drawn in dice_by_place(roll):
            if drawn.source.session == self.session:
                self.void[drawn.place] = VoidRoll(roll.intent, drawn.place, drawn.sides)

    def waiting(self, intent: str, *, secret: bool) -> StreamPlace | None:
        """The place of the roll that answered this very request before it was undone; None if no roll did."""
        known = (place for place, roll in self.void.items() if roll.intent == intent and place.screen == secret)
        return min(known, key=lambda place: (place.number, place), default=None)

    def waiting_of(self, outcomes: Iterable[Iterable[Event]], *, screen: bool = False) -> tuple[StreamPlace, ...]:
        """The places of an action's rolls that wait to be asked for again: ``outcomes`` are the events of its revisions."""
        sources = (source for events in outcomes for source in _sources(events, self.session))
        places = dict.fromkeys(place_of(source) for source in sources if source.screen == screen)
        return tuple(place for place in places if place in self.void)

    @property
    def sealed(self) -> bool:
        """Whether the first die has been drawn, after which no entropy is mixed in any more."""
        return bool(self.used)


def opened_session(events: Iterable[Event]) -> int:
    """The number of the session that these events open, 0 if they open none."""
    return next((event.session for event in events if event.__class__ is SessionOpened), 0)


def place_of(source: Source) -> StreamPlace:
    """The place of a roll in its session's streams. An overridden die keeps the place of the one that fell."""
    return StreamPlace(source.screen, source.fork or 0, source.seat, source.index)


def has_place(source: Source) -> bool:
    """Whether dice of this source have a place in a session's streams."""
    return source.fork is not None or source.kind == OVERRIDE


def granted_places(event: FreshDiceGranted) -> tuple[StreamPlace, ...]:
    """The places that a grant names. What cannot be read is left out: no roll has that place."""
    return tuple(place for text in event.places if (place := _read(text)) is not None)


def _read(text: str) -> StreamPlace | None:
    try:
        return read_place(text)
    except ValueError:
        return None


def told_counts(event: SessionClosed | ScreenCounted) -> dict[StreamCounter, int]:
    """How many rolls a history says there were. Raises ValueError for what cannot be read."""
    return {read_counter(text): many for text, many in event.counts.items()}


def _sources(events: Iterable[Event], session: int) -> Iterator[Source]:
    for event in events:
        if event.__class__ is DiceRolled:
            for source in event.sources:
                if source.session == session and has_place(source):
                    yield source


@attrs.frozen
class DiceOfAPlace:
    """The dice of one roll that have one place in the streams, in their order, as sides and faces.

    Where ``overridden`` is true the face is not the one that fell.
    """

    place: StreamPlace
    source: Source
    dice: tuple[tuple[int, int], ...]
    overridden: tuple[bool, ...]

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of the dice."""
        return tuple(sides for sides, _ in self.dice)

    @property
    def genuine(self) -> tuple[tuple[int, int], ...]:
        """The dice that are as they fell."""
        return tuple(die for die, other in zip(self.dice, self.overridden, strict=True) if not other)


def dice_by_place(roll: DiceRolled) -> tuple[DiceOfAPlace, ...]:
    """The dice of a roll by their places in the streams; real and imported dice have none."""
    found: dict[tuple[int, StreamPlace], DiceOfAPlace] = {}
    at = 0
    for source in roll.sources:
        dice = tuple((die.sides, die.face) for die in roll.dice[at : at + max(0, source.count)])
        at += len(dice)
        if not has_place(source):
            continue
        key = source.session, place_of(source)
        other = (source.kind == OVERRIDE,) * len(dice)
        if key in found:
            had = found[key]
            found[key] = attrs.evolve(had, dice=had.dice + dice, overridden=had.overridden + other)
        else:
            found[key] = DiceOfAPlace(key[1], source, dice, other)
    return tuple(found.values())


def counts(ledger: DiceLedger) -> Mapping[StreamCounter, int]:
    """How many open rolls of each seat a session has used, as the closing event says it.

    How often somebody rolled behind the screen is said when the screen's seed is shown (see ``screen_counts``).
    """
    return {counter: many for counter, many in sorted(ledger.used.items()) if not counter.screen}


def screen_counts(events: Iterable[Event], session: int) -> Mapping[StreamCounter, int]:
    """How many secret rolls of each seat a session has used; ``events`` are those of the whole history."""
    ledger = DiceLedger(session)
    ledger.rolled(events)
    return {counter: many for counter, many in sorted(ledger.used.items()) if counter.screen}
