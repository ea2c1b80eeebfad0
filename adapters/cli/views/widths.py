"""How wide columns are: as wide as their cells where there is room, else narrowed down to words."""

from collections.abc import Sequence
from itertools import zip_longest

from rollbook.adapters.cli.styled import Text, columns_of

LEAST = 3
"""Cells of a column at the very least."""

Cells = Sequence[Text]


def widths_of(rows: Sequence[Cells], least: Sequence[int] = ()) -> list[int]:
    """How wide the columns are with all their cells; the first of them ``least`` so wide."""
    widths = (max(cell.cell_len for cell in column) for column in zip(*rows, strict=True))
    return [max(*both) for both in zip_longest(widths, least, fillvalue=0)]


def longest_word(cell: Text) -> int:
    """Cells of the longest word."""
    return max((columns_of(word) for word in cell.plain.split()), default=0)


def narrowed(wanted: Sequence[int], words: Sequence[int], room: int) -> list[int]:
    """Widths that fit the room: the widest give way first, at first down to their longest word, and then beyond."""
    widths = [min(each, room) for each in wanted]
    for least in (words, [LEAST] * len(widths)):
        while sum(widths) > room:
            wide = [place for place, each in enumerate(widths) if each > least[place]]
            if not wide:
                break
            widths[max(wide, key=lambda place: (widths[place], place))] -= 1
    return widths
