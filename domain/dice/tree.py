"""An expression once it is read: sums, products, handfuls of dice, the one way in which each is written, and its bounds.

The canonical text says everything out loud (``d20`` is ``1d20``, ``kh`` is ``kh1``, a label is in brackets). Reading
it again gives the same tree, so the text alone can be kept. A total that could not be stored, or a division by something that
can be 0, is refused before a die is drawn.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias, TypeVar

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.errors import DiceError


@attrs.frozen
class Number(Record):
    """A plain number, zero or more, with an optional label."""

    value: int
    label: str = ""


@attrs.frozen
class Modifier(Record):
    """Something done to a handful of dice: ``kind`` with a ``number`` and, where dice are compared, the ``comparison``.

    ``kh kl dh dl`` keep or drop the highest or lowest; ``ro`` rerolls once, ``rr`` until it stops; ``x`` explodes; ``xd`` goes
    down: the die subtracts the next one, which goes on as ``x`` says; ``mi ma`` are minimum and maximum; ``cs`` counts successes.
    """

    kind: str
    number: int
    comparison: str = ""

    def matches(self, value: int) -> bool:
        """True if a die that counts ``value`` is one this modifier speaks of."""
        if self.comparison == ">=":
            return value >= self.number
        if self.comparison == "<=":
            return value <= self.number
        return value == self.number

    def faces(self, sides: int) -> range:
        """The faces of a die of so many sides of which it speaks."""
        low = 1 if self.comparison == "<=" else self.number
        return range(max(low, 1), (sides if self.comparison == ">=" else min(self.number, sides)) + 1)

    def clamp(self, value: int) -> int:
        """``value`` after a minimum (``mi``) or maximum (``ma``)."""
        return max(value, self.number) if self.kind == "mi" else min(value, self.number)

    def window(self, count: int) -> tuple[int, int]:
        """The places of ``count`` dice, sorted upwards, that a keep or drop leaves: first, and one past the last."""
        few = min(self.number, count)
        return {"kh": (count - few, count), "kl": (0, few), "dh": (0, count - few), "dl": (few, count)}[self.kind]


@attrs.frozen
class Dice(Record):
    """A handful: ``count`` dice of ``sides`` sides, and what is done to them from left to right."""

    count: int
    sides: int
    modifiers: tuple[Modifier, ...] = ()
    label: str = ""

    @property
    def explosions(self) -> tuple[Modifier, ...]:
        """The explosions, by which further dice fall."""
        return tuple(each for each in self.modifiers if each.kind == "x")


@attrs.frozen
class Pick(Record):
    """The highest (``max``) or lowest (``min``) of several values. All their dice are rolled."""

    which: str
    values: tuple[Node, ...]
    label: str = ""


@attrs.frozen
class Group(Record):
    """Something in parentheses that carries a label."""

    inner: Node
    label: str


@attrs.frozen
class Negative(Record):
    """The value with its sign turned round; never of another ``Negative``."""

    inner: Node


@attrs.frozen
class Product(Record):
    """Multiplications (``*``) and divisions, rounded down (``//``) or up (``/^``), from left to right."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


@attrs.frozen
class Sum(Record):
    """Values added together; a subtracted one is ``Negative``."""

    parts: tuple[Node, ...]


Node: TypeAlias = Number | Dice | Pick | Group | Negative | Product | Sum

DOWN = "xd"
"""The modifier with which low dice subtract the next one."""

KEEPS = frozenset({"kh", "kl", "dh", "dl"})


@attrs.frozen
class Expression(Record):
    """A roll that has been read: its ``root`` and its canonical ``text``."""

    root: Node
    text: str = attrs.field(eq=False)

    def __str__(self) -> str:
        return self.text


def negate(node: Node) -> Node:
    """``node`` with the other sign."""
    return node.inner if isinstance(node, Negative) else Negative(node)


def parts(node: Node) -> tuple[Node, ...]:
    """The parts of ``node``, from left to right."""
    match node:
        case Sum(parts=inner) | Pick(values=inner):
            return inner
        case Product(first=first, rest=rest):
            return first, *(factor for _, factor in rest)
        case Negative(inner=inner) | Group(inner=inner):
            return (inner,)
        case _:
            return ()


def explodes(node: Node) -> bool:
    """True if dice in ``node`` explode, so that it has no last outcome."""
    return any(modifier.kind == "x" for dice in handfuls(node) for modifier in dice.modifiers)


def handfuls(node: Node) -> Iterator[Dice]:
    """The dice terms of ``node`` from left to right: the order in which they are rolled."""
    if isinstance(node, Dice):
        yield node
    for part in parts(node):
        yield from handfuls(part)


def show(tree: Node | Expression) -> str:
    """``tree`` in canonical notation."""
    match tree:
        case Expression(text=text):
            return text
        case Number(value=value, label=label):
            return f"{value}{_bracketed(label)}"
        case Dice(count=count, sides=sides, modifiers=modifiers, label=label):
            modified = "".join(f"{each.kind}{each.comparison}{each.number}" for each in modifiers)
            return f"{count}d{sides}{modified}{_bracketed(label)}"
        case Pick(which=which, values=values, label=label):
            return f"{which}({', '.join(map(show, values))}){_bracketed(label)}"
        case Group(inner=inner, label=label):
            return f"({show(inner)}){_bracketed(label)}"
        case Negative(inner=inner):
            return f"-{_closed(inner, Sum, Product)}"
        case Product(first=first, rest=rest):
            factors = [f"{sign}{_closed(factor, Sum, Product)}" for sign, factor in rest]
            return _closed(first, Sum, Product) + "".join(factors)
        case Sum(parts=summands):
            first, *others = summands
            return _closed(first, Sum) + "".join(
                f" - {_closed(part.inner, Sum)}" if isinstance(part, Negative) else f" + {_closed(part, Sum)}"
                for part in others
            )


def _closed(node: Node, *looser: type[Node]) -> str:
    """``node``, in parentheses if it is of a kind that binds more loosely than what stands around it."""
    return f"({show(node)})" if isinstance(node, looser) else show(node)


def _bracketed(label: str) -> str:
    return f"[{label}]" if label else ""


Value = TypeVar("Value")
Range: TypeAlias = tuple[int, int]
Operation: TypeAlias = Callable[[int, int], int]

MOST_DICE: Final = 1000
"""Most dice that one roll may draw, rerolls and explosions included."""

LARGEST: Final = 2**53 - 1
"""The largest total: beyond it other programs that read the record would round."""

ARITHMETIC: Final[Mapping[str, Operation]] = {
    "*": operator.mul,
    "//": operator.floordiv,
    "/^": lambda value, by: -(-value // by),
    "max": max,
    "min": min,
}
"""The operations of products and picks: ``//`` rounds down, ``/^`` up."""

_NOTHING: Final = Number(0)


def reckoned(
    node: Node, leaf: Callable[[Number | Dice], Value], combine: Callable[[Operation, Value, Value], Value]
) -> Value:
    """The value of ``node`` out of those of its numbers and dice, from left to right; ``combine`` makes one of two."""
    if isinstance(node, (Number, Dice)):
        return leaf(node)
    if isinstance(node, Group):
        return reckoned(node.inner, leaf, combine)
    if isinstance(node, Negative):
        return combine(operator.sub, leaf(_NOTHING), reckoned(node.inner, leaf, combine))
    if isinstance(node, Product):
        found = reckoned(node.first, leaf, combine)
        for sign, factor in node.rest:
            found = combine(ARITHMETIC[sign], found, reckoned(factor, leaf, combine))
        return found
    first, *others = node.parts if isinstance(node, Sum) else node.values
    operation = operator.add if isinstance(node, Sum) else ARITHMETIC[node.which]
    found = reckoned(first, leaf, combine)
    for part in others:
        found = combine(operation, found, reckoned(part, leaf, combine))
    return found


def value(node: Node, handful: Callable[[Dice], int]) -> int:
    """The value of ``node``; ``handful`` is asked what each dice term adds, from left to right."""
    return reckoned(
        node,
        lambda leaf: handful(leaf) if isinstance(leaf, Dice) else leaf.value,
        lambda operation, one, other: operation(one, other),
    )


def bounds(node: Node) -> Range:
    """The lowest and highest value ``node`` can have; the range may be wider than what the dice really reach.

    Raises DiceError if a divisor may be 0 or a value may be larger than ``LARGEST``.
    """
    return _in_bounds(reckoned(node, _range, _corners))


def _in_bounds(found: Range, operation: Operation | None = None) -> Range:
    if operation is not operator.add and (
        found[0] < -LARGEST or found[1] > LARGEST
    ):  # a sum may come back before its end
        raise DiceError(f"This roll could come to more than {LARGEST}, too large to be recorded. Use smaller numbers.")
    return found


def _corners(operation: Operation, one: Range, by: Range) -> Range:
    if operation in (ARITHMETIC["//"], ARITHMETIC["/^"]) and by[0] <= 0 <= by[1]:
        raise DiceError("This divides by something that can be 0. Write max(1, …) around the divisor.")
    corners = [operation(value, other) for value in _in_bounds(one, operation) for other in _in_bounds(by)]
    return _in_bounds((min(corners), max(corners)), operation)


def _range(dice: Number | Dice) -> Range:
    if isinstance(dice, Number):
        return dice.value, dice.value
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
