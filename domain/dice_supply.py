"""Where an action's dice come from: the record, fingers on a keyboard, or the evening's committed stream.

A die that was seen is never un-rolled. Dice belong to (action, roller, purpose, ordinal), so an action that is resolved
again meets its own dice; and the same request, made again after it was taken back, meets the same roll of the stream.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Protocol

import attrs

from domain.dice.physical import TypedDice
from domain.dice.record import Source, stream_of
from domain.dice.stream import RollBytes, Stream, fork_key
from domain.errors import Refused, RollbookError
from domain.events import DiceRolled, Event, FreshDiceGranted, SessionOpened


@attrs.frozen(kw_only=True)
class Request:
    """One roll that a rule asks for. ``ordinal`` counts the rolls of one action by roller and purpose, from 0.

    ``intent`` is the same request in the words of the turn: it ends in ``#`` and the lowest ordinal that is free.
    """

    roller: str
    purpose: str
    ordinal: int
    intent: str
    secret: bool = False


class Hand(Protocol):
    """The dice of one roll, one after the other."""

    intent: str

    def draw(self, sides: int) -> int:
        """The next face, 1 to ``sides``."""

    def sources(self) -> tuple[Source, ...]:
        """Where the dice drawn so far came from, in order."""


class DiceSupply(Protocol):
    """Whatever dice come from."""

    def hand(self, request: Request) -> Hand:
        """The dice for one roll."""

    def finish(self) -> None:
        """The action is resolved. Raises Refused if dice were given that nothing asked for."""


class DiceNeeded(RollbookError):
    """An action that is resolved again needs dice that were never rolled; ``action`` is its number, once it is known."""

    def __init__(self, request: Request, sides: int, *, action: int = 0, who: str = "") -> None:
        where = f"Action #{action} needs" if action else "This needs"
        super().__init__(
            f"{where} a d{sides} that was never rolled ({who or request.roller or 'somebody'}: {request.purpose}). "
            f"Type it with --dice, or let it be drawn from the open session."
        )
        self.request = request
        self.sides = sides
        self.action = action


def _joined(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Single dice with their sources, as runs."""
    runs: list[Source] = []
    for source in sources:
        if runs and attrs.evolve(runs[-1], count=source.count) == source:
            runs[-1] = attrs.evolve(source, count=runs[-1].count + source.count)
        else:
            runs.append(source)
    return tuple(runs)


class NoDice:
    """There are none: ``reason`` says why and what to do. The supply of anything that is resolved without a table."""

    intent = ""

    def __init__(self, reason: str = "") -> None:
        self._reason = reason
        self._request: Request | None = None

    def hand(self, request: Request) -> Hand:
        """An empty hand."""
        empty = NoDice(self._reason)
        empty._request = request
        empty.intent = request.intent
        return empty

    def draw(self, sides: int) -> int:
        """Never a die."""
        if self._reason or self._request is None:
            raise Refused(self._reason)
        raise DiceNeeded(self._request, sides)

    def sources(self) -> tuple[Source, ...]:
        """Nothing was drawn."""
        return ()

    def finish(self) -> None:
        """Nothing is left."""


class _TypedHand:
    def __init__(self, dice: TypedDice, intent: str) -> None:
        self._dice = dice
        self._drawn = 0
        self.intent = intent

    def draw(self, sides: int) -> int:
        self._drawn += 1
        return self._dice.draw(sides)

    def sources(self) -> tuple[Source, ...]:
        return (Source(kind="physical", count=self._drawn),) if self._drawn else ()


class PhysicalDice:
    """Real dice, typed in by a person: counted, range-checked and marked as what they are."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._dice = TypedDice(tuple(faces))

    def hand(self, request: Request) -> Hand:
        """The typed dice, as far as they go."""
        return _TypedHand(self._dice, request.intent)

    def finish(self) -> None:
        """Raises Refused if dice are left over."""
        self._dice.finish()


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
        for _, source in _stream_sources(facts, self.session):
            at = _counter_of(source)
            self.used[at] = max(self.used.get(at, 0), source.index + 1)
            if self.void:
                self.void.pop(place(source), None)
        for event in facts if self.void else ():
            if isinstance(event, FreshDiceGranted) and event.session == self.session:
                for granted in event.places:
                    self.void.pop(granted, None)

    def taken_back(self, events: Iterable[Event]) -> None:
        """The facts of an outcome that no longer counts: its rolls wait for the same request."""
        for roll, source in _stream_sources(events, self.session):
            sides = _sides(roll, source)
            void = VoidRoll(roll.intent, source.screen, source.seat, source.index, sides, source.fork or 0)
            self.void[place(source)] = void

    def waiting(self, request: Request) -> VoidRoll | None:
        """The roll that this very request was answered with before it was taken back; it is not waiting any more."""
        asked = (request.intent, request.secret)
        known = [(void.index, at) for at, void in self.void.items() if (void.intent, void.secret) == asked]
        return self.void.pop(min(known)[1]) if known else None

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


def _counter_of(source: Source) -> str:
    return counter(screen=source.screen, seat=source.seat, fork=source.fork or 0)


def place(source: Source) -> str:
    """Where a roll stands in its session's streams: "class/fork/seat/index"."""
    return f"{_counter_of(source)}/{source.index}"


