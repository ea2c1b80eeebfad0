"""How things look in a terminal: lines of the log, tables, small charts. In a pipe the same words, without ornament."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import attrs
from rich.padding import Padding
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
HEADINGS = ("open-session", "scene")
"""Verbs after which something new begins: their lines stand out."""

WORDY = ("note", "ruling", "entropy")
"""Verbs whose result is what somebody said."""

ADDED = re.compile(r" [+-]\d+[^;=\[\]]*(?== )")
"""What was added to the dice of a roll, as the log writes it."""

MOST_PHRASES = 12
LONGEST = 48
NAME_WIDTH = 16
LEAST = 20
"""So much room the last cell of a row has if it needs it, or else the others wrap too: nothing is ever left out."""


def names_in(*moments: Campaign) -> dict[str, str]:
    """What characters are called."""
    return {who.id: who.name for moment in moments for who in moment.characters.values()}


def line_of(campaign: CampaignBook, entry: Entry) -> LogLine:
    """The line of the log for an entry that was just made."""
    state = campaign.state
    session = state.session.number if state.session else 0
    return row(campaign.id, entry, Context(session, state.scene, state.scenes, names_in(state)))


def line_data(line: LogLine) -> dict[str, Any]:
    """A line of the log as JSON has it. A line that nobody in particular stands behind says no seat.

    Who acted, who else it was about and what sorts of facts there are: lists, the ids and the names among them.
    """
    data = attrs.asdict(line)
    for key in ("actor", "targets", "kinds"):
        data[key] = [word for word in data[key].split("|") if word]
    if not line.seat:
        del data["seat"]
    return data


def mark(success: int) -> Text:
    """✓ or ✗."""
    return Text({1: "✓ ", -1: "✗ "}.get(success, ""), style="bold green" if success > 0 else "bold red")


def telling(line: LogLine, *, briefly: bool = False) -> Text:
    """What happened: the verb, the dice small, the result big. In brief, without what was added to the dice."""
    text = Text()
    if line.visibility:
        text.append(f"[{clean(line.visibility)} only] ", style="bold red")
    what = clean(line.what)
    if line.verb in HEADINGS and line.result:
        text.append(clean(line.result), style="bold cyan")
        return text
    if what:
        text.append(what)
    if line.dice:
        dice = ADDED.sub(" ", line.dice) if briefly else line.dice
        text.append(f"   {clean(dice)}", style="dim")
    if line.result or line.success:
        text.append("   " if text else "")
        text.append_text(mark(line.success))
        text.append(clean(line.result) if line.verb in WORDY else outcome(line.who, line.result), style="bold")
    return text


def outcome(who: str, result: str) -> str:
    """A result without the name that stands before it anyway, and without a long tail."""
    phrases = [phrase.removeprefix(f"{who} ") for phrase in result.split("; ")]
    more = len(phrases) - MOST_PHRASES
    return clean("; ".join(phrases[:MOST_PHRASES]) + (f"; and {more} more" if more > 0 else ""))


def number(line: LogLine) -> Text:
    """The number that an action is called by."""
    return Text(f"#{line.action}", style="cyan")


def happened(desk: Desk, line: LogLine) -> None:
    """A whole line, for something that just happened."""
    text = Text(f"{clean(line.who)}  " if line.who else "", style="magenta")
    grid(desk, [(number(line), Text.assemble(text, telling(line, briefly=desk.briefly)))])


def in_log(line: LogLine, seats: Mapping[int, str], *, briefly: bool = False) -> Text:
    """The telling of a line that may have been taken back. ``seats`` are who made the entries that did it."""
    text = telling(line, briefly=briefly)
    if line.status == CORRECTION:
        text = Text({"undo": "taken back", "redo": "brought back"}.get(line.verb, line.verb), style="yellow")
        return _because(text, line.reason if line.reason != text.plain else "", line.seat)
    if line.status not in (VOIDED, SUPERSEDED):
        if line.revision > 1:
            why = f": {clean(line.reason)}" if line.reason else ""
            text.append(f"   revision {line.revision}{why}", style="dim yellow")
        return text
    struck = Text()
    struck.append(text.plain, style="strike dim")
    struck.append("   ↩ " + ("taken back" if line.status == VOIDED else "replaced"), style="yellow")
    return _because(struck, line.why, seats.get(line.corrected_by, ""))


def _because(text: Text, why: str, who: str) -> Text:
    text.append(f" by {clean(who)}" if who else "", style="yellow")
    text.append(f": {clean(why)}" if why else "", style="yellow")
    return text


def log(desk: Desk, lines: Sequence[LogLine], seats: Mapping[int, str], *, entries: bool = False) -> None:
    """The log: number, who, what; with ``entries``, first the number of the entry, by which moments are asked for."""
    width = min(NAME_WIDTH, max((len(line.who) for line in lines), default=0))
    rows = [
        (
            *((Text(str(line.entry), "dim"),) if entries else ()),
            number(line),
            Text(clean(line.who)[:width], "magenta"),
            in_log(line, seats, briefly=desk.briefly),
        )
        for line in lines
    ]
    grid(desk, rows, right=(0, 1) if entries else (0,))


def corrections(desk: Desk, lines: Sequence[LogLine]) -> None:
    """Who corrected what, when and why; what only followed from a correction names the entry that it follows from."""
    rows = []
    for line in lines:
        done = {"undo": "taken back", "redo": "brought back"} if line.status == CORRECTION else {}
        what = Text(done.get(line.verb, f"comes out anew: {clean(line.what)}"), style="yellow")
        what.append(f"   {clean(line.reason)}" if line.reason else "", style="bold")
        what.append(f"   follows from entry {line.because}" if line.because else "", style="dim")
        when = f"{datetime.fromtimestamp(line.at / 1_000_000, UTC).astimezone():%Y-%m-%d %H:%M}"
        rows.append((Text(when, "dim"), number(line), Text(clean(line.seat), "magenta"), what))
    grid(desk, rows)


def grid(desk: Desk, rows: Iterable[Sequence[Text | str]], *, right: Sequence[int] = (), indent: int = 0) -> None:
    """Columns without a frame. In a pipe each row is one line, with no blanks at its end."""
    texts = [[Text(cell) if isinstance(cell, str) else cell for cell in cells] for cells in rows]
    if not texts:
        return
    if not desk.out.is_terminal:
        for text in _plain_rows(texts, right):
            desk.say(" " * indent + text)
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    widths = [max(cell.cell_len for cell in column) for column in zip(*texts, strict=True)]
    least = indent + sum(width + 2 for width in widths[:-1]) + min(widths[-1], LEAST)
    for place in range(len(texts[0])):
        wraps = place == len(texts[0]) - 1 or least > desk.out.width
        table.add_column(justify="right" if place in right else "left", no_wrap=not wraps, overflow="fold")
    for cells in texts:
        table.add_row(*cells)
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
        text.append(f"{clean(change.label)} {moved(change.before, change.after)}")
    return list(told.values())


def moved(before: str, after: str) -> str:
    """What became of a value; of a list, what came and what went."""
    was, now = before.split(", "), after.split(", ")
    if len(was) + len(now) > 2 and set(was) & set(now):
        came = [f"+ {item}" for item in now if item not in was]
        went = [f"− {item}" for item in was if item not in now]
        return short(", ".join((*went, *came)))
    return f"{short(before)} → {short(after)}"


def short(text: str) -> str:
    """Text on one line, cut where it gets long."""
    text = clean(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
