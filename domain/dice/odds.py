"""Exact odds of a roll: its outcomes with whole-number weights, never floating point.

A value is a dict from outcome to weight; the chance of an outcome is its weight over the sum of all. Exploding dice have
no last outcome: they are followed through eight extra dice each, and the answer is marked as approximate.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import add

from rollbook.domain.dice import tree
from rollbook.domain.dice.handful_odds import handful_weights
from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.weights import Weights, added, combined, one_answer


class Distribution(Mapping[int, Fraction]):
    """The chance of each total, in ascending order; ``is_approximate`` if exploding dice were cut off."""

    def __init__(self, weights: Weights[int], is_approximate: bool = False) -> None:
        self._weights = dict(sorted(weights.items()))
        self._whole = sum(weights.values())
        self.is_approximate = is_approximate

    def __getitem__(self, total: int) -> Fraction:
        return Fraction(self._weights[total], self._whole)

    def __iter__(self) -> Iterator[int]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def at_least(self, target: int) -> Fraction:
        """The chance of a total of ``target`` or more."""
        return Fraction(sum(weight for total, weight in self._weights.items() if total >= target), self._whole)

    @cached_property
    def mean(self) -> Fraction:
        return Fraction(sum(total * weight for total, weight in self._weights.items()), self._whole)

    @cached_property
    def variance(self) -> Fraction:
        """The average square of the distance from the mean."""
        squares = Fraction(sum(total * total * weight for total, weight in self._weights.items()), self._whole)
        return squares - self.mean**2


def distribution(expression: tree.Expression | str) -> Distribution:
    """The distribution of ``expression``. Raises DiceError if it is too big for an exact answer."""
    return _distribution(expression if isinstance(expression, str) else expression.text)


def chance(expression: tree.Expression | str, target: int) -> Fraction:
    """The chance that ``expression`` comes to ``target`` or more."""
    return distribution(expression).at_least(target)


@lru_cache(maxsize=256)
def _distribution(text: str) -> Distribution:
    root = parse(text).root
    with one_answer():
        return Distribution(tree.reckoned(root, _leaf_weights, _combined), tree.explodes(root))


def _leaf_weights(node: tree.Number | tree.Dice) -> Weights[int]:
    return handful_weights(node) if isinstance(node, tree.Dice) else {node.value: 1}


def _combined(operation: tree.Operation, left: Weights[int], right: Weights[int]) -> Weights[int]:
    return added(left, right) if operation is add else combined(left, right, operation)
