"""Dice supplies with known faces."""

from __future__ import annotations

from hashlib import sha256

from rollbook.domain.dice.record import Source
from rollbook.domain.dice.supply import Hand, Request, physical_hand
from rollbook.domain.entries import Entry, RecordedEntry
from rollbook.domain.events import DiceRolled


def hashed_face(key: tuple[object, ...], sides: int) -> int:
    """The face that a die shows."""
    return int.from_bytes(sha256(repr(key).encode()).digest()[:6]) % sides + 1


def rolls(entry: Entry | RecordedEntry) -> list[DiceRolled]:
    """The rolls of an entry."""
    return [event for event in entry.events if isinstance(event, DiceRolled)]


class OneDie:
    def __init__(self, source: Source, shown: int) -> None:
        self.source = source
        self.shown = shown

    def hand(self, request: Request) -> Hand:
        return Hand(request, lambda sides: (self.shown, self.source))

    def finish(self) -> None:
        """One die, and it was asked for."""


class DiceExhausted(Exception):
    def __init__(self, sides: int) -> None:
        super().__init__(sides)
        self.sides = sides


class FixedFaces:
    """A supply of these faces that asks for one more when they run out."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._faces = iter(faces)

    def hand(self, request: Request) -> Hand:
        return physical_hand(request, self.draw)

    def draw(self, sides: int) -> int:
        face = next(self._faces, None)
        if face is None:
            raise DiceExhausted(sides)
        return face

    def finish(self) -> None:
        assert next(self._faces, None) is None
