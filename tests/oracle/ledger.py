"""Whose places in a session's streams are used, and which rolls wait to be met again (docs/dice.md, What a verifier checks)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from tests.oracle.numbers import Counting
from tests.oracle.stored import Entry, Event
from tests.oracle.stream import Place

Request = tuple[str, str, str, int]
"""Roller, purpose, occasion and repeat."""


@attrs.frozen
class Piece:
    """The dice of a roll from one place: of which session, with which sides, and which of the roll's places it is."""

    session: int
    place: Place
    sides: tuple[int, ...]
    request: Request
    part: int


def pieces(events: Iterable[Event]) -> Iterator[Piece]:
    """The dice of the streams among these events, roll by roll and place by place."""
    for event in events:
        if event.name != "DiceRolled":
            continue
        found: dict[tuple[int, Place], list[int]] = {}
        for die, (_, _, session, place) in dice_of(event):
            if place is not None:
                found.setdefault((session, as_place(place)), []).append(die[0])
        for part, ((session, place), sides) in enumerate(found.items()):
            yield Piece(session, place, tuple(sides), request_of(event), part)


def dice_of(roll: Event) -> Iterator[tuple[Any, Any]]:
    """Every die of a roll with its source."""
    sources = [source for source in roll.says["sources"] for _ in range(source[1])]
    return zip(roll.says["dice"], sources, strict=True)


def as_place(stored: Sequence[Any]) -> Place:
    screen, fork, seat, number = stored
    return bool(screen), fork, seat, number


def request_of(roll: Event) -> Request:
    said = roll.says
    return said["roller"], said["purpose"], said["occasion"], said["repeat"]


class Ledger:
    """The last session of a history: how many rolls each seat has had, and what waits."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.session = 0
        self.used: dict[tuple[bool, int, int], int] = {}
        self.waiting: dict[Place, Piece] = {}
        self._longest: dict[Place, tuple[int, ...]] = {}
        counting = Counting()
        for entry in entries:
            before = counting.counts.get(entry.action)
            counting.add(entry)
            self._follow(before, counting.counts[entry.action])

    def _follow(self, before: Entry | None, now: Entry | None) -> None:
        events = now.events if now else ()
        for event in events:
            if event.name == "SessionOpened":
                self.session = event.says["session"]
                self.used, self.waiting, self._longest = {}, {}, {}
        for piece in self._mine(before.events if before else ()):
            known = self._longest.get(piece.place, ())
            self.waiting[piece.place] = attrs.evolve(piece, sides=max(known, piece.sides, key=len))
        for piece in self._mine(events):
            self.use(piece.place)
        for event in events:
            if event.name == "FreshDiceGranted" and event.says["session"] == self.session:
                for place in event.says["places"]:
                    self.waiting.pop(as_place(place), None)

    def _mine(self, events: Iterable[Event]) -> list[Piece]:
        return [piece for piece in pieces(events) if piece.session == self.session]

    def use(self, place: Place) -> None:
        """A die of this place counts: no other roll gets it, and it does not wait. What waited is not forgotten."""
        self.used[place[:3]] = max(self.used.get(place[:3], 0), place[3] + 1)
        if place in self.waiting:
            self._longest[place] = self.waiting.pop(place).sides

    def waits_for(self, request: Request, *, secret: bool) -> list[Piece]:
        """What fell for this request before it was undone."""
        found = [piece for piece in self.waiting.values() if piece.request == request and piece.place[0] == secret]
        return sorted(found, key=lambda piece: (piece.part, piece.place[3], piece.place))

    def next(self, screen: bool, fork: int, seat: int) -> Place:
        return screen, fork, seat, self.used.get((screen, fork, seat), 0)

    def counts(self, *, screen: bool) -> list[list[Any]]:
        """How many rolls each seat has had, as it is recorded."""
        return [[*run, many] for run, many in sorted(self.used.items()) if run[0] == screen]


def counted(entries: Iterable[Entry], session: int, *, screen: bool) -> list[list[Any]]:
    """How many rolls each seat has had in any session."""
    used: dict[tuple[bool, int, int], int] = {}
    for entry in entries:
        for piece in pieces(entry.events):
            if piece.session == session and piece.place[0] == screen:
                used[piece.place[:3]] = max(used.get(piece.place[:3], 0), piece.place[3] + 1)
    return [[*run, many] for run, many in sorted(used.items())]
