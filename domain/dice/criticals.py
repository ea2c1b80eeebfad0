"""What critical hits do to the dice of a roll, as another expression that is recorded beside the first.

From ``1d8+3``: ``maximise`` makes 8 + 3, ``double_dice`` 2d8 + 3, ``twice`` (1d8 + 3) + (1d8 + 3), ``multiply`` by two
2*(1d8 + 3). The results are read like typed rolls, so the same limits hold and DiceError is raised beyond them.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from domain.dice.evaluation import evaluate
from domain.dice.notation import parse
from domain.dice.tree import KEEPS, Dice, Expression, Group, Modifier, Negative, Node, Number, Pick, Product, Sum, show


def maximise(expression: Expression) -> Expression:
    """Every die on its highest face; nothing is rerolled and nothing explodes."""
    return _read(_with_dice(expression.root, _highest))


def double_dice(expression: Expression) -> Expression:
    """Twice as many dice in every handful, and twice as many kept or dropped."""
    return _read(_with_dice(expression.root, _doubled))


def twice(expression: Expression) -> Expression:
    """The whole roll a second time, flat numbers too."""
    return _read(Sum((expression.root, expression.root)))


def multiply(expression: Expression, factor: int) -> Expression:
    """One roll whose total counts ``factor`` times; ``factor`` is 0 or more."""
    return _read(Product(Number(factor), (("*", expression.root),)))


def _read(root: Node) -> Expression:
    return parse(show(root))


def _with_dice(node: Node, change: Callable[[Dice], Node]) -> Node:
    """``node`` with each handful changed, everything around it as it was."""
    match node:
        case Dice():
            return change(node)
        case Negative(inner=inner) | Group(inner=inner):
            return attrs.evolve(node, inner=_with_dice(inner, change))
        case Sum(parts=inner):
            return Sum(tuple(_with_dice(part, change) for part in inner))
        case Pick(values=inner):
            return attrs.evolve(node, values=tuple(_with_dice(value, change) for value in inner))
        case Product(first=first, rest=rest):
            factors = tuple((sign, _with_dice(factor, change)) for sign, factor in rest)
            return Product(_with_dice(first, change), factors)
    return node


def _highest(dice: Dice) -> Number:
    settled = tuple(each for each in dice.modifiers if each.kind not in {"ro", "rr", "x"})
    bare = Dice(dice.count, dice.sides, settled)
    return Number(evaluate(parse(show(bare)), lambda sides: sides).total, dice.label)


def _doubled(dice: Dice) -> Dice:
    modifiers = tuple(Modifier(each.kind, 2 * each.number) if each.kind in KEEPS else each for each in dice.modifiers)
    return Dice(2 * dice.count, dice.sides, modifiers, dice.label)