def _stream_sources(events: Iterable[Event], session: int) -> Iterator[tuple[DiceRolled, Source]]:
    for event in events:
        if event.__class__ is DiceRolled:
            for source in event.sources:
                if source.session == session and source.fork is not None:
                    yield event, source


def _sides(roll: DiceRolled, wanted: Source) -> tuple[int, ...]:
    """The sides of those dice of a roll that came from the same place as ``wanted``, in their order."""
    dice = iter(roll.dice)
    runs = [(source, tuple(islice(dice, source.count))) for source in roll.sources]
    return tuple(die.sides for source, run in runs if attrs.evolve(source, count=wanted.count) == wanted for die in run)


class _StreamHand:
    def __init__(self, stream: RollBytes, source: Source, intent: str, redo: tuple[int, ...]) -> None:
        self._stream = stream
        self._source = source
        self._redo = redo
        self._drawn = 0
        self.intent = intent

    def draw(self, sides: int) -> int:
        if self._drawn < len(self._redo) and self._redo[self._drawn] != sides:
            raise Refused(
                f"This roll was taken back with a d{self._redo[self._drawn]} on the table, and now wants a d{sides} "
                f"in its place. A die that was seen is not rolled again: type real dice with --dice."
            )
        self._drawn += 1
        return self._stream.draw(sides)

    def sources(self) -> tuple[Source, ...]:
        return (attrs.evolve(self._source, count=self._drawn),) if self._drawn else ()


class StreamDice:
    """The evening's committed stream (scheme ``rollbook/dice/1``), one index a roll for each seat.

    ``fork`` is the number of the what-if that is played; its new rolls come from a stream of its own.
    """

    def __init__(self, *, key_table: bytes, key_screen: bytes, seat: int, ledger: DiceLedger, fork: int = 0) -> None:
        self._keys = {False: key_table, True: key_screen}
        self._streams: dict[tuple[bool, int], Stream] = {}
        self._seat = seat
        self._fork = fork
        self._ledger = ledger.copy()

    def hand(self, request: Request) -> Hand:
        """The next roll of the seat, or the very same roll if this request was taken back before."""
        void = self._ledger.waiting(request)
        if void is not None:
            seat, index, redo, fork = void.seat, void.index, void.sides, void.fork
        else:
            seat, redo, fork = self._seat, (), self._fork
            index = self._ledger.next_index(secret=request.secret, seat=seat, fork=fork)
            self._ledger.used[counter(screen=request.secret, seat=seat, fork=fork)] = index + 1
        source = Source(
            kind=stream_of(fork),
            count=0,
            session=self._ledger.session,
            screen=request.secret,
            seat=seat,
            index=index,
        )
        stream = self._stream(secret=request.secret, fork=fork)
        return _StreamHand(stream.roll(seat, index), source, request.intent, redo)

    def _stream(self, *, secret: bool, fork: int) -> Stream:
        if (secret, fork) not in self._streams:
            self._streams[secret, fork] = Stream(fork_key(self._keys[secret], fork))
        return self._streams[secret, fork]

    def finish(self) -> None:
        """A stream has no end."""


Faces = dict[int, list[tuple[int, Source]]]
"""Recorded dice of one roll: by number of sides, each face with the source it came from."""


