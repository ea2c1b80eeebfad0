"""Positions of squares on the drawing, and ways over squares as an address has them: ``7,0;8,0;9,1``."""

import re
from collections.abc import Iterable

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.rules.board import FARTHEST, Square

LONGEST = 200
"""Most squares in an address."""
NO_SQUARE = "A square is two numbers, east and north, as in 3,4."
_SQUARE = re.compile(r"\s*([+\-−]?\d{1,7})\s*,\s*([+\-−]?\d{1,7})(?:\s*,\s*([+\-−]?\d{1,7}))?\s*", re.ASCII)


def read_way(text: str, up: int) -> tuple[Square, ...] | None:
    """The squares of a way; a square without a level is at ``up``. None if it cannot be read."""
    parts = [part for part in text.split(";") if part.strip()]
    squares = [_square(part, up) for part in parts]
    known = tuple(square for square in squares if square is not None)
    return None if len(known) < len(parts) or len(parts) > LONGEST else known


def _square(text: str, up: int) -> Square | None:
    found = _SQUARE.fullmatch(text)
    if found is None:
        return None
    east, north, level = (int(each.replace("−", "-")) if each else up for each in found.groups())
    return (east, north, level) if max(abs(east), abs(north), abs(level)) <= FARTHEST else None


def written_way(squares: Iterable[Square]) -> str:
    """A way as an address has it."""
    return ";".join(",".join(map(str, square if square[2] else square[:2])) for square in squares)


def named(square: Square) -> str:
    """A square as people read it."""
    return written_way((square,)).replace("-", "−")


SQUARE = 40
"""The side of a square, in units of the drawing."""
LEFT, TOP, BELOW = 24, 8, 24
"""The margins, in units of the drawing: left for the names of rows, top, and bottom for the names of columns."""
MOST = 40
"""Most squares drawn in each direction, around the characters that matter."""
LEAST_WIDE, LEAST_HIGH = 9, 5


@attrs.frozen
class Frame(Record):
    """The columns from ``west`` to ``east`` and the rows from ``south`` to ``north``, all of them shown."""

    west: int
    east: int
    south: int
    north: int

    side = SQUARE

    @property
    def columns(self) -> range:
        return range(self.west, self.east + 1)

    @property
    def rows(self) -> range:
        """The rows from the top down."""
        return range(self.north, self.south - 1, -1)

    @property
    def width(self) -> int:
        return LEFT + len(self.columns) * SQUARE + TOP

    @property
    def height(self) -> int:
        return TOP + len(self.rows) * SQUARE + BELOW

    def has(self, square: Square) -> bool:
        """True if a square is on the drawing, whatever its level: all are drawn on top of each other."""
        return square[0] in self.columns and self.south <= square[1] <= self.north

    def left(self, east: int) -> int:
        """The x of a column's left edge."""
        return LEFT + (east - self.west) * SQUARE

    def top(self, north: int) -> int:
        """The y of a row's top edge."""
        return TOP + (self.north - north) * SQUARE

    def middle(self, square: Square) -> tuple[int, int]:
        """The x and y of a square's middle."""
        return self.left(square[0]) + SQUARE // 2, self.top(square[1]) + SQUARE // 2


def framed(squares: Iterable[Square], around: Square | None) -> Frame:
    """The part of the map with these squares and one more on each side; of a large map only a part, near ``around``."""
    known = list(squares) or [(0, 0, 0)]
    middle = around or known[0]
    west, east = _span([square[0] for square in known], middle[0], LEAST_WIDE)
    south, north = _span([square[1] for square in known], middle[1], LEAST_HIGH)
    return Frame(west, east, south, north)


@attrs.define
class KeptFrame:
    """The corners of the part of a map that was shown in a fight, ``of`` which it is told by: it grows, and never jumps."""

    of: object = None
    corners: tuple[Square, ...] = ()

    def with_these(self, of: object, squares: Iterable[Square]) -> tuple[Square, ...]:
        """The corners of all squares that were shown, these among them. Another fight begins with its own."""
        known = [*(self.corners if of == self.of else ()), *squares]
        self.of, self.corners = of, _corners(known) if known else ()
        return self.corners


def _corners(squares: list[Square]) -> tuple[Square, Square]:
    easts, norths = [square[0] for square in squares], [square[1] for square in squares]
    return (min(easts), min(norths), 0), (max(easts), max(norths), 0)


def _span(places: list[int], middle: int, least: int) -> tuple[int, int]:
    low, high = min(places) - 1, max(places) + 1
    if high - low >= MOST:
        low = max(low, min(middle - MOST // 2, high - MOST + 1))
        high = low + MOST - 1
    while high - low + 1 < least:
        low, high = (low - 1, high) if (high - low) % 2 else (low, high + 1)
    return low, high
