"""Whole-number weights of outcomes and how two independent values make a third."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Final, TypeAlias, TypeVar

from rollbook.domain.dice.errors import DiceError

Outcome = TypeVar("Outcome", bound=Hashable)
Share = TypeVar("Share", int, Fraction)
Weights: TypeAlias = dict[Outcome, int]

MOST_STEPS: Final = 2_000_000
"""Most pairs of outcomes gone through for one step of an exact answer: a second or so."""


MOST_IN_ALL: Final = 3 * MOST_STEPS
"""Most steps of a whole answer, all handfuls, sums and comparisons in it together."""

_TOGETHER: ContextVar[list[int] | None] = ContextVar("steps of the answer that is being counted out", default=None)


@contextmanager
def one_answer() -> Iterator[None]:
    """Add up the steps of all computations inside, as one answer."""
    before = _TOGETHER.set([0])
    try:
        yield
    finally:
        _TOGETHER.reset(before)


def check_size(steps: int) -> None:
    """Raises DiceError if an exact answer would take more than ``MOST_STEPS``, or all of it more than ``MOST_IN_ALL``."""
    together = _TOGETHER.get() or [0]
    together[0] += steps
    if steps > MOST_STEPS or together[0] > MOST_IN_ALL:
        raise DiceError("This roll is too big for an exact answer. Ask for fewer dice or fewer sides.")


class Effort:
    """The steps of an answer that consists of many small ones, added up."""

    def __init__(self) -> None:
        self.steps = 0

    def spend(self, steps: int) -> None:
        """Raises DiceError once all steps together are too many."""
        self.steps += steps
        check_size(steps if self.steps <= MOST_STEPS else self.steps)


def added_up(shares: Iterable[tuple[Outcome, Share]]) -> dict[Outcome, Share]:
    """The weights, or chances, of equal outcomes together."""
    found: dict[Outcome, Share] = {}
    for outcome, share in shares:
        found[outcome] = found[outcome] + share if outcome in found else share
    return found


def renamed(weights: Weights[int], name: Callable[[int], int]) -> Weights[int]:
    """The same chances under other values; values that become the same are added up."""
    return added_up((name(value), weight) for value, weight in weights.items())


def combined(left: Weights[int], right: Weights[int], operation: Callable[[int, int], int]) -> Weights[int]:
    """The outcomes of ``operation`` on two independent values."""
    check_size(len(left) * len(right))
    pairs = product(left.items(), right.items())
    return added_up((operation(one, other), weight * further) for (one, weight), (other, further) in pairs)


def added(left: Weights[int], right: Weights[int]) -> Weights[int]:
    """The outcomes of the sum of two independent values: ``combined``, written out because it is most of the work."""
    check_size(len(left) * len(right))
    found: Weights[int] = {}
    for one, weight in left.items():
        for other, further in right.items():
            found[one + other] = found.get(one + other, 0) + weight * further
    return found


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
    listed = [(weight, outcomes) for weight, outcomes in choices if weight]
    found: Weights[Outcome] = {}
    for (weight, outcomes), scale in zip(listed, same_whole([outcomes for _, outcomes in listed]), strict=True):
        collect(found, outcomes, weight * scale)
    return found


def same_whole(several: Sequence[Weights[Outcome]]) -> list[int]:
    """The factor for each of several values that brings their weights to the same sum."""
    wholes = [sum(outcomes.values()) for outcomes in several]
    common = lcm(*wholes)
    return [common // whole for whole in wholes]
