"""Outcomes of one roll, distinguished only as far as a rule looks: by total and, where it counts, natural face.

Chances are exact. Dice that explode, and rerolls whose natural face counts, have no last outcome: a chain that is less
likely than ``NEGLIGIBLE`` is not followed, and what is left out is known, because all chances together fall short of 1 by it.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm, prod
from typing import Final, TypeAlias

import attrs

from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.evaluation import Draw, evaluate, sides_needed
from rollbook.domain.dice.notation import parse
from rollbook.domain.dice.odds import distribution
from rollbook.domain.dice.record import Die, Roll
from rollbook.domain.dice.tree import KEEPS, Dice, Expression, Node, Sum, bounds, explodes, handfuls, show
from rollbook.domain.dice.weights import added_up

NEGLIGIBLE: Final = Fraction(1, 10**9)
"""Chains of dice that are less likely than this are not followed."""

MOST_ROLLS: Final = 20_000
"""Most die-by-die outcomes of one roll that are gone through, and most totals it may have."""

Result: TypeAlias = tuple[int, int]
"""A total, and the natural face (0 where no rule looks at it)."""

Chances: TypeAlias = dict[Result, Fraction]


class TooMany(Refused):
    """More can happen than can be counted out."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}, so that not every way can be counted out. Ask for the odds of a smaller action: fewer targets, or "
            f"fewer dice."
        )


@attrs.frozen(eq=False)
class RollOutcomes:
    """The results of a roll by number: total, natural face and weight of each. ``followed`` is the chance of them all."""

    totals: Mapping[int, int]
    naturals: Mapping[int, int]
    weights: Mapping[int, int]
    followed: Fraction


@lru_cache(maxsize=1024)
def roll_outcomes(text: str, *, natural: bool) -> RollOutcomes:
    """The outcomes of the expression ``text``. Raises TooMany."""
    chances = _chances(parse(text).root, natural=natural)
    check_rolls(text, len(chances))
    whole = lcm(*(chance.denominator for chance in chances.values()))
    return RollOutcomes(
        totals={number: total for number, (total, _) in enumerate(chances)},
        naturals={number: face for number, (_, face) in enumerate(chances)},
        weights={number: int(chance * whole) for number, chance in enumerate(chances.values())},
        followed=sum(chances.values(), Fraction(0)),
    )


@lru_cache(maxsize=16)
def rolls_behind(text: str, *, natural: bool) -> Mapping[int, list[tuple[tuple[Die, ...], Fraction]]]:
    """The single rolls that give a result of ``roll_outcomes``, by its number, and the share of each. Raises TooMany."""
    known = roll_outcomes(text, natural=natural)
    numbers = {(known.totals[number], known.naturals[number]): number for number in known.weights}
    whole = sum(known.weights.values()) / known.followed
    found: dict[int, list[tuple[tuple[Die, ...], Fraction]]] = {}
    for roll, chance in every_roll(text):
        number = numbers[roll.total, roll.natural if natural else 0]
        found.setdefault(number, []).append((roll.dice, chance * whole / known.weights[number]))
    return found


@lru_cache(maxsize=16)
def every_roll(text: str) -> tuple[tuple[Roll, Fraction], ...]:
    """Every single roll of the expression, die by die, with its chance. Raises TooMany."""
    found: list[tuple[Roll, Fraction]] = []
    expression = parse(text)
    check_rolls(text, prod(sides_needed(expression)))
    waiting: list[tuple[tuple[int, ...], int]] = [((), 1)]
    seen = 0
    while waiting:
        seen += 1
        check_rolls(text, seen // 3)
        faces, ways = waiting.pop()
        try:
            found.append((evaluate(expression, _known(faces)), Fraction(1, ways)))
        except _OneMoreDie as more:
            (sides,) = more.args
            ways *= sides
            if Fraction(1, ways) >= NEGLIGIBLE:
                waiting.extend(((*faces, face), ways) for face in range(1, sides + 1))
    return tuple(found)


class _OneMoreDie(Exception):
    """The roll needs a die of so many sides beyond the faces that are known so far."""


def _known(faces: Iterable[int]) -> Draw:
    left = iter(faces)

    def draw(sides: int) -> int:
        for face in left:
            return face
        raise _OneMoreDie(sides)

    return draw


def _chances(node: Node, *, natural: bool) -> Chances:
    """The chances of a node; sums are put together out of parts, so that little is gone through die by die."""
    if not natural and not explodes(node):
        return _totals(node)
    if isinstance(node, Sum):
        return _sum(node, natural=natural)
    if isinstance(node, Dice) and node.count > 1 and not node.modifiers:
        others = attrs.evolve(node, count=node.count - 1)
        return _added([_die_by_die(attrs.evolve(node, count=1), natural=True), _totals(others)])
    if isinstance(node, Dice) and not natural and not any(each.kind in KEEPS for each in node.modifiers):
        one = _die_by_die(attrs.evolve(node, count=1), natural=False)
        return _added([one] * node.count)
    return _die_by_die(node, natural=natural)


def _sum(node: Sum, *, natural: bool) -> Chances:
    """The chances of a sum, with the natural face of its first dice; other parts that do not explode count as one."""
    first = next((part for part in node.parts if next(handfuls(part), None)), None) if natural else None
    alone = [part for part in node.parts if part is first or explodes(part)]
    rest = tuple(part for part in node.parts if not any(part is other for other in alone))
    found = [_chances(part, natural=part is first) for part in alone]
    if rest:
        found.append(_totals(rest[0] if len(rest) == 1 else Sum(rest)))
    return _added(found)


def _totals(node: Node) -> Chances:
    text = show(node)
    low, high = bounds(node)
    check_rolls(text, high - low)
    try:
        return {(total, 0): chance for total, chance in distribution(Expression(node, text)).items()}
    except DiceError as error:
        raise _too_many(text) from error


def _die_by_die(node: Node, *, natural: bool) -> Chances:
    rolls = every_roll(show(node))
    return dict(
        sorted(added_up(((roll.total, roll.natural if natural else 0), chance) for roll, chance in rolls).items())
    )


def _added(parts: Iterable[Chances]) -> Chances:
    """The sum of independent parts, of which one at most has a natural face."""
    sums: Chances = {(0, 0): Fraction(1)}
    for part in parts:
        if len(sums) * len(part) > 10 * MOST_ROLLS:
            raise TooMany("This roll has too many outcomes")
        sums = added_up(
            ((total + more, face or other), chance * further)
            for ((total, face), chance), ((more, other), further) in product(sums.items(), part.items())
        )
    return sums


def check_rolls(text: str, many: int) -> None:
    """Raise TooMany if a roll has more outcomes than are gone through."""
    if many > MOST_ROLLS:
        raise _too_many(text)


def _too_many(text: str) -> TooMany:
    return TooMany(f"The roll {text} can fall in too many ways")
