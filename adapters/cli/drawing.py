"""Drawing on a terminal: the console, columns that fit it, frames, and the board, which is never wider than it.

No control characters in texts get through. Columns are as wide as their cells where there is room, else wrapped at
words, and nothing is left out without a sign of it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import attrs
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text as DrawnText

from rollbook.adapters.cli.terminal import believed
from rollbook.adapters.line_commands.styled import Block, Cells, Rows, Text, widths_of
from rollbook.adapters.presentation.plain_text import as_written

GAP = 2
"""Blanks between two columns."""
ROOMY = 28
"""Fewest columns for a long last cell beside the others; with less room it goes below them."""
BELOW = 4
"""Indent of a cell that goes below its row."""
LEAST = 3
"""Smallest width of a column."""
NARROW = 60
"""Width below which a row of characters is broken in two."""
LABELLED = 2
"""Number of columns in rows of a label and its text."""
LEAST_WIDTH = 20
"""Smallest width of a text beside its label, however narrow the terminal is."""
Row = tuple[Text, Text | DrawnText]
AROUND = 3
"""The lines of the frame, and of the one that says how to see the rest."""


class CleanConsole(Console):
    """Console that sends no control sequences but its own colours and cursor movements."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render piece by piece, with control characters in texts replaced."""
        for piece in super().render(renderable, options):
            if piece.control or piece.text.isprintable() or piece.text == "\n":
                yield piece
            else:
                yield Segment(as_written(piece.text), piece.style)


def console(**how: Any) -> CleanConsole:
    """Make the console of a run, of a size that a screen can have."""
    made = CleanConsole(highlight=False, markup=False, emoji=False, **how)
    size = believed(made.size)
    if tuple(size) != tuple(made.size):
        made.size = size
    return made


def columns(
    rows: Sequence[Cells], width: int, right: Sequence[int] = (), *, framed: bool = False, least: Sequence[int] = ()
) -> RenderableType:
    """Lay out rows in ``width`` columns. With ``framed`` the last one has a heading, and so stays beside the others.

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
    """Rows, each with its last cell below if a word of it has no room beside the others."""
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
    used = [place for place, width in enumerate(widths) if width]
    sides = {place: "right" if place in right else "left" for place in used}
    how = [{"justify": side, "width": widths[place], "overflow": "ellipsis"} for place, side in sides.items()]
    return grid_of(([cells[place] for place in used] for cells in rows), *how)


def grid_of(rows: Iterable[Sequence[RenderableType]], *columns: Mapping[str, Any]) -> Table:
    """A grid of rows; ``columns`` are rich's settings for each column."""
    table = Table.grid(padding=(0, GAP, 0, 0))
    for how in columns:
        table.add_column(**how)
    for cells in rows:
        table.add_row(*cells)
    return table


def longest_word(cell: Text) -> int:
    """Width of the longest word."""
    return max((cell_len(word) for word in cell.plain.split()), default=0)


def narrowed(wanted: Sequence[int], words: Sequence[int], room: int) -> list[int]:
    """Widths that fit the room: the widest give way first, down to their longest word, and then to ``LEAST``."""
    widths = [min(each, room) for each in wanted]
    for least in (words, [LEAST] * len(widths)):
        while sum(widths) > room:
            wide = [place for place, each in enumerate(widths) if each > least[place]]
            if not wide:
                break
            widths[max(wide, key=lambda place: (widths[place], place))] -= 1
    return widths


def drawn_blocks(shown: Sequence[Block]) -> RenderableType:
    """Texts and rows, one below the other, wrapped between words."""
    return Group(*(_Fitted(block) if isinstance(block, Rows) else block for block in shown))


@attrs.frozen
class _Fitted:
    """Columns where there is room for them; in a narrow window the last cell of a row goes below it."""

    rows: Rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        is_narrow = options.max_width < NARROW and len(self.rows.cells[0]) > LABELLED
        yield columns(self.rows.cells, options.max_width, self.rows.right) if is_narrow else _board_grid(self.rows)


def _board_grid(rows: Rows) -> Table:
    columns = []
    for place in range(len(rows.cells[0])):
        widest = rows.widest[place] if place < len(rows.widest) else 0
        is_fixed = place < len(rows.widest) and not widest
        justify = "right" if place in rows.right else "left"
        columns.append({"justify": justify, "no_wrap": is_fixed, "overflow": "fold", "max_width": widest or None})
    return grid_of(rows.cells, *columns)


def panel_in(
    console: Console,
    title: Text,
    numbers: Sequence[tuple[Text, Text]],
    words: Sequence[tuple[Text, Text]],
    most: int | None,
    kept: Collection[str],
) -> tuple[RenderableType, bool]:
    """A sheet in its frame, in ``most`` lines (None: however many it takes), and whether anything is left out."""
    rows, is_cut = (
        ([*numbers, *words], False) if most is None else fitting(console, numbers, words, most - AROUND, kept)
    )
    inside = grid_of(rows, {"no_wrap": True}, {"overflow": "fold"})
    return Panel(inside, title=title.drawn(), title_align="left", border_style="cyan", expand=False), is_cut


def fitting(
    console: Console,
    numbers: Sequence[tuple[Text, Text]],
    words: Sequence[tuple[Text, Text]],
    most: int,
    kept: Collection[str],
) -> tuple[Sequence[Row], bool]:
    """As much of a sheet as fits so many lines, and whether anything is left out.

    Every row has its first line. The other lines go to the rows in order, to numbers before words, and what is cut ends
    in an ellipsis. If there are more rows than lines, the last numbers are left out, but for half of the lines, and then
    the last words, but for those with a label that is ``kept``.
    """
    rows = _most_needed(numbers, words, most, kept)
    width = max(console.width - 8 - max((cell_len(label.plain) for label, _ in rows), default=0), LEAST_WIDTH)
    wrapped = [list(text.drawn().wrap(console, width)) for _, text in rows]
    if sum(map(len, wrapped)) <= most:
        return rows, len(rows) < len(numbers) + len(words)
    given = [min(len(lines), 1) for lines in wrapped]
    for at in range(len(rows)):
        given[at] += min(len(wrapped[at]) - given[at], max(most - sum(given), 0))
    found = [(label, _cut(lines, many, width)) for (label, _), lines, many in zip(rows, wrapped, given, strict=True)]
    return found, True


def _most_needed(
    numbers: Sequence[tuple[Text, Text]], words: Sequence[tuple[Text, Text]], most: int, kept: Collection[str]
) -> list[tuple[Text, Text]]:
    """The rows that have room in ``most`` lines, in their order."""
    gone = max(len(numbers) + len(words) - most, 0)
    first = max(len(numbers) - gone, min(len(numbers), most // 2))
    needed = sorted(range(len(words)), key=lambda at: words[at][0].plain not in kept)[: most - first]
    return [*numbers[:first], *(words[at] for at in sorted(needed))]


def _cut(lines: Sequence[DrawnText], many: int, width: int) -> DrawnText:
    """The first lines of a text; the last one ends in an ellipsis if others follow."""
    kept = [line.copy() for line in lines[:many]]
    if len(lines) > many and kept:
        kept[-1].rstrip()
        if kept[-1].cell_len >= width:
            kept[-1] = DrawnText(kept[-1].plain.rpartition(" ")[0], style=kept[-1].style)
        kept[-1].append(" …", "dim")
    return DrawnText("\n").join(kept)
