"""Numbers that depend on dice in the air: rules calculate with them as usual, and nothing is decided until they look.

Arithmetic makes further undecided numbers. A comparison is a look, and sees no more than its answer; whatever needs the
number itself (an index, a key, a text) sees the number. Rules never learn that it was not an ``int``.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partialmethod
from numbers import Number
from typing import Any, Final, TypeAlias, TypeGuard

from rollbook.domain.dice.weights import Weights, added, added_up
from rollbook.domain.forecast.path import RollBranch, joint_branch

Amount: TypeAlias = Any
"""A number that rules reckon with: a plain one, or an ``Undecided``, which passes for an int and so has no type of its own."""

LARGEST_JOINT: Final = 4_000
"""Most pairs of results up to which throws that are compared are joined in one."""


def undecided(throw: RollBranch, values: Mapping[int, Amount]) -> Amount:
    """A number by its value for each result of a throw; a plain one if all results agree."""
    first, *others = set(map(values.__getitem__, throw.weights))
    return Undecided(throw, values) if others else first


class Undecided:
    """See the module. ``values`` holds at least the results that are still possible."""

    __slots__ = ("_throw", "_values")
    __class__ = property(lambda _: int)  # isinstance() says that it is an int

    def __init__(self, throw: RollBranch, values: Mapping[int, Amount]) -> None:
        self._throw = throw
        self._values = values

    def now(self) -> tuple[RollBranch, Mapping[int, Amount]]:
        """The throw that the number depends on by now, and the values by its results."""
        self._throw, self._values = self._throw.follow(self._values)
        return self._throw, self._values

    def seen(self) -> Amount:
        """The number itself, as a rule sees it on this path."""
        throw, values = self.now()
        return throw.decide(values)

    def each(self, operation: Callable[[Amount], Amount]) -> Amount:
        throw, values = self.now()
        live = throw.weights
        return undecided(throw, dict(zip(live, map(operation, map(values.__getitem__, live)), strict=True)))

    def with_another(self, other: Undecided, operation: Callable[[Amount, Amount], Amount]) -> Amount:
        """The result of two numbers. Where both have very many results, the smaller one is looked at."""
        (mine, _), (yours, _) = self.now(), other.now()
        if mine is not yours:
            if len(mine.weights) * len(yours.weights) > LARGEST_JOINT:
                return self._one_seen(other, operation)
            joint_branch(mine, yours)
        throw, left = self.now()
        _, right = other.now()
        live = throw.weights
        both = map(operation, map(left.__getitem__, live), map(right.__getitem__, live))
        return undecided(throw, dict(zip(live, both, strict=True)))

    def _one_seen(self, other: Undecided, operation: Callable[[Amount, Amount], Amount]) -> Amount:
        if len(self._throw.weights) < len(other._throw.weights):
            value = self.seen()
            return other.each(lambda theirs: operation(value, theirs))
        value = other.seen()
        return self.each(lambda mine: operation(mine, value))

    def __hash__(self) -> int:
        return hash(self.seen())

    def __bool__(self) -> bool:
        throw, values = self.now()
        return throw.decide({number: bool(values[number]) for number in throw.weights})


def is_undecided(value: object) -> TypeGuard[Undecided]:
    """True if a value is such a number; its class does not say."""
    return type(value) is Undecided


def _reckoned(operation: Callable[[Amount, Amount], Amount]) -> Callable[[Undecided, Amount], Amount]:
    def method(self: Undecided, other: Amount) -> Amount:
        if is_undecided(other):
            return self.with_another(other, operation)
        if isinstance(other, Number):
            return self.each(lambda mine: operation(mine, other))
        return NotImplemented

    return method


def _reflected(operation: Callable[[Amount, Amount], Amount]) -> Callable[[Undecided, Amount], Amount]:
    return _reckoned(lambda mine, other: operation(other, mine))


def _compared(operation: Callable[[Amount, Amount], Amount]) -> Callable[[Undecided, Amount], Amount]:
    reckon = _reckoned(operation)

    def method(self: Undecided, other: Amount) -> Amount:
        answer = reckon(self, other)
        return answer.seen() if is_undecided(answer) else answer

    return method


def _shown(operation: Callable[..., Amount]) -> Callable[..., Amount]:
    return lambda self, *more: operation(self.seen(), *more)


_RECKONING = ("add", "sub", "mul", "floordiv", "mod", "truediv", "pow", "and_", "or_", "xor", "lshift", "rshift")
_COMPARING = ("eq", "ne", "lt", "le", "gt", "ge")
_CHANGING = ("neg", "pos", "abs", "invert")
_SHOWING: dict[str, Callable[..., Amount]] = {
    "index": operator.index,
    "int": int,
    "float": float,
    "str": str,
    "repr": repr,
    "format": format,
    "round": round,
    "trunc": math.trunc,
    "floor": math.floor,
    "ceil": math.ceil,
    "divmod": divmod,
    "rdivmod": lambda mine, other: divmod(other, mine),
    "getattr": getattr,
}

for _name in _RECKONING:
    _operation = getattr(operator, _name)
    setattr(Undecided, f"__{_name.strip('_')}__", _reckoned(_operation))
    setattr(Undecided, f"__r{_name.strip('_')}__", _reflected(_operation))
for _name in _COMPARING:
    setattr(Undecided, f"__{_name}__", _compared(getattr(operator, _name)))
for _name in _CHANGING:
    setattr(Undecided, f"__{_name}__", partialmethod(Undecided.each, getattr(operator, _name)))
for _name, _show in _SHOWING.items():
    setattr(Undecided, f"__{_name}__", _shown(_show))


def spread(numbers: Iterable[int]) -> dict[int, Fraction]:
    """The distribution of a sum of plain and undecided numbers over what is still possible, without a look."""
    plain = 0
    by_throw: dict[RollBranch, dict[int, int]] = {}
    for number in numbers:
        if is_undecided(number):
            throw, values = number.now()
            sums = by_throw.setdefault(throw, dict.fromkeys(throw.weights, 0))
            for result in sums:
                sums[result] += values[result]
        else:
            plain += number
    weights: Weights[int] = {plain: 1}
    for throw, sums in by_throw.items():
        weights = added(weights, added_up((value, throw.weights[result]) for result, value in sums.items()))
    whole = sum(weights.values())
    return {value: Fraction(weight, whole) for value, weight in weights.items()}
