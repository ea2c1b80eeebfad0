"""A sheet in a frame, as a terminal shows it: as much of it as fits."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text as DrawnText

from rollbook.adapters.line_commands.styled import Text

LEAST_WIDTH = 20
"""So many cells a text has beside its label, however narrow the terminal is."""

Row = tuple[Text, Text | DrawnText]
AROUND = 3
"""The lines of the frame, and of the one that says how to see the rest."""


def panel(title: Text, rows: Sequence[Row]) -> RenderableType:
    """Labels and what stands beside them, in a frame."""
    inside = Table.grid(padding=(0, 2, 0, 0))
    inside.add_column(no_wrap=True)
    inside.add_column(overflow="fold")
    for cells in rows:
        inside.add_row(*cells)
    return Panel(inside, title=title.drawn(), title_align="left", border_style="cyan", expand=False)


def panel_in(
    console: Console,
    title: Text,
    numbers: Sequence[tuple[Text, Text]],
    words: Sequence[tuple[Text, Text]],
    most: int | None,
) -> tuple[RenderableType, bool]:
    """A sheet in its frame, in ``most`` lines (None: however many it takes), and whether anything is left out."""
    rows, is_cut = ([*numbers, *words], False) if most is None else fitting(console, numbers, words, most - AROUND)
    return panel(title, rows), is_cut


def fitting(
    console: Console, numbers: Sequence[tuple[Text, Text]], words: Sequence[tuple[Text, Text]], most: int
) -> tuple[Sequence[Row], bool]:
    """As much of a sheet as fits so many lines, and whether anything is left out.

    Every row has its first line. The other lines go to the rows in order, to numbers before words, and what is cut ends in an
    ellipsis. If there are more rows than lines, the last numbers are left out: the state that somebody is in is among the words.
    """
    rows = [*numbers, *words]
    width = max(console.width - 8 - max((cell_len(label.plain) for label, _ in rows), default=0), LEAST_WIDTH)
    wrapped = [list(text.drawn().wrap(console, width)) for _, text in rows]
    if sum(map(len, wrapped)) <= most:
        return rows, False
    given = [min(len(lines), 1) for lines in wrapped]
    for at in range(len(rows)):
        given[at] += min(len(wrapped[at]) - given[at], max(most - sum(given), 0))
    found = [(label, _cut(lines, many, width)) for (label, _), lines, many in zip(rows, wrapped, given, strict=True)]
    gone = len(found) - most
    return [*found[: len(numbers) - max(gone, 0)], *found[len(numbers) :]], True


def _cut(lines: Sequence[DrawnText], many: int, width: int) -> DrawnText:
    """The first lines of a text; the last one ends in an ellipsis if others follow."""
    kept = [line.copy() for line in lines[:many]]
    if len(lines) > many and kept:
        kept[-1].rstrip()
        if kept[-1].cell_len >= width:
            kept[-1] = DrawnText(kept[-1].plain.rpartition(" ")[0], style=kept[-1].style)
        kept[-1].append(" …", style="dim")
    return DrawnText("\n").join(kept)
