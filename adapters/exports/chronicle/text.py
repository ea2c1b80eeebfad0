"""Text as it goes into a page: only what is written and read, whatever somebody typed."""

import html
import unicodedata

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Marks that turn the direction of writing, of what follows them too."""
_NO_LETTERS = ("Cc", "Cs", "Co", "Cn")
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


def escaped(text: str) -> str:
    """The same as HTML and XML have it, in elements and in attributes."""
    return html.escape(clean(text), quote=True)
