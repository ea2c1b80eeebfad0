"""Whole-number weights of outcomes and how two independent values make a third."""

from collections.abc import Callable, Hashable, Iterable
from math import lcm
from typing import Final, TypeAlias, TypeVar

from domain.dice.bounds import ARITHMETIC
from domain.dice.errors import DiceError

Outcome = TypeVar("Outcome", bound=Hashable)
Weights: TypeAlias = dict[Outcome, int]

MOST_STEPS: Final = 2_000_000
"""How many pairs of outcomes are gone through at most for one step of an exact answer: a second or so."""


def check_size(steps: int) -> None:
    """Raises DiceError if an exact answer would take more than ``MOST_STEPS``."""
    if steps > MOST_STEPS:
        raise DiceError("This roll is too big for an exact answer. Ask for fewer dice or fewer sides.")


class Effort:
    """The steps of an answer that consists of many small ones, added up."""

    def __init__(self) -> None:
        self.steps = 0

    def spend(self, steps: int) -> None:
        """Raises DiceError once all steps together are too many."""
        self.steps += steps
        check_size(self.steps)


def combined(left: Weights[int], right: Weights[int], operation: Callable[[int, int], int]) -> Weights[int]:
    """The outcomes of ``operation`` on two independent values."""
    check_size(len(left) * len(right))
    found: Weights[int] = {}
    for one, weight in left.items():
        for other, further in right.items():
            outcome = operation(one, other)
            found[outcome] = found.get(outcome, 0) + weight * further
    return found


def added(left: Weights[int], right: Weights[int]) -> Weights[int]:
    """The outcomes of the sum of two independent values: ``combined``, written out because it is most of the work."""
    check_size(len(left) * len(right))
    found: Weights[int] = {}
    for one, weight in left.items():
        for other, further in right.items():
            found[one + other] = found.get(one + other, 0) + weight * further
    return found


def product_of(first: Weights[int], rest: Iterable[tuple[str, Weights[int]]]) -> Weights[int]:
    """Multiplications and divisions from left to right."""
    for sign, factor in rest:
        first = combined(first, factor, ARITHMETIC[sign])
    return first


def repeated(one: Weights[int], times: int) -> Weights[int]:
    """The outcomes of the sum of ``times`` independent values like ``one``, by doubling."""
    total: Weights[int] = {0: 1}
    while times:
        if times & 1:
            total = added(total, one)
        times >>= 1
        if times:
            one = added(one, one)
    return total


def collect(into: Weights[Outcome], outcomes: Weights[Outcome], scale: int = 1) -> None:
    """Add ``outcomes`` to ``into``, each ``scale`` times."""
    for outcome, weight in outcomes.items():
        into[outcome] = into.get(outcome, 0) + scale * weight


def mixed(choices: Iterable[tuple[int, Weights[Outcome]]]) -> Weights[Outcome]:
    """One of several values, each chosen with its own weight, all brought to one denominator; weight 0 is left out."""
    listed = [(weight, outcomes, sum(outcomes.values())) for weight, outcomes in choices if weight]
    whole = lcm(*(size for _, _, size in listed))
    found: Weights[Outcome] = {}
    for weight, outcomes, size in listed:
        collect(found, outcomes, weight * (whole // size))
    return found
