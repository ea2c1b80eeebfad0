"""Squares of five feet, the steps over them, and the lines between them (R4.29, R4.30, R4.37)."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise

from rollbook.kit.squares import between, distance, stepped
from rollbook.plugin import Square
from rollbook.rulesets.grid.settings import CENTER, ONE_TWO_ONE, SQUARE

FEET = 5
DIRECTIONS: dict[str, Square] = {
    "n": (0, 1, 0),
    "ne": (1, 1, 0),
    "e": (1, 0, 0),
    "se": (1, -1, 0),
    "s": (0, -1, 0),
    "sw": (-1, -1, 0),
    "w": (-1, 0, 0),
    "nw": (-1, 1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}


def in_reach(one: Square, other: Square) -> bool:
    """Tell whether two squares are neighbours: melee reaches exactly one square (R4.30)."""
    return distance(one, other) == 1


def squares_in(feet: int) -> int:
    """The number of whole squares in some feet (Q4.42)."""
    return max(feet, 0) // FEET


def steps_of(start: Square, way: Iterable[Square]) -> tuple[Square, ...]:
    """The steps over the squares of a way."""
    return tuple(between(one, other) for one, other in pairwise((start, *way)))


def way_of(start: Square, steps: Iterable[Square]) -> tuple[Square, ...]:
    """The squares that steps lead to, one after the other."""
    return tuple(accumulate(steps, stepped, initial=start))[1:]


def is_slanted(step: Square) -> bool:
    """Tell whether a step is a diagonal."""
    return sum(map(abs, step)) > 1


def cost_of(steps: tuple[Square, ...], diagonal: str) -> int:
    """The cost of a path in squares of movement; diagonals may cost one and two by turns (Q4.16)."""
    slanted = sum(map(is_slanted, steps))
    return len(steps) + (slanted // 2 if diagonal == ONE_TWO_ONE else 0)


def is_flanked(enemy: Square, one: Square, other: Square, geometry: str = CENTER) -> bool:
    """Tell whether the line between two squares beside an enemy's runs over the enemy's square (R4.37, Q4.21).

    ``center`` asks for its very centre, ``square`` for any inner point of it.
    """
    if not (in_reach(enemy, one) and in_reach(enemy, other)):
        return False
    first, second = between(enemy, one), between(enemy, other)
    if geometry == SQUARE:
        return _crosses(first, second)
    return all(a == -b for a, b in zip(first, second, strict=True))


@lru_cache(maxsize=1024)
def _crosses(one: Square, other: Square) -> bool:
    """Tell whether the line between two points passes the inside of the cube of side 1 around the origin."""
    enters, leaves = Fraction(0), Fraction(1)
    for start, end in zip(one, other, strict=True):
        if start == end:
            if start != 0:
                return False
            continue
        walls = sorted(Fraction(wall - 2 * start, 2 * (end - start)) for wall in (-1, 1))
        enters, leaves = max(enters, walls[0]), min(leaves, walls[1])
    return enters < leaves
