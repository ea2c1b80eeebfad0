"""Dice sources: typed by a person, or drawn from the session's committed stream; ``recorded_dice`` has the record.

A die that was seen is never un-rolled. Dice belong to (action, roller, purpose, ordinal), so an action that is resolved
again meets its own dice; and the same request, made again after it was undone, meets the same roll of the stream.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NoReturn, Protocol, Self, TypeAlias

import attrs

from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Changeable, Record, quickly_made
from rollbook.domain.dice.evaluation import Draw
from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.dice.physical import TypedDice
from rollbook.domain.dice.record import PHYSICAL, STREAM, RequestKey, Source, StreamCounter, StreamPlace, joined
from rollbook.domain.dice.stream import RollBytes, Streams

Fall: TypeAlias = Callable[[int], tuple[int, Source]]
"""Gives a face from 1 to the number of sides it is asked for, and where that die came from."""


@quickly_made
@attrs.frozen(kw_only=True)
class Request(Record):
    """One roll that a rule asks for. ``ordinal`` counts the rolls of one action by roller and purpose, from 0.

    ``occasion`` is the session, scene and turn, the verb and its targets; ``repeat`` counts the rolls of one occasion, and is
    the lowest number that is free.
    """

    roller: str
    purpose: str
    ordinal: int
    occasion: str
    repeat: int
    secret: bool = False

    @property
    def key(self) -> RequestKey:
        """The key that tells this request from all others."""
        return RequestKey(self.roller, self.purpose, self.occasion, self.repeat)


class Hand:
    """The dice of one roll, one after the other, as they ``fall``: the next face, and where it came from.

    Of recorded dice ``request`` is the one that they answered first.
    """

    __slots__ = ("_sources", "fall", "request")

    def __init__(self, request: Request, fall: Fall) -> None:
        self.request = request
        self.fall = fall
        self._sources: list[Source] = []

    def draw(self, sides: int) -> int:
        """The next face, 1 to ``sides``."""
        face, source = self.fall(sides)
        self._sources.append(source)
        return face

    def sources(self) -> tuple[Source, ...]:
        """The sources of the dice drawn so far, in order."""
        return joined(self._sources)


class DiceSupply(Protocol):
    """A source of dice: typed faces, the streams of a session, or what is on record."""

    def hand(self, request: Request) -> Hand:
        """The dice for one roll."""

    def finish(self) -> None:
        """The action is resolved. Raises Refused if dice were given that nothing asked for."""


class DiceNeeded(RollbookError):
    """An action that is resolved again needs a die that was never rolled.

    ``action`` is its number and ``whose`` what it is, once they are known: ``Robin's attack on the guard``. ``need`` says so,
    ``option`` is that by which the face is typed, and ``typed`` are the faces that were typed for others before it.
    """

    action: ActionNumber = 0
    whose = ""
    option = "--dice"

    def __init__(self, request: Request, sides: int, typed: tuple[int, ...] = ()) -> None:
        super().__init__(request, sides, typed)
        self.request = request
        self.sides = sides
        self.typed = typed

    @property
    def need(self) -> str:
        """The sentence that names the die that is needed, and its purpose."""
        action = self.action
        number = f" (#{action})" if action and self.whose else f"Action #{action}" if action else ""
        what = f"{self.whose}{number}" or self.request.roller or "Somebody"
        return f"{what} now needs a d{self.sides} ({self.request.purpose}) that was never rolled."

    def __str__(self) -> str:
        after = f" after {', '.join(map(str, self.typed))}" if self.typed else ""
        return (
            f"{self.need} Type its face{after} with {self.option}, or have it drawn from the open session with --draw."
        )

    def in_(self, action: ActionNumber, whose: str) -> Self:
        """The same, said of the action that needs it."""
        self.action, self.whose = action, whose
        return self

    def typed_with(self, option: str) -> Self:
        """The same where the face is typed with another option."""
        self.option = option
        return self


class NoDiceHere(Refused):
    """There is nothing to roll with: no session is open, or the dice are real ones and were not typed."""


class NoDice:
    """There are none: ``reason`` says why and what to do. The supply of anything that is resolved without a table."""

    def __init__(self, reason: str = "") -> None:
        self._reason = reason

    def hand(self, request: Request) -> Hand:
        return physical_hand(request, partial(self._refuse, request))

    def _refuse(self, request: Request, sides: int) -> NoReturn:
        raise NoDiceHere(self._reason) if self._reason else DiceNeeded(request, sides)

    def finish(self) -> None:
        """Never more dice than were asked for: there are none."""


_TYPED = Source(PHYSICAL, 1)


def physical_hand(request: Request, fall: Draw) -> Hand:
    """The dice of one roll, as they ``fall`` on the table."""
    return Hand(request, lambda sides: (fall(sides), _TYPED))


class PhysicalDice(TypedDice):
    """Real dice, typed in by a person: counted, range-checked and marked as what they are."""

    def hand(self, request: Request) -> Hand:
        what = f"the {request.purpose} of {request.roller}" if request.roller else request.purpose
        return physical_hand(request, partial(self.draw, what=what))


class NewDice(PhysicalDice):
    """Real dice for what a correction needs and was never rolled. Where they are used up, the next one is asked for."""

    def hand(self, request: Request) -> Hand:
        return physical_hand(request, partial(self._next, request))

    def _next(self, request: Request, sides: int) -> int:
        if self.used == len(self.faces):
            raise DiceNeeded(request, sides, self.faces)
        return self.draw(sides, request.purpose)


@attrs.define
class _PlacedRoll(Changeable):
    """The dice of one place in the stream, of which those with the sides ``seen`` have fallen before."""

    place: StreamPlace
    source: Source
    stream: RollBytes
    seen: tuple[int, ...] = ()
    drawn: int = 0

    @property
    def next_seen(self) -> int:
        """The sides of the next die that has fallen before, 0 if all of those were met again."""
        return self.seen[self.drawn] if self.drawn < len(self.seen) else 0

    def draw(self, sides: int) -> int:
        self.drawn += 1
        return self.stream.draw(sides)


class _StreamRolls:
    """A roll gets its place in the stream with its first die: one without dice uses nothing up.

    An undone request meets every die that has fallen for it before others; dice drawn for a correction have places of their own.
    """

    def __init__(self, dice: StreamDice, request: Request) -> None:
        self._dice = dice
        self._request = request
        self._rolls: list[_PlacedRoll] = []

    def fall(self, sides: int) -> tuple[int, Source]:
        self._rolls = self._rolls or self._dice.rolls_for(self._request)
        roll = self._roll_for(sides)
        self._dice.ledger.take(roll.place)
        return roll.draw(sides), roll.source

    def _roll_for(self, sides: int) -> _PlacedRoll:
        for roll in self._rolls:
            if roll.next_seen == sides:
                return roll
        if begun := [roll for roll in self._rolls if roll.drawn and not roll.next_seen]:
            return begun[-1]
        first = self._rolls[0]
        if first.next_seen:
            raise Refused(
                f"This roll was undone with a d{first.next_seen} on the table, and now wants a d{sides} "
                f"in its place. A die that was seen is not rolled again: type real dice with --dice, or let the GM "
                f"grant fresh ones (rollbook do grant-dice)."
            )
        return first


class StreamDice:
    """The session's committed stream (scheme ``rollbook/dice/1``), one index a roll for each seat.

    ``fork`` is the number of the timeline that is played; its new rolls come from a stream of its own.
    """

    def __init__(self, *, key_table: bytes, key_screen: bytes, seat: int, ledger: DiceLedger, fork: int = 0) -> None:
        self._streams = Streams({False: key_table, True: key_screen})
        self._seat = seat
        self._fork = fork
        self.ledger = ledger.copy()

    def hand(self, request: Request) -> Hand:
        """The next roll of the seat, or the very same roll if this request was undone before."""
        return Hand(request, _StreamRolls(self, request).fall)

    def rolls_for(self, request: Request) -> list[_PlacedRoll]:
        """The rolls that answer a request: those that fell for it before it was undone, or the seat's next place."""
        waiting = self.ledger.waiting(request.key, secret=request.secret)
        if waiting:
            return [self._placed(roll.place, roll.sides) for roll in waiting]
        return [self._placed(self.ledger.next_place(StreamCounter(request.secret, self._fork, self._seat)))]

    def _placed(self, place: StreamPlace, seen: tuple[int, ...] = ()) -> _PlacedRoll:
        source = Source(STREAM, 1, self.ledger.session, place)
        return _PlacedRoll(place, source, self._streams.roll(place), seen)

    def finish(self) -> None:
        """A stream has no end."""
