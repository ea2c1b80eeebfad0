"""Ledger of the dice a session has used: every roll has a place in the stream, and a place never comes back.

The roll of an undone action stays in its place and waits for the same request, unless the GM grants fresh dice.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeAlias

import attrs

from rollbook.domain.base.records import Changeable, Record, quickly_made
from rollbook.domain.dice.record import OVERRIDE, Dice, RequestKey, RollCount, StreamCounter, StreamPlace
from rollbook.domain.events import DiceRolled, Event, FreshDiceGranted, SessionOpened

Where: TypeAlias = tuple[int, StreamPlace]
"""A session, and a place in its streams."""


@attrs.frozen
class UndoneRoll(Record):
    """A roll of the stream that was undone and waits for the same ``request``.

    ``part`` says which of the request's places it is, from 0: dice that were drawn for a correction have places of their own.
    """

    request: RequestKey
    place: StreamPlace
    sides: tuple[int, ...]
    part: int = 0


@attrs.define
class DiceLedger(Changeable):
    """The used places of a session's stream, and its rolls that were undone.

    It counts everything that was ever recorded, corrected or not: a counter never falls. ``met`` are the sides of all dice that
    had fallen at a place when it was met again: a shorter roll in between does not drop any of them.
    """

    session: int = 0
    used: dict[StreamCounter, int] = attrs.field(factory=dict)
    undone_rolls: dict[StreamPlace, UndoneRoll] = attrs.field(factory=dict)
    met: dict[StreamPlace, tuple[int, ...]] = attrs.field(factory=dict)

    def copy(self) -> "DiceLedger":
        """A ledger to try things out on."""
        return DiceLedger(self.session, dict(self.used), dict(self.undone_rolls), dict(self.met))

    def after(self, before: Iterable[Event], events: tuple[Event, ...]) -> "DiceLedger":
        """The ledger once ``events`` count for an action in the place of ``before``; a new one if they open a session."""
        session = opened_session(events)
        ledger = DiceLedger(session) if session else self
        ledger.undone(before)
        ledger.rolled(events)
        return ledger

    def next_place(self, counter: StreamCounter) -> StreamPlace:
        """The place of the next new roll."""
        return counter.place(self.used.get(counter, 0))

    def is_next(self, place: StreamPlace) -> bool:
        """True if it is the place of the next new roll."""
        return place.number == self.used.get(place.counter, 0)

    def rolled(self, events: Iterable[Event]) -> None:
        """Count the stream's rolls among these events; what they take up, or what is granted, waits no more."""
        recorded = tuple(events)
        for session, place in places_of(recorded):
            if session == self.session:
                self.take(place)
        for event in recorded if self.undone_rolls else ():
            if isinstance(event, FreshDiceGranted) and event.session == self.session:
                for granted in event.places:
                    self.undone_rolls.pop(granted, None)

    def take(self, place: StreamPlace) -> None:
        """Note that a place is in use: it neither waits nor is the next one."""
        counter = place.counter
        self.used[counter] = max(self.used.get(counter, 0), place.number + 1)
        if self.undone_rolls and (roll := self.undone_rolls.pop(place, None)):
            self.met[place] = roll.sides

    def undone(self, events: Iterable[Event]) -> None:
        """The events of an outcome that no longer counts: its rolls wait for the same request."""
        for event in events:
            if isinstance(event, DiceRolled):
                for part, drawn in enumerate(dice_by_place(event)):
                    if drawn.session == self.session:
                        sides = max(self.met.get(drawn.place, ()), drawn.sides, key=len)
                        self.undone_rolls[drawn.place] = UndoneRoll(event.request, drawn.place, sides, part)

    def waiting(self, request: RequestKey, *, secret: bool) -> list[UndoneRoll]:
        """The rolls that answered this very request before it was undone, in the order in which their dice are met again."""
        known = [roll for roll in self.undone_rolls.values() if roll.request == request and roll.place.screen == secret]
        return sorted(known, key=lambda roll: (roll.part, roll.place.number, roll.place))

    def waiting_of(self, outcomes: Iterable[Iterable[Event]], *, screen: bool = False) -> tuple[StreamPlace, ...]:
        """The places of an action's rolls that wait to be asked for again: ``outcomes`` are the events of its revisions."""
        places = dict.fromkeys(place for session, place in places_of(chain(*outcomes)) if session == self.session)
        return tuple(place for place in places if place.screen == screen and place in self.undone_rolls)

    @property
    def sealed(self) -> bool:
        """True if the first die has been drawn, after which no entropy is mixed in any more."""
        return bool(self.used)


def opened_session(events: Iterable[Event]) -> int:
    """The number of the session that these events open, 0 if they open none."""
    if SessionOpened not in map(type, events):
        return 0
    return next(event.session for event in events if isinstance(event, SessionOpened))


def places_of(events: Iterable[Event]) -> Iterator[Where]:
    """The places from which the dice of these events came."""
    for event in events:
        if event.__class__ is DiceRolled:
            for source in event.sources:
                if source.place is not None:
                    yield source.session, source.place


@quickly_made
@attrs.frozen
class DiceOfAPlace(Record):
    """The dice of one roll that have one place in the streams, in their order, as sides and faces.

    Where ``overridden`` is true the face is not the one that fell.
    """

    session: int
    place: StreamPlace
    dice: Dice
    overridden: tuple[bool, ...]

    @property
    def sides(self) -> tuple[int, ...]:
        return tuple(sides for sides, _ in self.dice)

    @property
    def named(self) -> str:
        """The roll in words: ``roll 3 of seat 1``."""
        return f"roll {self.place.number} of seat {self.place.seat}"

    @property
    def genuine(self) -> Dice:
        """The dice that are as they fell."""
        return tuple(die for die, other in zip(self.dice, self.overridden, strict=True) if not other)


def dice_by_place(roll: DiceRolled) -> tuple[DiceOfAPlace, ...]:
    """The dice of a roll by their places in the streams; real and imported dice have none."""
    if len(roll.sources) == 1 and (only := roll.sources[0]).place is not None and only.dice >= len(roll.dice):
        all_ = tuple([(die.sides, die.face) for die in roll.dice])
        return (DiceOfAPlace(only.session, only.place, all_, (only.kind == OVERRIDE,) * len(all_)),)
    found: dict[tuple[int, StreamPlace], DiceOfAPlace] = {}
    at = 0
    for source in roll.sources:
        dice = tuple((die.sides, die.face) for die in roll.dice[at : at + max(0, source.dice)])
        at += len(dice)
        if source.place is None:
            continue
        key = source.session, source.place
        other = (source.kind == OVERRIDE,) * len(dice)
        if key in found:
            had = found[key]
            found[key] = attrs.evolve(had, dice=had.dice + dice, overridden=had.overridden + other)
        else:
            found[key] = DiceOfAPlace(*key, dice, other)
    return tuple(found.values())


def counts(ledger: DiceLedger, *, screen: bool = False) -> tuple[RollCount, ...]:
    """The number of open rolls that each seat has used in a session, as the closing event says it.

    The number behind the ``screen`` is recorded when the screen's seed is revealed (see ``screen_counts``).
    """
    return tuple(RollCount(*run, rolls) for run, rolls in sorted(ledger.used.items()) if run.screen == screen)


def screen_counts(events: Iterable[Event], session: int) -> tuple[RollCount, ...]:
    """The number of secret rolls that each seat has used in a session; ``events`` are those of the whole history."""
    ledger = DiceLedger(session)
    ledger.rolled(events)
    return counts(ledger, screen=True)
