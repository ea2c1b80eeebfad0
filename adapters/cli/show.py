"""How things look in a terminal: lines of the log, tables, small charts. In a pipe the same words, without ornament."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from rich.table import Table
from rich.text import Text

from adapters.cli.faults import clean
from domain.corrections import sheet_changes
from domain.history import Entry
from projections.context import Context
from projections.session_log import CORRECTION, SUPERSEDED, VOIDED, LogLine, row

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from adapters.cli.desk import Desk
    from domain.campaign import Campaign

BARS = "▁▂▃▄▅▆▇█"
HEADINGS = ("open-session", "scene", "begin-encounter")
"""Verbs after which something new begins: their lines stand out."""

LONGEST = 48
NAME_WIDTH = 16


def names_in(*moments: Campaign) -> dict[str, str]:
    """What characters are called."""
    return {who.id: who.name for moment in moments for who in moment.characters.values()}


def line_of(campaign: CampaignBook, entry: Entry) -> LogLine:
    """The line of the log for an entry that was just made."""
    state = campaign.state
    session = state.session.number if state.session else 0
    return row(campaign.id, entry, Context(session, state.scene, names_in(state)))


def line_data(line: LogLine) -> dict[str, Any]:
    """A line of the log as JSON has it. A line that nobody in particular stands behind says no seat."""
    data = attrs.asdict(line)
    if not line.seat:
        del data["seat"]
    return data


def mark(success: int) -> Text:
    """✓ or ✗."""
    return Text({1: "✓ ", -1: "✗ "}.get(success, ""), style="bold green" if success > 0 else "bold red")


def telling(line: LogLine) -> Text:
    """What happened: the verb, the dice small, the result big."""
    text = Text()
    what = clean(line.what)
    if line.verb in HEADINGS and line.result:
        text.append(clean(line.result), style="bold cyan")
        return text
    if what:
        text.append(what)
    if line.dice:
        text.append(f"   {clean(line.dice)}", style="dim")
    if line.result or line.success:
        text.append("   " if text else "")
        text.append_text(mark(line.success))
        text.append(clean(line.result), style="bold")
    return text


def number(line: LogLine) -> Text:
    """The number that an action is called by."""
    return Text(f"#{line.action}", style="cyan")


def spoken(line: LogLine) -> Text:
    """A whole line, for something that just happened."""
    text = number(line)
    text.append("  ")
    if line.who:
        text.append(f"{clean(line.who)}  ", style="magenta")
    return text.append_text(telling(line))


def in_log(line: LogLine, seats: Mapping[int, str]) -> Text:
    """The telling of a line that may have been taken back. ``seats`` are who made the entries that did it."""
    text = telling(line)
    if line.status == CORRECTION:
        text = Text({"undo": "taken back", "redo": "brought back"}.get(line.verb, line.verb), style="yellow")
        return _because(text, line.reason, line.seat)
    if line.status not in (VOIDED, SUPERSEDED):
        if line.revision > 1:
            text.append(f"   revision {line.revision}" + (f": {clean(line.reason)}" if line.reason else ""), "dim yellow")
        return text
    struck = Text()
    struck.append(text.plain, style="strike dim")
    struck.append("   ↩ " + ("taken back" if line.status == VOIDED else "replaced"), style="yellow")
    return _because(struck, line.why, seats.get(line.corrected_by, ""))


def _because(text: Text, why: str, who: str) -> Text:
    text.append(f" by {clean(who)}" if who else "", style="yellow")
    text.append(f": {clean(why)}" if why else "", style="yellow")
    return text


def log(desk: Desk, lines: Sequence[LogLine], seats: Mapping[int, str]) -> None:
    """The log: number, who, what."""
    width = min(NAME_WIDTH, max((len(line.who) for line in lines), default=0))
    rows = [
        (number(line), Text(clean(line.who)[:width], style="magenta"), in_log(line, seats)) for line in lines
    ]
    grid(desk, rows, right=(0,))


def grid(desk: Desk, rows: Iterable[Sequence[Text | str]], *, right: Sequence[int] = (), indent: int = 0) -> None:
    """Columns without a frame. In a pipe each row is one line, with no blanks at its end."""
    rows = [[Text(cell) if isinstance(cell, str) else cell for cell in cells] for cells in rows]
    if not rows:
        return
    if not desk.out.is_terminal:
        for text in _plain_rows(rows, right):
            desk.say(" " * indent + text)
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    for place in range(len(rows[0])):
        last = place == len(rows[0]) - 1
        table.add_column(justify="right" if place in right else "left", no_wrap=not last, overflow="fold")
    for cells in rows:
        table.add_row(*cells)
    from rich.padding import Padding

    desk.out.print(Padding(table, (0, 0, 0, indent)) if indent else table)


def _plain_rows(rows: list[list[Text]], right: Sequence[int]) -> Iterable[str]:
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    for cells in rows:
        padded = [
            " " * (width - cell.cell_len) + cell.plain if place in right else cell.plain + " " * (width - cell.cell_len)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip()


def table(desk: Desk, heads: Sequence[str], rows: Sequence[Sequence[Text | str]], *, right: Sequence[int] = ()) -> None:
    """Columns with a head."""
    head = [Text(title, style="dim") for title in heads]
    grid(desk, [head, *rows], right=right)


def spark(numbers: Sequence[int]) -> str:
    """Numbers as small bars, from nothing to the highest."""
    most = max(numbers, default=0)
    if most <= 0:
        return ""
    return "".join(BARS[round(max(amount, 0) / most * (len(BARS) - 1))] for amount in numbers)


def standing(before: Campaign, campaign: CampaignBook) -> list[Text]:
    """What an action did to the sheets of those who were there before, a line each."""
    after = campaign.state
    told: dict[str, Text] = {}
    for change in sheet_changes(before, after, campaign.rulebook):
        if change.character not in before.characters or change.character not in after.characters:
            continue
        text = told.setdefault(change.character, Text(f"    {clean(change.name)}: ", style="dim"))
        text.append("" if text.plain.endswith(": ") else " · ")
        text.append(f"{clean(change.label)} {short(change.before)} → {short(change.after)}")
    return list(told.values())


def short(text: str) -> str:
    """Text on one line, cut where it gets long."""
    text = clean(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
