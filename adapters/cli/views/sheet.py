"""Sheets, the party table, the terms of a value, and what an action changed."""

from collections.abc import Sequence

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.json import json_shape, merged
from adapters.cli.text import printable, shorten, value_change
from adapters.cli.views.table import dotted, print_columns, print_table
from adapters.sight import seen_changes
from domain.corrections.sheet_changes import sheet_changes
from domain.sheet import Sheet, Term, Value
from domain.state import CampaignState, Character
from projections.contributions import Contribution


def sheet_change_lines(cli: CliContext, before: CampaignState, campaign: Campaign) -> list[Text]:
    """What an action did to the sheets of those who were there before, a line each."""
    after = campaign.state
    lines: dict[str, list[str]] = {}
    changes = sheet_changes(before, after, campaign.rulebook)
    for change in changes if cli.reader is None else seen_changes(changes, after):
        if change.character in before.characters and change.character in after.characters:
            text = f"{printable(change.label)} {value_change(change.before, change.after)}"
            lines.setdefault(change.character, []).append(text)
    names = after.characters
    return [Text(f"    {printable(names[who].name)}: {' · '.join(texts)}", style="dim") for who, texts in lines.items()]


json_shape(Value, "key", "label", "amount", "group", "terms", shown=str)
json_shape(Sheet, "character", "name", "title", "values", words=lambda sheet: dict(sheet.words))


def value_json(shown: Sheet, value: Value, origins: Sequence[tuple[Term, Sequence[Contribution]]]) -> dict[str, object]:
    """A value with the actions behind each of its terms."""
    return merged(value, character=shown.character, terms=[merged(term, actions=found) for term, found in origins])


def show_sheet(cli: CliContext, shown: Sheet, moment: str = "") -> None:
    """One sheet: its values in their groups, then its words."""
    groups: dict[str, list[Text]] = {}
    for value in shown.values:
        text = Text.assemble(f"{printable(value.label)} ", (printable(str(value)), "bold"))
        groups.setdefault(value.group or "Numbers", []).append(text)
    rows = [(Text(group, style="dim"), dotted(texts)) for group, texts in groups.items()]
    rows += [(Text(printable(label), style="dim"), Text(printable(text))) for label, text in shown.words]
    title = Text.assemble(
        (printable(shown.name), "bold"), (f"  {printable(shown.title)}" if shown.title else "", "italic")
    )
    title.append(f"  {moment}" if moment else "", style="yellow")
    if not cli.out.is_terminal:
        cli.print(title.plain)
        print_columns(cli, rows, indent=2)
        return
    inside = Table.grid(padding=(0, 2, 0, 0))
    inside.add_column(no_wrap=True)
    inside.add_column(overflow="fold")
    for cells in rows:
        inside.add_row(*cells)
    cli.out.print(Panel(Group(inside), title=title, title_align="left", border_style="cyan", expand=False))


def show_set_aside(cli: CliContext, who: Character) -> None:
    """What waits for the campaign to return to a game that it played before."""
    for game, left in who.aside.items():
        pools = (f"{pool} {amount}" for pool, amount in left.pools.items() if amount)
        waits = ", ".join((*left.traits, *left.conditions, *pools)) or "a sheet"
        cli.print(Text(f"Set aside for {printable(game)}: {printable(waits)}", style="dim"))


def show_party(cli: CliContext, sheets: Sequence[Sheet], overview: Sequence[str]) -> None:
    """A row for everybody in play, with those values and words of the ``overview`` that somebody has."""
    keys = [key for key in overview if any(shown.value(key) for shown in sheets)]
    rows = []
    for shown in sheets:
        values = [shown.value(key) for key in keys]
        words = dict(shown.words)
        state = " · ".join(words[key] for key in overview if words.get(key))
        cells = [Text(printable(str(value)) if value else "", style="bold") for value in values]
        who = (Text(printable(shown.name), style="magenta"), Text(printable(shown.title)))
        rows.append([*who, *cells, Text(shorten(state))])
    heads = ["", "", *(key.upper() if len(key) < 3 else key for key in keys), ""]
    print_table(cli, heads, rows, right=range(2, 2 + len(keys)))


def show_why(
    cli: CliContext,
    shown: Sheet,
    value: Value,
    origins: Sequence[tuple[Term, Sequence[Contribution]]],
    moment: str = "",
) -> None:
    """Every term of a value, with its rule and the actions that made it what it is."""
    title = Text.assemble((printable(shown.name), "magenta"), f"  {printable(value.label)}  ", (str(value), "bold"))
    cli.print(title.append(f"  {moment}" if moment else "", style="yellow"))
    rows = [
        (
            Text(f"{term.amount:+d}", "bold"),
            Text(printable(term.label)),
            Text(term.rule, "dim"),
            _contributions_text(found),
        )
        for term, found in origins
    ]
    print_columns(cli, rows, right=(0,), indent=2)
    if not rows:
        cli.print("  The ruleset does not say what this is made of.")


def _contributions_text(found: Sequence[Contribution]) -> Text:
    text = Text()
    for origin in found[-MOST_CONTRIBUTIONS:]:
        text.append("; " if text else "← ", style="dim")
        text.append(f"#{origin.action}", style="cyan")
        text.append(f" {origin.verb}: {printable(origin.what)}")
        by = f" by {printable(origin.seat)}" if origin.seat else ""
        text.append(f" (session {origin.session}{by})" if origin.session else by, style="dim")
    more = len(found) - MOST_CONTRIBUTIONS
    if more > 0:
        text.append(f"; and {more} before", style="dim")
    return text


MOST_CONTRIBUTIONS = 3
"""How many actions are named behind a term."""
