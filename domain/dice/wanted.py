"""Dice that an action still needs: their rollers and purposes, as far as those are known before they fall.

The action is played on with imagined dice: low ones, high ones, and all different, so that no two characters are level
in each of them. Dice that all three ask for are needed in any case.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby, takewhile
from typing import NamedTuple, TypeVar

import attrs

from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.dice.physical import FacesLeft
from rollbook.domain.dice.steps import DiceStep, is_effect, is_test, tied
from rollbook.domain.dice.supply import Hand, Request, physical_hand

MOST = 200
"""Most dice that are imagined for one action."""
NAMED = 6
"""Most rolls that are named; the rest are counted."""

T = TypeVar("T")

TIE = ", to break a tie"

_NUMBERED = re.compile(r"(?P<what>.*\S) (?P<number>[0-9]+)")


class Die(NamedTuple):
    """One die that is asked for."""

    roller: str
    purpose: str
    sides: int


class Luck(enum.Enum):
    """A way in which imagined dice fall.

    They are low or high with no two in a row alike, or all different as long as there are faces, or each at its best or worst.
    """

    LOW, HIGH, DIFFERENT, HIGHEST, LOWEST = range(5)

    def face(self, number: int, sides: int) -> int:
        """The face of the die of this number, from 1."""
        if self is Luck.DIFFERENT:
            return 1 + number * 7 % sides
        if self in (Luck.HIGHEST, Luck.LOWEST):
            return sides if self is Luck.HIGHEST else 1
        step = number * 7 % max(sides // 4, 2)
        return max(sides - step, 1) if self is Luck.HIGH else min(1 + step, sides)


PLAYED_ON = (Luck.LOW, Luck.HIGH, Luck.DIFFERENT)
"""The dice with which an action is played on, to see what it asks for."""


class ImaginedDice:
    """The faces that were typed, and then as many more as are asked for."""

    def __init__(self, faces: Sequence[int], luck: Luck = Luck.LOW, steps: Sequence[DiceStep] = ()) -> None:
        """``steps`` say which rolls break a tie."""
        self.asked: list[Die] = []
        self._steps = steps
        self._faces = list(faces)
        self._luck = luck

    def hand(self, request: Request) -> Hand:
        return physical_hand(request, partial(self.draw, request))

    def finish(self) -> None:
        """Imagined dice never run out and are never left over."""

    def draw(self, request: Request, sides: int) -> int:
        """The next face. Raises Refused after too many."""
        if self._faces:
            return min(self._faces.pop(0), sides)
        if len(self.asked) == MOST:
            raise Refused("That goes on for too long.")
        level = tied(self._steps, request.purpose, again=request.ordinal > 0)
        self.asked.append(Die(request.roller, f"{level}{TIE}" if level else request.purpose, sides))
        return self._luck.face(len(self.asked), sides)


@attrs.frozen
class WantedDice(Record):
    """The dice that are asked for in any case, in their order, and whether others may follow."""

    dice: tuple[Die, ...]
    may_go_on: bool

    def text(self, names: Mapping[str, str]) -> str:
        """The rolls, as people roll them: ``6 × 3d6 for Sam's ability 1 to 6``."""
        rolls = list(_rolls(self.dice, names))
        more = len(rolls) - NAMED
        return ", ".join(rolls[:NAMED]) + (f" and {counted(more, 'more roll')}" if more > 0 else "")

    def missing(self, typed: int, names: Mapping[str, str]) -> str:
        """The refusal for ``typed`` dice, when more are needed."""
        were = "1 die was typed" if typed == 1 else f"{typed or 'no'} dice were typed"
        first, rest = self.dice[0], WantedDice(self.dice[1:], self.may_go_on)
        after = f"; {len(rest.dice)} more after it: {rest.text(names)}" if rest.dice else ""
        on = "; others may follow, by how they fall" if self.may_go_on else ""
        tie = "There is a tie. " if first.purpose.endswith(TIE) else ""
        return (
            f"{tie}{were[0].upper()}{were[1:]}, and next comes a d{first.sides} for "
            f"{_whose(first.roller, first.purpose, names)}{after}{on}. Roll and type all faces in this order."
        )


def wanted(
    play: Callable[[ImaginedDice], object], faces: Sequence[int] = (), steps: Sequence[DiceStep] = ()
) -> WantedDice:
    """The dice that an action asks for after these faces; ``play`` plays it with dice that nobody rolled.

    ``steps`` are the order of its dice, which says what breaks a tie.
    """
    plays = [_asked(play, faces, luck, steps) for luck in PLAYED_ON]
    sure = tuple(asked[0] for asked in takewhile(lambda asked: len(set(asked)) == 1, zip(*plays, strict=False)))
    return WantedDice(sure, may_go_on=any(len(asked) > len(sure) for asked in plays))


def taken_typed(
    play: Callable[[Sequence[int]], T],
    imagine: Callable[[ImaginedDice], object],
    faces: Sequence[int],
    steps: Sequence[DiceStep],
) -> tuple[T, tuple[int, ...]]:
    """The result of playing with typed faces, and the faces that are not used.

    These are for what the action would have done if its test had succeeded: people roll the damage with the d20. Any other face
    that is left over is refused with FacesLeft.
    """
    try:
        return play(faces), ()
    except FacesLeft as fault:
        used, left = faces[: fault.used], tuple(faces[fault.used :])
        effects = _effects(imagine, len(used), steps)
        if len(left) > len(effects) or any(face > die.sides for face, die in zip(left, effects, strict=False)):
            raise
    return play(used), left


def _effects(imagine: Callable[[ImaginedDice], object], tests: int, steps: Sequence[DiceStep]) -> tuple[Die, ...]:
    """The effect dice that an action would ask for if its ``tests`` dice fell otherwise; none if it never does."""
    for luck in Luck:
        asked = _asked(imagine, (), luck)
        effects = tuple(takewhile(lambda die: is_effect(steps, die.purpose), asked[tests:]))
        if tests and effects and all(is_test(steps, die.purpose) for die in asked[:tests]):
            return effects
    return ()


def _asked(
    play: Callable[[ImaginedDice], object], faces: Sequence[int], luck: Luck, steps: Sequence[DiceStep] = ()
) -> list[Die]:
    dice = ImaginedDice(faces, luck, steps)
    with suppress(RollbookError):
        play(dice)
    return dice.asked


def _rolls(dice: Sequence[Die], names: Mapping[str, str]) -> Iterator[str]:
    """Dice of one roll together, and rolls that are numbered together."""
    single = [(f"{len(list(same))}d{die.sides}", die.roller, die.purpose) for die, same in groupby(dice)]
    for (notation, roller, what), same in groupby(single, key=lambda roll: (*roll[:2], _numbered(roll[2])[0])):
        purposes = [purpose for _, _, purpose in same]
        if len(purposes) == 1:
            yield f"{notation} for {_whose(roller, purposes[0], names)}"
        else:
            first, last = (_numbered(purposes[at])[1] for at in (0, -1))
            yield f"{len(purposes)} × {notation} for {_whose(roller, what, names)}{f' {first} to {last}' if first else ''}"


def _numbered(purpose: str) -> tuple[str, str]:
    """A purpose without the number at its end, and that number, "" for none."""
    found = _NUMBERED.fullmatch(purpose)
    return (found["what"], found["number"]) if found else (purpose, "")


def _whose(roller: str, purpose: str, names: Mapping[str, str]) -> str:
    name = names.get(roller, roller)
    return f"{name}’s {purpose}" if name else purpose
