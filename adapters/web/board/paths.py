"""Ways over squares as an address has them: ``7,0;8,0;9,1``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rollbook.domain.rules.board import FARTHEST, Square

LONGEST = 200
"""So many squares an address names at most."""
NO_SQUARE = "A square is two numbers, east and north, as in 3,4."
_SQUARE = re.compile(r"\s*([+\-−]?\d{1,7})\s*,\s*([+\-−]?\d{1,7})(?:\s*,\s*([+\-−]?\d{1,7}))?\s*", re.ASCII)


def read_way(text: str, up: int) -> tuple[Square, ...] | None:
    """The squares of a way; one of which no level is said lies ``up``. None if it cannot be read."""
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
