"""Where squares lie on the drawing: the part of the map that is shown, and its coordinates."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.rules.board import Square

SQUARE = 40
"""The side of a square, in units of the drawing."""
LEFT, TOP, BELOW = 24, 8, 24
"""The margins: for the names of rows, above, and for the names of columns."""
MOST = 40
"""So many squares are drawn each way, around those whom it is about."""
LEAST_WIDE, LEAST_HIGH = 9, 5


@attrs.frozen
class Frame(Record):
    """The columns from ``west`` to ``east`` and the rows from ``south`` to ``north``, all of them shown."""

    west: int
    east: int
    south: int
    north: int

    @property
    def columns(self) -> range:
        return range(self.west, self.east + 1)

    @property
    def rows(self) -> range:
        """From the top down."""
        return range(self.north, self.south - 1, -1)

    @property
    def width(self) -> int:
        return LEFT + len(self.columns) * SQUARE + TOP

    @property
    def height(self) -> int:
        return TOP + len(self.rows) * SQUARE + BELOW

    def has(self, square: Square) -> bool:
        """Whether a square is on the drawing; all levels lie on one another."""
        return square[0] in self.columns and self.south <= square[1] <= self.north

    def left(self, east: int) -> int:
        """Where a column begins."""
        return LEFT + (east - self.west) * SQUARE

    def top(self, north: int) -> int:
        """Where a row begins."""
        return TOP + (self.north - north) * SQUARE

    def middle(self, square: Square) -> tuple[int, int]:
        """The middle of a square."""
        return self.left(square[0]) + SQUARE // 2, self.top(square[1]) + SQUARE // 2


def framed(squares: Iterable[Square], around: Square | None) -> Frame:
    """The part of the map with these squares and one more on each side; of a large one as much as is drawn around one of them."""
    known = list(squares) or [(0, 0, 0)]
    middle = around or known[0]
    west, east = _span([square[0] for square in known], middle[0], LEAST_WIDE)
    south, north = _span([square[1] for square in known], middle[1], LEAST_HIGH)
    return Frame(west, east, south, north)


def _span(places: list[int], middle: int, least: int) -> tuple[int, int]:
    low, high = min(places) - 1, max(places) + 1
    if high - low >= MOST:
        low = max(low, min(middle - MOST // 2, high - MOST + 1))
        high = low + MOST - 1
    while high - low + 1 < least:
        low, high = (low - 1, high) if (high - low) % 2 else (low, high + 1)
    return low, high
