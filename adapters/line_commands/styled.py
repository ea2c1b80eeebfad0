"""Styled texts, and rows of them in columns: plain in a pipe; only a terminal needs rich, which is slow to import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category, east_asian_width

if TYPE_CHECKING:
    from rich.text import Text as DrawnText

_MARKS = ("Mn", "Me", "Mc", "Cf")
"""Unicode categories of characters that take no column."""


class Text:
    """Styled text, with styles named as in rich (``bold red``); ``style`` is that of all, below those of the parts."""

    __slots__ = ("parts", "style")

    def __init__(self, text: str = "", style: str = "") -> None:
        self.style = style
        self.parts = [(text, "")] if text else []

    @classmethod
    def assemble(cls, *parts: str | tuple[str, str] | Text) -> Text:
        """Make a text of other texts, and of words with their styles."""
        made = cls()
        for part in parts:
            made.append(*part) if isinstance(part, tuple) else made.append(part)
        return made

    def append(self, more: str | Text, style: str = "") -> Text:
        """Append words in a style, or another text in its own. Returns this text."""
        if isinstance(more, Text):
            self.parts += [(text, f"{more.style} {own}".strip()) for text, own in more.parts]
        elif more:
            self.parts.append((more, style))
        return self

    def join(self, texts: Iterable[Text]) -> Text:
        """Join texts with this one between them, over its style."""
        joined = Text(style=self.style)
        for text in texts:
            if joined:
                joined.append(self)
            joined.append(text)
        return joined

    def replaced(self, by: Callable[[str], str]) -> Text:
        """The text with other words in its parts; itself if they stay."""
        parts = [(by(text), style) for text, style in self.parts]
        if parts == self.parts:
            return self
        other = Text(style=self.style)
        other.parts = parts
        return other

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join([text for text, _ in self.parts])

    @property
    def cell_len(self) -> int:
        """Number of terminal columns that the text takes."""
        return columns_of(self.plain)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def drawn(self) -> DrawnText:
        """The text as a text of rich."""
        from rich.text import Text as DrawnText

        return DrawnText.assemble(*self.parts, style=self.style)

    __rich__ = drawn


def columns_of(text: str) -> int:
    """Number of terminal columns that a text takes: two for a wide character, none for a combining one."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut_to(text: str, columns: int) -> str:
    """The beginning of a text that takes at most so many columns."""
    ends = accumulate(map(_columns, text))
    return "".join(letter for letter, end in zip(text, ends, strict=True) if end <= columns)


@cache
def _columns(letter: str) -> int:
    if category(letter) in _MARKS or any(letter in letters for letters in _JOINED):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


_JOINED = tuple(
    frozenset(map(chr, range(first, last + 1)))
    for first, last in ((0x1160, 0x11FF), (0xD7B0, 0xD7FF), (0x1F3FB, 0x1F3FF))
)
"""Characters that join the one before them: vowels and ends of Hangul syllables, and skin tones."""
Cells = Sequence[Text]


class Rows(NamedTuple):
    """Cells in columns; the columns numbered in ``right`` are aligned to the right, and the last ones wrap."""

    cells: Sequence[Cells]
    right: tuple[int, ...] = ()
    widest: tuple[int, ...] = ()


Block = Text | Rows

GAP = Text("")
"""An empty line between blocks."""


def widths_of(
    rows: Sequence[Cells], least: Sequence[int] = (), measure: Callable[[str], int] = columns_of
) -> list[int]:
    """Widths of columns that hold all cells, those of the first ones at least ``least``. ``measure`` counts columns."""
    widths = (max(measure(cell.plain) for cell in column) for column in zip(*rows, strict=True))
    return [max(*both) for both in zip_longest(widths, least, fillvalue=0)]


def plain_rows(rows: Sequence[Cells], right: Sequence[int] = (), least: Sequence[int] = ()) -> Iterable[str]:
    """Render rows as lines, with two blanks between the columns."""
    widths = widths_of(rows, least)
    for cells in rows:
        padded = [
            " " * (width - cell.cell_len) + cell.plain if place in right else cell.plain + " " * (width - cell.cell_len)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip()
