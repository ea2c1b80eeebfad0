"""Where an action's dice come from: the record, fingers on a keyboard, or the evening's committed stream.

A die that was seen is never un-rolled. Dice belong to (action, roller, purpose, ordinal), so an action that is resolved
again meets its own dice; and the same request, made again after it was taken back, meets the same roll of the stream.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol

import attrs

from domain.dice.physical import TypedDice, parse_faces
from domain.dice.record import OVERRIDE, Source, stream_of
from domain.dice.stream import RollBytes, Stream, fork_key
from domain.dice_ledger import DiceLedger, VoidRoll, counter, counts, has_place, opened_session, place, screen_counts
from domain.errors import Refused, RollbookError
from domain.events import DiceRolled, Event

__all__ = [
    "CanonDice",
    "DiceLedger",
    "DiceNeeded",
    "DiceSupply",
    "Hand",
    "NoDice",
    "OverrideDice",
    "PhysicalDice",
    "RecordedDice",
    "Request",
    "StreamDice",
    "VoidRoll",
    "counter",
    "counts",
    "opened_session",
    "place",
    "screen_counts",
]


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


class _StreamHand:
    """A roll gets its place in the stream with its first die: one without dice uses nothing up."""

    def __init__(self, dice: StreamDice, request: Request) -> None:
        self._dice = dice
        self._request = request
        self._roll: tuple[RollBytes, Source, tuple[int, ...]] | None = None
        self._drawn = 0
        self.intent = request.intent

    def draw(self, sides: int) -> int:
        if self._roll is None:
            self._roll = self._dice.allot(self._request)
        stream, _, redo = self._roll
        if self._drawn < len(redo) and redo[self._drawn] != sides:
            raise Refused(
                f"This roll was taken back with a d{redo[self._drawn]} on the table, and now wants a d{sides} "
                f"in its place. A die that was seen is not rolled again: type real dice with --dice, or let the GM "
                f"grant fresh ones (rollbook do grant-dice)."
            )
        self._drawn += 1
        return stream.draw(sides)

    def sources(self) -> tuple[Source, ...]:
        return (attrs.evolve(self._roll[1], count=self._drawn),) if self._roll and self._drawn else ()


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
        return _StreamHand(self, request)

    def allot(self, request: Request) -> tuple[RollBytes, Source, tuple[int, ...]]:
        """The bytes of a roll, its place, and the sides of the dice that it must begin with because they were seen."""
        waits = self._ledger.waiting(request.intent, secret=request.secret)
        if waits:
            void = self._ledger.void.pop(waits)
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
        return self._stream(secret=request.secret, fork=fork).roll(seat, index), source, redo

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


class _OverriddenHand:
    def __init__(self, dice: OverrideDice, hand: Hand, *, secret: bool) -> None:
        self._dice = dice
        self._hand = hand
        self._secret = secret
        self._sources: list[Source] = []
        self.intent = hand.intent

    def draw(self, sides: int) -> int:
        face = self._hand.draw(sides)
        source = attrs.evolve(self._hand.sources()[-1], count=1)
        face, source = self._dice.instead(face, source, sides, secret=self._secret)
        self._sources.append(source)
        return face

    def sources(self) -> tuple[Source, ...]:
        return _joined(self._sources)


class OverrideDice:
    """An action's own dice, with faces of the GM's choosing in the place of some that came from the stream.

    ``faces`` replace the action's stream dice in the order in which they fell, from the ``first`` (counted from 1) on. A
    die that shows the face already stays what it is. ``secret_only`` spares what the table saw.
    """

    def __init__(
        self, recorded: DiceSupply, faces: Iterable[int], *, first: int = 1, secret_only: bool = False
    ) -> None:
        self._recorded = recorded
        self._faces = parse_faces(faces)
        self._first = first
        self._secret_only = secret_only
        self._fell = 0

    def hand(self, request: Request) -> Hand:
        """The recorded dice of this roll, some of them with other faces."""
        return _OverriddenHand(self, self._recorded.hand(request), secret=request.secret)

    def instead(self, face: int, source: Source, sides: int, *, secret: bool) -> tuple[int, Source]:
        """What a die shows from now on. Raises Refused if it cannot, or must not, show that."""
        if not has_place(source):
            return face, source
        self._fell += 1
        at = self._fell - self._first
        if not 0 <= at < len(self._faces) or self._faces[at] == face:
            return face, source
        if source.fork:
            raise Refused(
                "The dice of a what-if are not overridden. Make another what-if, or type real dice with --dice."
            )
        if self._secret_only and not secret:
            raise Refused(
                "The table agreed that only dice behind the screen are overridden, and this one lay open. "
                "To agree on something else: rollbook do agree overrides open"
            )
        if self._faces[at] > sides:
            raise Refused(f"{self._faces[at]} is not a face of a d{sides}: die {self._fell} must show 1 to {sides}.")
        return self._faces[at], attrs.evolve(source, kind=OVERRIDE)

    def finish(self) -> None:
        """Raises Refused if faces are left over."""
        if self._first + len(self._faces) - 1 > self._fell:
            many = "1 face was" if len(self._faces) == 1 else f"{len(self._faces)} faces were"
            has = f"{self._fell or 'no'} {'die' if self._fell == 1 else 'dice'}"
            raise Refused(
                f"{many} given, from die {self._first} on, but this action has {has} of the stream. "
                f"Real dice that were typed wrong are typed again with: rollbook amend --retype"
            )
        self._recorded.finish()


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


def _origin(source: Source) -> tuple[int, str]:
    return source.session, place(source) if has_place(source) else source.kind
