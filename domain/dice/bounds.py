"""Between which values a roll can come out, so that nothing can go wrong once the dice have fallen.

A total that could not be stored, or a division by something that can be 0, is refused before a die is drawn.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Final

from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.tree import DOWN, KEEPS, Dice, Group, Negative, Node, Number, Pick, Product, Sum

MOST_DICE: Final = 1000
"""How many dice one roll may draw, rerolls and explosions included."""

LARGEST: Final = 2**53 - 1
"""The largest total: beyond it other programs that read the record would round."""

ARITHMETIC: Final[Mapping[str, Callable[[int, int], int]]] = {
    "*": operator.mul,
    "//": operator.floordiv,
    "/^": lambda value, by: -(-value // by),
}
"""What the signs of a product do: ``//`` rounds down, ``/^`` up."""


def bounds(node: Node) -> tuple[int, int]:
    """The lowest and highest value ``node`` can have; the range may be wider than what the dice really reach.

    Raises DiceError if a divisor may be 0 or a value may be larger than ``LARGEST``.
    """
    low, high = _range(node)
    if low < -LARGEST or high > LARGEST:
        raise DiceError(f"This roll could come to more than {LARGEST}, too large to be recorded. Use smaller numbers.")
    return low, high


def _range(node: Node) -> tuple[int, int]:
    match node:
        case Number(value=value):
            return value, value
        case Dice():
            return _dice_range(node)
        case Negative(inner=inner):
            low, high = bounds(inner)
            return -high, -low
        case Group(inner=inner):
            return bounds(inner)
        case Product():
            return _product_range(node)
        case Sum(parts=inner):
            lows, highs = zip(*map(bounds, inner), strict=True)
            return sum(lows), sum(highs)
        case Pick(which=which, values=values):
            choose = max if which == "max" else min
            lows, highs = zip(*map(bounds, values), strict=True)
            return choose(lows), choose(highs)


def _product_range(product: Product) -> tuple[int, int]:
    low, high = bounds(product.first)
    for sign, factor in product.rest:
        by = bounds(factor)
        if sign != "*" and by[0] <= 0 <= by[1]:
            raise DiceError("This divides by something that can be 0. Write max(1, …) around the divisor.")
        corners = [ARITHMETIC[sign](value, other) for value in (low, high) for other in by]
        low, high = min(corners), max(corners)
        if max(-low, high) > LARGEST:
            break
    return low, high


def _dice_range(dice: Dice) -> tuple[int, int]:
    fewest = most = dice.count
    lowest, counted = 1, dice.sides
    for modifier in dice.modifiers:
        if modifier.kind in KEEPS:
            fewest, most = (stop - start for start, stop in map(modifier.window, (fewest, most)))
        elif modifier.kind == "x" and most:
            most = MOST_DICE
        elif modifier.kind == "cs":
            lowest, counted = 0, 1
        elif modifier.kind == DOWN:
            return -most * counted, most * counted
    return fewest * lowest, most * counted
