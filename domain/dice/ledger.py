"""How far an evening's dice have been used: every roll has a place in the stream, and a place never comes back.

A roll that was taken back is not undone: it waits in its place for the same request, unless the GM grants fresh dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from domain.dice.record import OVERRIDE, Source
from domain.events import DiceRolled, Event, FreshDiceGranted, SessionOpened


@attrs.frozen
class VoidRoll:
    """A roll of the stream that was taken back and waits for the same request, ``intent``."""

    intent: str
    secret: bool
    seat: int
    index: int
    sides: tuple[int, ...]
    fork: int = 0


@attrs.define
class DiceLedger:
    """How far a session's stream has been used, and which of its rolls were taken back.

    It counts everything that was ever recorded, corrected or not: an index never falls. ``void`` goes by the place
    of a roll in the stream, "class/fork/seat/index".
    """

    session: int = 0
    used: dict[str, int] = attrs.field(factory=dict)
    void: dict[str, VoidRoll] = attrs.field(factory=dict)

    def copy(self) -> DiceLedger:
        """A ledger to try things out on."""
        return DiceLedger(self.session, dict(self.used), dict(self.void))

    def after(self, before: Iterable[Event], facts: tuple[Event, ...]) -> DiceLedger:
        """The ledger once ``facts`` count for an action in the place of ``before``; a new one if they open a session."""
        session = opened_session(facts)
        ledger = DiceLedger(session) if session else self
        ledger.taken_back(before)
        ledger.rolled(facts)
        return ledger

    def next_index(self, *, secret: bool, seat: int, fork: int = 0) -> int:
        """The index of the next new roll of a seat."""
        return self.used.get(counter(screen=secret, seat=seat, fork=fork), 0)

    def rolled(self, events: Iterable[Event]) -> None:
        """Count the stream's rolls among these facts; what they take up, or are granted anew, is no longer void."""
        facts = tuple(events)
        for source in _sources(facts, self.session):
            at = counter_of(source)
            self.used[at] = max(self.used.get(at, 0), source.index + 1)
            if self.void:
                self.void.pop(place(source), None)
        for event in facts if self.void else ():
            if isinstance(event, FreshDiceGranted) and event.session == self.session:
                for granted in event.places:
                    self.void.pop(granted, None)

    def taken_back(self, events: Iterable[Event]) -> None:
        """The facts of an outcome that no longer counts: its rolls wait for the same request."""
        for event in events:
            if isinstance(event, DiceRolled):
                self._waits(event)

    def _waits(self, roll: DiceRolled) -> None:
        for drawn in dice_by_place(roll):
            source = drawn.source
            if source.session == self.session:
                void = VoidRoll(roll.intent, source.screen, source.seat, source.index, drawn.sides, source.fork or 0)
                self.void[drawn.place] = void

    def waiting(self, intent: str, *, secret: bool) -> str:
        """The place of the roll that this very request was answered with before it was taken back; "" if there is none."""
        known = [(roll.index, at) for at, roll in self.void.items() if (roll.intent, roll.secret) == (intent, secret)]
        return min(known)[1] if known else ""

    def waiting_of(self, outcomes: Iterable[Iterable[Event]], *, screen: bool = False) -> tuple[str, ...]:
        """The places of an action's rolls that wait to be asked for again: ``outcomes`` are the facts of its revisions."""
        sources = (source for facts in outcomes for source in _sources(facts, self.session))
        places = dict.fromkeys(place(source) for source in sources if source.screen == screen)
        return tuple(at for at in places if at in self.void)

    @property
    def sealed(self) -> bool:
        """Whether the first die has been drawn, after which no entropy is mixed in any more."""
        return bool(self.used)


def opened_session(facts: Iterable[Event]) -> int:
    """The number of the session that these facts open, 0 if they open none."""
    return next((event.session for event in facts if event.__class__ is SessionOpened), 0)


def counter(*, screen: bool, seat: int, fork: int = 0) -> str:
    """What counts the rolls of a seat: "class/fork/seat"."""
    return f"{int(screen)}/{fork}/{seat}"


def counter_of(source: Source) -> str:
    """What counts the rolls of the seat that a roll stands with."""
    return counter(screen=source.screen, seat=source.seat, fork=source.fork or 0)


def place(source: Source) -> str:
    """Where a roll stands in its session's streams: "class/fork/seat/index". An overridden die stands where it fell."""
    return f"{counter_of(source)}/{source.index}"


def has_place(source: Source) -> bool:
    """Whether dice of this source stand somewhere in a session's streams."""
    return source.fork is not None or source.kind == OVERRIDE


def _sources(events: Iterable[Event], session: int) -> Iterator[Source]:
    for event in events:
        if event.__class__ is DiceRolled:
            for source in event.sources:
                if source.session == session and has_place(source):
                    yield source


@attrs.frozen
class DiceOfAPlace:
    """The dice of one roll that stand in one place of the streams, in their order, as sides and faces.

    Where ``overridden`` is true the face is not the one that fell.
    """

    place: str
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
    """The dice of a roll by where they stand in the streams; real and imported dice stand nowhere."""
    found: dict[tuple[int, str], DiceOfAPlace] = {}
    at = 0
    for source in roll.sources:
        dice = tuple((die.sides, die.face) for die in roll.dice[at : at + max(0, source.count)])
        at += len(dice)
        if not has_place(source):
            continue
        key = source.session, place(source)
        other = (source.kind == OVERRIDE,) * len(dice)
        if key in found:
            had = found[key]
            found[key] = attrs.evolve(had, dice=had.dice + dice, overridden=had.overridden + other)
        else:
            found[key] = DiceOfAPlace(key[1], source, dice, other)
    return tuple(found.values())


def counts(ledger: DiceLedger) -> Mapping[str, int]:
    """How many open rolls of each "class/fork/seat" a session has used, as the closing event says it.

    How often somebody rolled behind the screen is told when the screen's seed is (see ``screen_counts``).
    """
    return {at: many for at, many in sorted(ledger.used.items()) if at.startswith("0/")}


def screen_counts(facts: Iterable[Event], session: int) -> Mapping[str, int]:
    """How many secret rolls of each "class/fork/seat" a session has used; ``facts`` are those of the whole history."""
    ledger = DiceLedger(session)
    ledger.rolled(facts)
    return {at: many for at, many in sorted(ledger.used.items()) if at.startswith("1/")}
