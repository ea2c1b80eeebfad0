"""The dice that a seat meets: typed ones, the session's, and on a timeline canon's for what canon asked too.

What is handed to the rules is the only thing here that speaks the engine's words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.record import Source, StreamPlace
from tests.oracle.ledger import Ledger, Piece, as_place, dice_of
from tests.oracle.ledger import Request as Asked
from tests.oracle.stored import Event
from tests.oracle.stream import Place, face, words

Dice = Mapping[tuple[Asked, bool], Event]
"""What canon rolled, by request and whether it was secret."""


@attrs.define
class _Hand:
    """The dice of one roll: each is worked out when it is asked for."""

    request: Any
    source: Iterator[Any] = attrs.field(init=False)
    given: list[Source] = attrs.field(factory=list)

    def _asked(self) -> Asked:
        return self.request.roller, self.request.purpose, self.request.occasion, self.request.repeat

    def sources(self) -> tuple[Source, ...]:
        """Where they came from, in runs."""
        runs: list[Source] = []
        for one in self.given:
            if runs and runs[-1]._replace(dice=1) == one:
                runs[-1] = runs[-1]._replace(dice=runs[-1].dice + 1)
            else:
                runs.append(one)
        return tuple(runs)


class NoDice:
    """There are none, and somebody may say why."""

    def hand(self, request: Any) -> Any:
        return _Nothing(request)

    def finish(self) -> None:
        """Nothing is left."""


class _Nothing(_Hand):
    def draw(self, sides: int) -> int:
        raise Refused(f"there is no d{sides} to roll")


class TypedDice:
    """Real dice, in the order in which they were typed; all of them are wanted."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.left = list(faces)

    def hand(self, request: Any) -> Any:
        return _TypedHand(request, self.left)

    def finish(self) -> None:
        if self.left:
            raise Refused("dice are left over")


class _TypedHand(_Hand):
    def __init__(self, request: Any, left: list[int]) -> None:
        super().__init__(request)
        self.left = left

    def draw(self, sides: int) -> int:
        if not self.left or not 1 <= self.left[0] <= sides:
            raise Refused(f"no die that a d{sides} can show")
        self.given.append(Source("physical", 1))
        return self.left.pop(0)


class SessionDice:
    """The dice of a session for one seat: ``keys`` by class and timeline, in the timeline ``fork``."""

    def __init__(self, keys: Mapping[tuple[bool, int], bytes], seat: int, fork: int, ledger: Ledger) -> None:
        self.keys, self.seat, self.fork, self.ledger = keys, seat, fork, ledger

    def hand(self, request: Any) -> Any:
        return _SessionHand(request, self)

    def finish(self) -> None:
        """A stream has no end."""


@attrs.define
class _Run:
    """The dice of one place; those with the sides ``seen`` have fallen before."""

    place: Place
    seen: tuple[int, ...]
    words: Iterator[int]
    drawn: int = 0

    @property
    def due(self) -> int:
        return self.seen[self.drawn] if self.drawn < len(self.seen) else 0


class _SessionHand(_Hand):
    """What fell for the request is met before any new die; dice of a correction have places of their own."""

    def __init__(self, request: Any, dice: SessionDice) -> None:
        super().__init__(request)
        self.dice = dice
        self.runs: list[_Run] = []

    def draw(self, sides: int) -> int:
        self.runs = self.runs or self._begin()
        run = self._run_with(sides)
        run.drawn += 1
        self.dice.ledger.use(run.place)
        self.given.append(Source("stream", 1, self.dice.ledger.session, StreamPlace(*run.place)))
        return face(sides, run.words)

    def _begin(self) -> list[_Run]:
        dice, secret = self.dice, self.request.secret
        new = Piece(0, dice.ledger.next(secret, dice.fork, dice.seat), (), self._asked(), 0)
        found = dice.ledger.waits_for(self._asked(), secret=secret) or [new]
        if any(one.place[:2] not in dice.keys for one in found):
            raise Refused("the seed of these dice is not here")
        return [_Run(one.place, one.sides, words(dice.keys[one.place[:2]], *one.place[2:])) for one in found]

    def _run_with(self, sides: int) -> _Run:
        """The first place where such a die is due, or the last that was begun and has shown all that fell."""
        due = [run for run in self.runs if run.due == sides]
        spent = [run for run in self.runs if run.drawn and not run.due]
        if not due and not spent and self.runs[0].due:
            raise Refused("another die is on the table already")
        return due[0] if due else spent[-1] if spent else self.runs[0]


class CanonsDice:
    """Canon's dice for the requests that canon made too, the timeline's own for all others."""

    def __init__(self, rolled: Dice, fresh: Any) -> None:
        self.rolled, self.fresh = rolled, fresh

    def hand(self, request: Any) -> Any:
        asked = request.roller, request.purpose, request.occasion, request.repeat
        known = self.rolled.get((asked, request.secret))
        return self.fresh.hand(request) if known is None else _CanonsHand(request, known, self.fresh)

    def finish(self) -> None:
        self.fresh.finish()


class _CanonsHand(_Hand):
    def __init__(self, request: Any, known: Event, fresh: Any) -> None:
        super().__init__(request)
        self.left = list(dice_of(known))
        self.fresh, self.more = fresh, None

    def draw(self, sides: int) -> int:
        for at, (die, source) in enumerate(self.left):
            if die[0] == sides:
                del self.left[at]
                self.given.append(source_of(source))
                return int(die[1])
        self.more = self.more or self.fresh.hand(self.request)
        found: int = self.more.draw(sides)
        self.given.append(self.more.given[-1])
        return found


def source_of(stored: Any) -> Source:
    """One die's source in the engine's words."""
    kind, _, session, place = stored
    return Source(kind, 1, session, None if place is None else StreamPlace(*as_place(place)))
