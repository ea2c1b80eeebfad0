"""How wide columns are where there is too little room for them: narrowed down to words."""

from collections.abc import Sequence

from rich.cells import cell_len

from rollbook.adapters.line_commands.styled import Text

LEAST = 3
"""Cells of a column at the very least."""


def longest_word(cell: Text) -> int:
    """Cells of the longest word."""
    return max((cell_len(word) for word in cell.plain.split()), default=0)


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
