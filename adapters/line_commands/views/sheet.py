"""Sheets, and the party table."""

from collections.abc import Mapping, Sequence
from shlex import quote

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import json_shape, merged
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import dotted, print_table
from rollbook.adapters.presentation.plain_text import printable, shorten
from rollbook.domain.rules.sheet import OVERVIEW, Sheet, Value
from rollbook.projections.sheet_questions import SetAside

json_shape(Value, "key", "label", "amount", "group", "terms", shown=str)
json_shape(Sheet, "character", "name", "title", "values", words=lambda sheet: dict(sheet.words))


def sheet_json(sheet: Sheet) -> dict[str, object]:
    """JSON of a sheet."""
    return merged(sheet)


MOST_LINES = 20
"""Most terminal lines of a sheet, with its frame and the line that says how to see the rest."""


def show_sheet(context: CommandContext, shown: Sheet, moment: str = "", *, everything: bool = False) -> None:
    """Print a sheet: its values in groups, then its words. At a terminal, the rest is left for ``everything``."""
    groups: dict[str, list[Text]] = {}
    for value in shown.values:
        text = Text.assemble(f"{printable(value.label)} ", (printable(str(value)), "bold"))
        groups.setdefault(value.group or "Numbers", []).append(text)
    numbers = [(Text(group, "dim"), dotted(texts)) for group, texts in groups.items()]
    words = [(Text(printable(label), "dim"), Text(printable(text))) for label, text in shown.words]
    title = Text.assemble(
        (printable(shown.name), "bold"), (f"  {printable(shown.title)}" if shown.title else "", "italic")
    )
    title.append(f"  {moment}" if moment else "", "yellow")
    most = None if everything else MOST_LINES
    left_out = context.print_labelled(title, numbers, words, most=most, kept=OVERVIEW)
    if left_out:
        context.print(Text(f"The whole sheet: rollbook sheet {quote(shown.character)} --all", "dim"))


def show_set_aside(context: CommandContext, aside: SetAside) -> None:
    """Print what is set aside until the campaign returns to a game that it played before."""
    for game, left in aside:
        waits = ", ".join(left) or "a sheet"
        context.print(Text(f"Set aside for {printable(game)}: {printable(waits)}", "dim"))


def show_party(context: CommandContext, sheets: Sequence[Sheet], overview: Sequence[str]) -> None:
    """Print a row for each character in play, with the values and words of the ``overview`` that any of them has."""
    keys = [key for key in overview if any(shown.value(key) for shown in sheets)]
    rows = []
    for shown in sheets:
        values = [shown.value(key) for key in keys]
        state = " · ".join(_stated(dict(shown.words), overview))
        cells = [Text(printable(str(value)) if value else "", "bold") for value in values]
        who = (Text(printable(shown.name), "magenta"), Text(printable(shown.title)))
        rows.append([*who, *cells, Text(shorten(state))])
    heads = ["", "", *(key.upper() if len(key) < 3 else key for key in keys), ""]
    print_table(context, heads, rows, right=range(2, 2 + len(keys)))


def _stated(words: Mapping[str, str], overview: Sequence[str]) -> list[str]:
    """The words on a character's state, by the keys of the overview, each word once."""
    said: dict[str, str] = {}
    for word in (word for key in overview for word in words.get(key, "").split(", ") if word):
        said.setdefault(word.casefold(), word)
    return list(said.values())
