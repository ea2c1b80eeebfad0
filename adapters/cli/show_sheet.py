"""A sheet in a terminal: what a character comes to, and where a number comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from adapters.cli import show
from adapters.cli.faults import clean
from adapters.cli.origins import Origin

if TYPE_CHECKING:
    from adapters.cli.desk import Desk
    from domain.campaign import Character
    from domain.sheet import Sheet, Term, Value

AT_A_GLANCE = ("hp", "ac", "xp", "tokens")
"""Values that a table of everybody shows, where a game has them."""


def sheet(desk: Desk, shown: Sheet, moment: str = "") -> None:
    """One sheet: its values in their groups, then its words."""
    rows = [(Text(group, style="dim"), _values(values)) for group, values in _groups(shown.values)]
    rows += [(Text(clean(label), style="dim"), Text(clean(text))) for label, text in shown.words]
    title = Text.assemble((clean(shown.name), "bold"), (f"  {clean(shown.title)}" if shown.title else "", "italic"))
    title.append(f"  {moment}" if moment else "", style="yellow")
    if not desk.out.is_terminal:
        desk.say(title.plain)
        show.grid(desk, rows, indent=2)
        return
    inside = Table.grid(padding=(0, 2, 0, 0))
    inside.add_column(no_wrap=True)
    inside.add_column(overflow="fold")
    for cells in rows:
        inside.add_row(*cells)
    desk.out.print(Panel(Group(inside), title=title, title_align="left", border_style="cyan", expand=False))


def aside(desk: Desk, who: Character) -> None:
    """What waits for the campaign to return to a game that it played before."""
    for game, left in who.aside.items():
        pools = (f"{pool} {amount}" for pool, amount in left.pools.items() if amount)
        waits = ", ".join((*left.traits, *left.conditions, *pools)) or "a sheet"
        desk.say(Text(f"Set aside for {clean(game)}: {clean(waits)}", style="dim"))


def _groups(values: Iterable[Value]) -> list[tuple[str, list[Value]]]:
    found: dict[str, list[Value]] = {}
    for value in values:
        found.setdefault(value.group or "Numbers", []).append(value)
    return list(found.items())


def _values(values: Sequence[Value]) -> Text:
    text = Text()
    for value in values:
        text.append(" · " if text else "", style="dim")
        text.append(f"{clean(value.label)} ")
        text.append(clean(str(value)), style="bold")
    return text


def everybody(desk: Desk, sheets: Sequence[Sheet]) -> None:
    """A row for everybody in play."""
    keys = [key for key in AT_A_GLANCE if any(shown.value(key) for shown in sheets)]
    rows = []
    for shown in sheets:
        values = [shown.value(key) for key in keys]
        words = dict(shown.words)
        state = " · ".join(words[key] for key in ("Status", "Conditions", "Turn") if words.get(key))
        cells = [Text(clean(str(value)) if value else "", style="bold") for value in values]
        who = (Text(clean(shown.name), style="magenta"), Text(clean(shown.title)))
        rows.append([*who, *cells, Text(show.short(state))])
    heads = ["", "", *(key.upper() if len(key) < 3 else key for key in keys), ""]
    show.table(desk, heads, rows, right=range(2, 2 + len(keys)))


def why(
    desk: Desk, shown: Sheet, value: Value, origins: Sequence[tuple[Term, Sequence[Origin]]], moment: str = ""
) -> None:
    """Every term of a value, with its rule and the actions that made it what it is."""
    title = Text.assemble((clean(shown.name), "magenta"), f"  {clean(value.label)}  ", (str(value), "bold"))
    desk.say(title.append(f"  {moment}" if moment else "", style="yellow"))
    rows = [
        (Text(f"{term.amount:+d}", "bold"), Text(clean(term.label)), Text(term.rule, "dim"), _made_by(found))
        for term, found in origins
    ]
    show.grid(desk, rows, right=(0,), indent=2)
    if not rows:
        desk.say("  The ruleset does not say what this is made of.")


def _made_by(found: Sequence[Origin]) -> Text:
    text = Text()
    for origin in found[-LAST:]:
        text.append("; " if text else "← ", style="dim")
        text.append(f"#{origin.action}", style="cyan")
        text.append(f" {origin.verb}: {clean(origin.what)}")
        by = f" by {clean(origin.seat)}" if origin.seat else ""
        text.append(f" (session {origin.session}{by})" if origin.session else by, style="dim")
    more = len(found) - LAST
    if more > 0:
        text.append(f"; and {more} before", style="dim")
    return text


LAST = 3
"""How many actions are named behind a term."""


def sheet_data(shown: Sheet) -> dict[str, Any]:
    """A sheet as JSON has it."""
    return {
        "character": shown.character,
        "name": shown.name,
        "title": shown.title,
        "values": [
            {
                "key": value.key,
                "label": value.label,
                "amount": value.amount,
                "shown": str(value),
                "group": value.group,
                "terms": [_term_data(term) for term in value.terms],
            }
            for value in shown.values
        ],
        "words": dict(shown.words),
    }


def _term_data(term: Term) -> dict[str, Any]:
    return {"amount": term.amount, "label": term.label, "rule": term.rule, "path": term.path}


def why_data(shown: Sheet, value: Value, origins: Sequence[tuple[Term, Sequence[Origin]]]) -> dict[str, Any]:
    """A value and its origins as JSON has them."""
    return {
        "character": shown.character,
        "key": value.key,
        "label": value.label,
        "amount": value.amount,
        "shown": str(value),
        "terms": [
            {**_term_data(term), "actions": [attrs.asdict(origin) for origin in found]} for term, found in origins
        ],
    }
