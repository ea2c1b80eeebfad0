"""People's words in other programs: nothing invisible, and nothing that turns the direction of the text."""

import html
import unicodedata

from rollbook.adapters.presentation.plain_text import as_written

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Marks that turn the direction of writing, of what follows them too."""
_NO_LETTERS = ("Cc", "Cs", "Co", "Cn")
_LONGEST_HEAD = 60
_TAGS = range(0xE0000, 0xE0080)


def clean(text: str) -> str:
    """Text without control characters, halves of letters and marks that would turn the rest of a line; its lines are kept."""
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(letter for letter in lines if letter == "\n" or _is_written(letter))


def _is_written(letter: str) -> bool:
    if letter in _TURNING or ord(letter) in _TAGS:
        return False
    return unicodedata.category(letter) not in _NO_LETTERS


def running_head(text: str) -> str:
    """A text as far as there is room for it at the head of a printed page."""
    return text if len(text) <= _LONGEST_HEAD else f"{text[:_LONGEST_HEAD]}…"


def escaped(text: str) -> str:
    """Clean text, escaped for HTML and XML, in elements and in attributes."""
    return html.escape(clean(text), quote=True)


def visible_line(text: str) -> str:
    """A text on one line, without what cannot be seen."""
    return " ".join(as_written(text).split())
