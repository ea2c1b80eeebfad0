"""Sheets, and the party table."""

from collections.abc import Mapping, Sequence
from shlex import quote

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from adapters.cli.context import CliContext
from adapters.cli.json import json_shape
from adapters.cli.views.table import LEAST_WIDTH, dotted, print_columns, print_table
from adapters.wording import printable, shorten
from domain.sheet import Sheet, Value
from projections.sheets import SetAside

json_shape(Value, "key", "label", "amount", "group", "terms", shown=str)
json_shape(Sheet, "character", "name", "title", "values", words=lambda sheet: dict(sheet.words))


MOST_LINES = 20
"""So many lines of a terminal a sheet takes, with its frame and the line that says how to see the rest."""

Row = tuple[Text, Text]


def show_sheet(cli: CliContext, shown: Sheet, moment: str = "", *, everything: bool = False) -> None:
    """One sheet: its values in their groups, then its words. At a terminal the rest is left for ``everything``."""
    groups: dict[str, list[Text]] = {}
    for value in shown.values:
        text = Text.assemble(f"{printable(value.label)} ", (printable(str(value)), "bold"))
        groups.setdefault(value.group or "Numbers", []).append(text)
    numbers = [(Text(group, style="dim"), dotted(texts)) for group, texts in groups.items()]
    words = [(Text(printable(label), style="dim"), Text(printable(text))) for label, text in shown.words]
    title = Text.assemble(
        (printable(shown.name), "bold"), (f"  {printable(shown.title)}" if shown.title else "", "italic")
    )
    title.append(f"  {moment}" if moment else "", style="yellow")
    if not cli.out.is_terminal:
        cli.print(title.plain)
        print_columns(cli, [*numbers, *words], indent=2)
        return
    rows, left_out = _fitting(cli, numbers, words, MOST_LINES - 3) if not everything else ([*numbers, *words], False)
    inside = Table.grid(padding=(0, 2, 0, 0))
    inside.add_column(no_wrap=True)
    inside.add_column(overflow="fold")
    for cells in rows:
        inside.add_row(*cells)
    cli.out.print(Panel(inside, title=title, title_align="left", border_style="cyan", expand=False))
    if left_out:
        cli.print(Text(f"The whole sheet: rollbook sheet {quote(shown.character)} --all", style="dim"))


def _fitting(cli: CliContext, numbers: Sequence[Row], words: Sequence[Row], most: int) -> tuple[list[Row], bool]:
    """As much of a sheet as fits so many lines, and whether anything is left out.

    Every row has its first line. The other lines go to the rows in order, to numbers before words, and what is cut ends in an
    ellipsis. If there are more rows than lines, the last numbers are left out: the state that somebody is in is among the words.
    """
    rows = [*numbers, *words]
    width = max(cli.out.width - 8 - max((label.cell_len for label, _ in rows), default=0), LEAST_WIDTH)
    wrapped = [list(text.wrap(cli.out, width)) for _, text in rows]
    if sum(map(len, wrapped)) <= most:
        return rows, False
    given = [min(len(lines), 1) for lines in wrapped]
    for at in range(len(rows)):
        given[at] += min(len(wrapped[at]) - given[at], max(most - sum(given), 0))
    found = [(label, _cut(lines, many, width)) for (label, _), lines, many in zip(rows, wrapped, given, strict=True)]
    gone = len(found) - most
    return [*found[: len(numbers) - max(gone, 0)], *found[len(numbers) :]], True


def _cut(lines: Sequence[Text], many: int, width: int) -> Text:
    """The first lines of a text; the last one ends in an ellipsis if others follow."""
    kept = [line.copy() for line in lines[:many]]
    if len(lines) > many and kept:
        kept[-1].rstrip()
        if kept[-1].cell_len >= width:
            kept[-1] = Text(kept[-1].plain.rpartition(" ")[0], style=kept[-1].style)
        kept[-1].append(" …", style="dim")
    return Text("\n").join(kept)


def show_set_aside(cli: CliContext, aside: SetAside) -> None:
    """What waits for the campaign to return to a game that it played before."""
    for game, left in aside:
        waits = ", ".join(left) or "a sheet"
        cli.print(Text(f"Set aside for {printable(game)}: {printable(waits)}", style="dim"))


def show_party(cli: CliContext, sheets: Sequence[Sheet], overview: Sequence[str]) -> None:
    """A row for everybody in play, with those values and words of the ``overview`` that somebody has."""
    keys = [key for key in overview if any(shown.value(key) for shown in sheets)]
    rows = []
    for shown in sheets:
        values = [shown.value(key) for key in keys]
        state = " · ".join(_stated(dict(shown.words), overview))
        cells = [Text(printable(str(value)) if value else "", style="bold") for value in values]
        who = (Text(printable(shown.name), style="magenta"), Text(printable(shown.title)))
        rows.append([*who, *cells, Text(shorten(state))])
    heads = ["", "", *(key.upper() if len(key) < 3 else key for key in keys), ""]
    print_table(cli, heads, rows, right=range(2, 2 + len(keys)))


def _stated(words: Mapping[str, str], overview: Sequence[str]) -> list[str]:
    """What somebody's state is, by the words of the overview; what one of them says already is not said again."""
    said: dict[str, str] = {}
    for word in (word for key in overview for word in words.get(key, "").split(", ") if word):
        said.setdefault(word.casefold(), word)
    return list(said.values())
