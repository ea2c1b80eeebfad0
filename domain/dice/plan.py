"""What is known of an expression before it is rolled: its flat numbers, and the dice that are certain to be drawn."""

from functools import lru_cache

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.bounds import bounds
from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.record import Flat
from rollbook.domain.dice.tree import Dice, Group, Negative, Node, Product, Sum, handfuls, parts


@attrs.frozen(kw_only=True)
class DicePlan(Record):
    """``draws`` holds sides and term of each certain die, ``constant`` is the sum of the ``flat`` numbers.

    ``is_plain`` says that there are only unmodified dice and flat numbers, all of them added up.
    """

    flat: tuple[Flat, ...]
    constant: int
    draws: tuple[tuple[int, int], ...]
    is_plain: bool


@lru_cache(maxsize=1024)
def plan_for(text: str) -> DicePlan:
    """The plan for the canonical ``text``, made when it is first rolled."""
    root = parse(text).root
    flat = tuple(_flat(root, 1, ""))
    return DicePlan(
        flat=flat,
        constant=sum(each.amount for each in flat),
        draws=tuple((dice.sides, term) for term, dice in enumerate(handfuls(root)) for _ in range(dice.count)),
        is_plain=all(map(_is_plain, root.parts if isinstance(root, Sum) else (root,))),
    )


def _is_plain(summand: Node) -> bool:
    return not summand.modifiers if isinstance(summand, Dice) else _is_flat(summand)


def _is_flat(node: Node) -> bool:
    return next(handfuls(node), None) is None


def _flat(node: Node, sign: int, label: str) -> list[Flat]:
    """The flat summands in ``node``; a label around several holds for each that has none of its own."""
    match node:
        case Sum(parts=inner):
            return [flat for part in inner for flat in _flat(part, sign, label)]
        case Negative(inner=inner):
            return _flat(inner, -sign, label)
        case Group(inner=inner, label=own):
            return _flat(inner, sign, own)
    if not _is_flat(node):
        return []
    value, _ = bounds(node)
    return [Flat(sign * value, " ".join(_labels(node)) or label)]


def _labels(node: Node) -> list[str]:
    own = "" if isinstance(node, Negative | Product | Sum) else node.label
    return [own] * bool(own) + [label for part in parts(node) for label in _labels(part)]