class _RecordedHand:
    def __init__(self, faces: Faces, fresh: DiceSupply, request: Request) -> None:
        self._faces = {sides: iter(dice) for sides, dice in faces.items()}
        self._fresh = fresh
        self._request = request
        self._more: Hand | None = None
        self._drawn: list[Source] = []
        self.intent = request.intent

    def draw(self, sides: int) -> int:
        recorded = next(self._faces.get(sides, iter(())), None)
        if recorded is not None:
            face, source = recorded
            self._drawn.append(source)
            return face
        if self._more is None:
            self._more = self._fresh.hand(self._request)
        face = self._more.draw(sides)
        self._drawn.append(attrs.evolve(self._more.sources()[-1], count=1))
        return face

    def sources(self) -> tuple[Source, ...]:
        return _joined(self._drawn)


class RecordedDice:
    """The dice that an action has already rolled, by roller, purpose and ordinal; ``fresh`` gives what is missing.

    ``outcomes`` are the facts of all its revisions, oldest first. The latest revision's dice come first, then those
    that only an earlier one rolled: a die that one revision did without is still there when the next one wants it.
    ``drawn`` are dice that were drawn for its correction, each with the ordinal of the roll it belongs to.
    """

    def __init__(
        self, outcomes: Iterable[Iterable[Event]], fresh: DiceSupply, drawn: Iterable[tuple[int, DiceRolled]] = ()
    ) -> None:
        self._fresh = fresh
        self._rolls: dict[tuple[str, str, int], Faces] = {}
        self._intents: dict[tuple[str, str, int], str] = {}
        for facts in outcomes:
            self._remember(facts)
        for ordinal, roll in drawn:
            self._add_drawn((roll.roller, roll.purpose, ordinal), roll)

    def _remember(self, facts: Iterable[Event]) -> None:
        count: dict[tuple[str, str], int] = defaultdict(int)
        for event in facts:
            if isinstance(event, DiceRolled):
                who, purpose = event.roller, event.purpose
                known = self._rolls.setdefault((who, purpose, count[(who, purpose)]), {})
                self._intents[(who, purpose, count[(who, purpose)])] = event.intent
                count[(who, purpose)] += 1
                for sides, dice in _faces(event).items():
                    known.setdefault(sides, [])[: len(dice)] = dice

    def _add_drawn(self, key: tuple[str, str, int], drawn: DiceRolled) -> None:
        known = self._rolls.setdefault(key, {})
        for sides, dice in _faces(drawn).items():
            have = {_origin(source) for _, source in known.get(sides, ())}
            known.setdefault(sides, []).extend(die for die in dice if _origin(die[1]) not in have)

    def hand(self, request: Request) -> Hand:
        """The recorded dice of this roll, then fresh ones."""
        key = (request.roller, request.purpose, request.ordinal)
        if key not in self._rolls:
            return self._fresh.hand(request)
        known = attrs.evolve(request, intent=self._intents.get(key, request.intent))
        return _RecordedHand(self._rolls[key], self._fresh, known)

    def finish(self) -> None:
        """Recorded dice may be left over: an amended action can need fewer. Fresh ones are the giver's affair."""


class CanonDice:
    """The dice of a what-if: where canon made the same request after the fork, the dice that fell there; else ``fresh``.

    The difference that a what-if shows is then the decision and not the luck. ``rolls`` are what canon rolled since.
    """

    def __init__(self, rolls: Iterable[DiceRolled], fresh: DiceSupply) -> None:
        self._fresh = fresh
        self._rolls: dict[tuple[str, bool], Faces] = {}
        for roll in rolls:
            if roll.intent:
                self._rolls.setdefault((roll.intent, roll.secret), _faces(roll))

    def hand(self, request: Request) -> Hand:
        """Canon's dice for the same request, then fresh ones."""
        known = self._rolls.get((request.intent, request.secret))
        return self._fresh.hand(request) if known is None else _RecordedHand(known, self._fresh, request)

    def finish(self) -> None:
        """Canon's dice may be left over: a decision that is another can need fewer."""
        self._fresh.finish()


def _faces(roll: DiceRolled) -> Faces:
    sources = (attrs.evolve(source, count=1) for source in roll.sources for _ in range(source.count))
    found: Faces = defaultdict(list)
    for die, source in zip(roll.dice, sources, strict=False):
        found[die.sides].append((die.face, source))
    return found


def _origin(source: Source) -> tuple[int, bool, int, int]:
    return source.session, source.screen, source.seat, source.index


def counts(ledger: DiceLedger) -> Mapping[str, int]:
    """How many rolls of each "class/fork/seat" a session has used, as the closing event says it."""
    return dict(sorted(ledger.used.items()))
