"""Squares of five feet, east, north and up, how they are typed, and the lines between them (R4.29, R4.30, R4.37)."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from rollbook.plugin import Table
from rollbook.rulesets.grid.settings import CENTER, ONE_TWO_ONE, SQUARE

Square: TypeAlias = tuple[int, int, int]
"""East, north and up of the origin of the map."""

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


def stepped(start: Square, step: Square) -> Square:
    """The square that a step leads to."""
    return start[0] + step[0], start[1] + step[1], start[2] + step[2]


def between(start: Square, end: Square) -> Square:
    """The distance from one square to another along each axis."""
    return end[0] - start[0], end[1] - start[1], end[2] - start[2]


def distance(one: Square, other: Square) -> int:
    """The distance of two squares, in squares; a diagonal counts as one (Q4.16)."""
    return max(map(abs, between(one, other)))


def in_reach(one: Square, other: Square) -> bool:
    """Tell whether two squares are neighbours: melee reaches exactly one square (R4.30)."""
    return distance(one, other) == 1


def neighbours(square: Square) -> tuple[Square, ...]:
    """The eight squares around one on the same level."""
    return tuple(stepped(square, step) for step in DIRECTIONS.values() if not step[2])


def squares_in(feet: int) -> int:
    """The number of whole squares in some feet (Q4.42)."""
    return max(feet, 0) // FEET


def straight(start: Square, end: Square) -> Iterator[Square]:
    """Yield the steps from one square to another, diagonally for as long as both axes differ."""
    at = start
    while at != end:
        east, north, up = ((each > 0) - (each < 0) for each in between(at, end))
        step = east, north, up
        yield step
        at = stepped(at, step)


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


FARTHEST = 10_000


def parse_square(table: Table, typed: Sequence[str]) -> Square:
    """A square as it is typed: east and north, or east, north and up. Refused for anything else."""
    try:
        numbers = tuple(int(each) for each in typed)
    except ValueError:
        numbers = ()
    if len(numbers) not in (2, 3) or any(abs(each) > FARTHEST for each in numbers):
        table.refuse(
            f"A square is two numbers, east and north, as in 3,4; not {','.join(typed)!r}.", table.parameter_of(typed)
        )
    return numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0


def square_text(square: Square) -> str:
    """A square as people read it."""
    return ",".join(map(str, square if square[2] else square[:2]))
