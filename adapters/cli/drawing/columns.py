"""Columns for a terminal: as wide as their cells where there is room, else wrapped at words, and nothing lost unsaid."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from rollbook.adapters.line_commands.styled import Cells, Text, widths_of

GAP = 2
"""Blanks between two columns."""
ROOMY = 28
"""What a long last cell must have beside the others; with less room it goes below them."""
BELOW = 4
"""How far what goes below a row is moved in."""
LEAST = 3
"""Cells of a column at the very least."""


def columns(
    rows: Sequence[Cells], width: int, right: Sequence[int] = (), *, framed: bool = False, least: Sequence[int] = ()
) -> RenderableType:
    """Rows of so many cells in all. With ``framed`` the last column has a heading, and so stays beside the others.

    Columns are narrowed down to their longest word, the widest first. A last cell for which there is too little room goes below
    its row. Only a word that has no room at all is cut, and ends in an ellipsis; below a row it goes on in the next line.
    """
    wanted = widths_of(rows, least, cell_len)
    if sum(wanted) + GAP * (len(wanted) - 1) <= width:
        return _grid(rows, wanted, right)
    words = [max(map(longest_word, column)) for column in zip(*rows, strict=True)]
    beside = width - sum(wanted[:-1]) - GAP * (len(wanted) - 1)
    if len(wanted) > 1 and not framed and beside < min(ROOMY, wanted[-1]):
        room = width - GAP * (len(wanted) - 2)
        return _stacked(rows, [*narrowed(wanted[:-1], words[:-1], room), 0], right)
    widths = narrowed(wanted, words, width - GAP * (len(wanted) - 1))
    return _grid(rows, widths, right) if framed else _stacked(rows, widths, right)


def _stacked(rows: Sequence[Cells], widths: Sequence[int], right: Sequence[int]) -> RenderableType:
    """Rows, with those last cells below that hold a word for which there is no room beside the others."""
    parts: list[RenderableType] = []
    beside: list[Cells] = []
    for cells in rows:
        if len(cells) == 1 or longest_word(cells[-1]) <= widths[-1]:
            beside.append(cells)
            continue
        parts += _grids([*beside, [*cells[:-1], Text()]], widths, right)
        beside = []
        parts.append(Padding(cells[-1], (0, 0, 0, BELOW)))
    return Group(*parts, *_grids(beside, widths, right))


def _grids(rows: Sequence[Cells], widths: Sequence[int], right: Sequence[int]) -> Iterable[RenderableType]:
    return [_grid(rows, widths, right)] if rows else []


def _grid(rows: Sequence[Cells], widths: Sequence[int], right: Sequence[int]) -> Table:
    table = Table.grid(padding=(0, GAP, 0, 0))
    used = [place for place, width in enumerate(widths) if width]
    for place in used:
        table.add_column(justify="right" if place in right else "left", width=widths[place], overflow="ellipsis")
    for cells in rows:
        table.add_row(*(cells[place] for place in used))
    return table


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
