"""Errors in a roll, worded so that the person who typed it can put it right.

If the fault has a place in the text, the text follows on a second line and a caret on the third points at the spot.
"""

import unicodedata
from typing import Final
from unicodedata import combining

from rollbook.domain.base.errors import Refused

WINDOW: Final = 36
"""Number of characters shown on each side of the fault when the text is long."""


class DiceError(Refused):
    """A roll that cannot be read or made. ``sentence`` is the message without the picture, ``at`` the place or None."""

    def __init__(self, sentence: str, text: str = "", at: int | None = None) -> None:
        super().__init__(sentence if at is None else f"{sentence}\n{_picture(text, at)}")
        self.sentence = sentence
        self.at = at


def _picture(text: str, at: int) -> str:
    start, end = max(0, at - WINDOW), at + WINDOW
    before = ("…" if start else "") + _visible(text[start:at])
    after = _visible(text[at:end]) + ("…" if end < len(text) else "")
    columns = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in before if not combining(char))
    return f"  {before}{after}\n  {' ' * columns}^"


def _visible(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
