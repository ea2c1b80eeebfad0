"""One path through all that the dice may do, and the rolls that are still in the air on it.

A roll stays undecided until a rule looks. A look that could be answered in several ways is a branching: the path goes on with
one answer, and remembers the others for paths of their own. So results that no rule distinguishes are one path, not many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import product, starmap
from math import lcm
from operator import mul
from typing import Final, TypeAlias, TypeVar

from rollbook.domain.dice.record import Die
from rollbook.domain.forecast.roll_outcomes import check_rolls, roll_outcomes, rolls_behind

Choices: TypeAlias = tuple[int, ...]
"""The answers that a path takes at its branchings."""

Answer = TypeVar("Answer")
Value = TypeVar("Value")

UNLIKELY: Final = Fraction(1, 10**6)
AGAIN, MANY = 3, 40
"""Rolls of one sort, or of all sorts, after which a path less likely than ``UNLIKELY`` is given up: it has no end."""

STEPS_OF_A_ROLL: Final = 200
"""The steps of a roll and of what rules do with it, measured in results gone through."""


class PathPruned(BaseException):
    """Raised when a path is not followed any further; rules cannot catch it by accident."""


class RollBranch:
    """Rolls in the air: the ``weights`` of the results that are still possible, by number.

    Throws that a rule sets against each other fall together from then on: each is ``joined`` in another, and ``part`` says
    which of its own results a result of that one has in it.
    """

    __slots__ = ("joined", "part", "path", "weights")

    def __init__(self, path: Path, weights: Mapping[int, int]) -> None:
        self.path = path
        self.weights = weights
        self.joined: RollBranch | None = None
        self.part: dict[int, int] = {}

    def join(self, other: RollBranch, part: dict[int, int]) -> None:
        """Make this throw a part of the other from here on."""
        self.joined, self.part = other, part

    def follow(self, values: Mapping[int, Value]) -> tuple[RollBranch, Mapping[int, Value]]:
        """The throw that this one is part of by now, and values of its results in terms of that one."""
        throw = self
        while throw.joined is not None:
            values = dict(zip(throw.part, map(values.__getitem__, throw.part.values()), strict=True))
            throw = throw.joined
        return throw, values

    def decide(self, answers: Mapping[int, Answer]) -> Answer:
        """The answer that a rule sees on this path, of those that the possible results give."""
        return self.path.decide(self, answers)


def joint_branch(one: RollBranch, other: RollBranch) -> RollBranch:
    """Two independent throws as one."""
    both = RollBranch(one.path, dict(enumerate(starmap(mul, product(one.weights.values(), other.weights.values())))))
    one.path.steps += len(both.weights)
    mine, yours = zip(*product(one.weights, other.weights), strict=True)
    one.join(both, dict(enumerate(mine)))
    other.join(both, dict(enumerate(yours)))
    return both


class BranchCast:
    """One roll that a rule asked for. Its single dice are only distinguished once a rule looks at them."""

    def __init__(self, path: Path, text: str, *, natural: bool) -> None:
        self._text = text
        self._natural = natural
        self._dice: tuple[Die, ...] | None = None
        self.falls = roll_outcomes(text, natural=natural)
        self.throw = RollBranch(path, self.falls.weights)

    def dice(self) -> tuple[Die, ...]:
        """The dice themselves, as a rule sees them. Raises TooMany if they are too many to be distinguished."""
        if self._dice is not None:
            return self._dice
        throw, own = self.throw.follow({number: number for number in self.falls.weights})
        behind = rolls_behind(self._text, natural=self._natural)
        fine = [(number, dice, share) for number in throw.weights for dice, share in behind.get(own[number], ())]
        check_rolls(self._text, len(fine))
        whole = lcm(*(share.denominator for _, _, share in fine))
        finer = RollBranch(
            throw.path, {at: int(throw.weights[each[0]] * each[2] * whole) for at, each in enumerate(fine)}
        )
        throw.path.lose(Fraction(sum(finer.weights.values()), whole * sum(throw.weights.values())))
        throw.join(finer, {at: number for at, (number, _, _) in enumerate(fine)})
        self._dice = finer.decide({at: dice for at, (_, dice, _) in enumerate(fine)})
        return self._dice


class Path:
    """A path on which at each branching the answer is taken that ``choices`` says; beyond them, the likeliest.

    ``chance`` is how likely it is to come this far. ``branches`` are the other ways to go on, each with its chance. ``steps``
    counts the results that were gone through.
    """

    def __init__(self, choices: Choices = ()) -> None:
        self._choices = choices
        self._taken: list[int] = []
        self._casts = 0
        self.chance = Fraction(1)
        self.steps = 0
        self.branches: list[tuple[Fraction, Choices]] = []

    def cast(self, text: str, *, natural: bool, ordinal: int) -> BranchCast:
        """Put a roll in the air; ``ordinal`` counts the rolls of its sort. Raises TooMany, PathPruned."""
        self._casts += 1
        if self.chance < UNLIKELY and (ordinal >= AGAIN or self._casts > MANY):
            raise PathPruned
        made = BranchCast(self, text, natural=natural)
        self.lose(made.falls.followed)
        self.steps += STEPS_OF_A_ROLL
        return made

    def lose(self, followed: Fraction) -> None:
        """Follow only this share of what the dice may do from here on. Raises PathPruned if it is nothing."""
        if not followed:
            raise PathPruned
        self.chance *= followed

    def decide(self, throw: RollBranch, answers: Mapping[int, Answer]) -> Answer:
        """The answer on this path; results that give another are no longer possible on it."""
        weights = throw.weights
        self.steps += len(weights)
        alike: dict[Answer, list[int]] = defaultdict(list)
        for number in weights:
            alike[answers[number]].append(number)
        if len(alike) == 1:
            return next(iter(alike))
        groups = list(alike.items())
        shares = [sum(map(weights.__getitem__, numbers)) for _, numbers in groups]
        answer, numbers = groups[self._pick(shares)]
        throw.weights = dict(zip(numbers, map(weights.__getitem__, numbers), strict=True))
        return answer

    def _pick(self, shares: list[int]) -> int:
        whole, at = sum(shares), len(self._taken)
        if at < len(self._choices):
            picked = self._choices[at]
        else:
            picked = shares.index(max(shares))
            self.branches.extend(
                (self.chance * Fraction(share, whole), (*self._taken, other))
                for other, share in enumerate(shares)
                if other != picked
            )
        self._taken.append(picked)
        self.chance *= Fraction(shares[picked], whole)
        return picked
