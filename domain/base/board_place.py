"""Places of pictures on the board, as people write them in squares and as they are recorded in tenths of a square."""

import re
from typing import NamedTuple

_TENTHS = re.compile(r"\s*([+\-−]?)([0-9]{1,4})(?:[.]([0-9]))?\s*")


class BoardPlace(NamedTuple):
    """The width of a picture on the board, and the place of its lower left corner, in tenths of a square."""

    across: int = 0
    west: int = 0
    south: int = 0


def tenths(text: str) -> int | None:
    """A number of squares with one decimal at most, in tenths: ``24.5`` is 245. None if it is none."""
    found = _TENTHS.fullmatch(text)
    if found is None:
        return None
    sign, whole, part = found.groups()
    return (-1 if sign in ("-", "−") else 1) * (int(whole) * 10 + int(part or 0))


def place_on_board(across: str, at: str) -> BoardPlace | None:
    """The place of a picture that is ``24.5`` squares wide, with its corner at ``-2,3``. None if they do not say one."""
    east, _, north = at.partition(",")
    wide, west, south = tenths(across), tenths(east), tenths(north)
    if wide is None or west is None or south is None or wide <= 0:
        return None
    return BoardPlace(wide, west, south)
