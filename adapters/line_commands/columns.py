"""Rows of cells in columns, as plain text: each row a line, however long, with no blanks at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from rollbook.adapters.line_commands.styled import Text, columns_of

Cells = Sequence[Text]


class Rows(NamedTuple):
    """Cells in columns; the columns numbered in ``right`` are aligned to the right, and the last ones wrap."""

    cells: Sequence[Cells]
    right: tuple[int, ...] = ()
    widest: tuple[int, ...] = ()


Block = Text | Rows


def widths_of(
    rows: Sequence[Cells], least: Sequence[int] = (), measure: Callable[[str], int] = columns_of
) -> list[int]:
    """How wide the columns are with all their cells; the first of them ``least`` so wide. ``measure`` counts columns."""
    widths = (max(measure(cell.plain) for cell in column) for column in zip(*rows, strict=True))
    return [max(*both) for both in zip_longest(widths, least, fillvalue=0)]


def plain_rows(rows: Sequence[Cells], right: Sequence[int] = (), least: Sequence[int] = ()) -> Iterable[str]:
    """Rows as lines, with two blanks between the columns."""
    widths = widths_of(rows, least)
    for cells in rows:
        padded = [
            " " * (width - cell.cell_len) + cell.plain if place in right else cell.plain + " " * (width - cell.cell_len)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip()
