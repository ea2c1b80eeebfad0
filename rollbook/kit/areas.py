"""Areas on squares: whether one covers a square, round a middle or straight ahead of who makes it.

Sizes are in squares, and may be fractions of one. Areas are counted from the middles of squares.
"""

import math

from rollbook.kit import squares
from rollbook.plugin import Square

__all__ = ["CONE", "CUBE", "LINE", "SPHERE", "SQUARE", "ahead", "around"]

CONE, CUBE, LINE, SPHERE, SQUARE = "cone", "cube", "line", "sphere", "square"
"""Shapes; any other word is a round one, such as an emanation or a cylinder, which may have a height of its own."""

_CLOSE = 0.01


def around(shape: str, size: float, square: Square, *, middle: Square, height: float = 0) -> bool:
    """True if an area round a middle covers a square: a cube or square by its side, a round one by its radius.

    A round one reaches up and down as far as it is wide, unless its ``height`` is another.
    """
    east, north, up = map(abs, squares.between(middle, square))
    if shape in (CUBE, SQUARE):
        return 2 * max(east, north) < size and up < size
    return max(east, north) <= size and up <= (height or size)


def ahead(shape: str, size: float, square: Square, *, start: Square, toward: Square, width: float = 1) -> bool:
    """True if an area that begins at a square, and points ``toward`` another one, covers a square.

    A cone is as wide as it is far away, a cube as its side; a line has a ``width``.
    """
    (east, north, _), (x, y, _) = squares.between(start, toward), squares.between(start, square)
    length = math.hypot(east, north) or 1.0
    along, aside = (x * east + y * north) / length, abs(x * north - y * east) / length
    wide = {CONE: along, CUBE: size}.get(shape, width)
    return 0 < along <= size + _CLOSE and aside <= wide / 2 + _CLOSE
