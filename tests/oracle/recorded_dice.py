"""The dice of the oracle: those that fell, and those that were typed in again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import attrs

from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.record import PHYSICAL, RequestKey, Source
from rollbook.domain.dice.supply import Request
from rollbook.domain.events import DiceRolled, Event

Events = tuple[Event, ...]


class OutOfDice(Exception):
    """An action wants dice that were never rolled."""

    def __init__(self, action: int) -> None:
        super().__init__(f"#{action}")
        self.action = action


class RecordedDice:
    """Recorded dice: by roller, purpose and how often before, each kind of die in the order in which it fell."""

    def __init__(self, number: int, outcomes: Iterable[Events], drawn: Iterable[tuple[int, DiceRolled]]) -> None:
        self.number = number
        self.dice: dict[tuple[Any, ...], tuple[int, Source]] = {}
        self.answered: dict[tuple[Any, ...], RequestKey] = {}
        for events in outcomes:
            seen: list[tuple[str, str]] = []
            for roll in events:
                if isinstance(roll, DiceRolled):
                    key = (roll.roller, roll.purpose, seen.count((roll.roller, roll.purpose)))
                    seen.append((roll.roller, roll.purpose))
                    self.answered[key] = roll.request
                    for sides, dice in _by_sides(roll).items():
                        for place, die in enumerate(dice):
                            self.dice[(*key, sides, place)] = die
        for ordinal, roll in drawn:
            self._add(ordinal, roll)

    def _add(self, ordinal: int, roll: DiceRolled) -> None:
        for sides, dice in _by_sides(roll).items():
            key = (roll.roller, roll.purpose, ordinal, sides)
            for die in dice:
                there = [known[1] for place, known in self.dice.items() if place[:4] == key]
                if die[1] not in there:
                    self.dice[(*key, len(there))] = die

    def hand(self, request: Request) -> _RecordedRoll:
        """The dice of one roll."""
        key = (request.roller, request.purpose, request.ordinal)
        answered = self.answered.get(key, request.key)
        known = attrs.evolve(request, occasion=answered.occasion, repeat=answered.repeat)
        return _RecordedRoll(self, key, known)

    def finish(self) -> None:
        """Dice may be left over."""


class _RecordedRoll:
    def __init__(self, remembered: RecordedDice, key: tuple[Any, ...], request: Request) -> None:
        self.remembered = remembered
        self.key = key
        self.request = request
        self.given: list[tuple[int, Source]] = []

    def draw(self, sides: int) -> int:
        place = sum(1 for known, _ in self.given if known == sides)
        die = self.remembered.dice.get((*self.key, sides, place))
        if die is None:
            raise OutOfDice(self.remembered.number)
        self.given.append((sides, die[1]))
        return die[0]

    def sources(self) -> tuple[Source, ...]:
        runs = groupby(source for _, source in self.given)
        return tuple(source._replace(dice=len(list(run))) for source, run in runs)


def _by_sides(roll: DiceRolled) -> dict[int, list[tuple[int, Source]]]:
    found: dict[int, list[tuple[int, Source]]] = {}
    sources = [source._replace(dice=1) for source in roll.sources for _ in range(source.dice)]
    for die, source in zip(roll.dice, sources, strict=True):
        found.setdefault(die.sides, []).append((die.face, source))
    return found


class RetypedDice:
    """Faces that were typed in again."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.left = list(faces)

    def hand(self, request: Request) -> _RetypedRoll:
        """The dice of one roll."""
        return _RetypedRoll(self, request)

    def finish(self) -> None:
        """No die may be left over."""
        if self.left:
            raise Refused("dice are left over")


class _RetypedRoll:
    def __init__(self, typed: RetypedDice, request: Request) -> None:
        self.typed = typed
        self.request = request
        self.count = 0

    def draw(self, sides: int) -> int:
        if not self.typed.left or self.typed.left[0] > sides:
            raise Refused("no such die")
        self.count += 1
        return self.typed.left.pop(0)

    def sources(self) -> tuple[Source, ...]:
        return (Source(PHYSICAL, self.count),) if self.count else ()
