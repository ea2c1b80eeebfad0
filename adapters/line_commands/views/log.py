"""Log lines, corrections and experience."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import json_hook
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import NAME_WIDTH, sparkline, success_mark
from rollbook.adapters.presentation.plain_text import paragraph, printable, short_result, shorten
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.projections.database import CORRECTION, REPLACED, UNDONE
from rollbook.projections.session_log import LogLine
from rollbook.projections.xp_timeline import XpLine

LAST_AWARDS = 6
DONE = {"undo": "undone", "redo": "redone"}
"""Words for a correction in the log, by its verb."""
HEADING_VERBS = ("open-session", "scene")
"""Verbs after which something new begins: their lines stand out."""
SPOKEN_VERBS = ("note", "say", "whisper", "handout", "ruling", "entropy")
"""Verbs whose result is text that a person said."""
ADDED_TO_DICE = re.compile(r" [+-]\d+[^;=\[\]]*(?== )")
"""Numbers added to the dice of a roll, as the log writes them."""
LEAST_REASON = 24
"""Fewest letters that are shown of a reason, however narrow the terminal is."""


def line_json(line: LogLine) -> dict[str, object]:
    """JSON of a line: names and kinds as lists, no ``seat`` for a line of no particular seat, ``before`` of inserted actions."""
    data: dict[str, Any] = line._asdict()
    for key in ("actor", "targets", "kinds"):
        data[key] = [word for word in data[key].split("|") if word]
    for key in ("seat", "before"):
        if not data[key]:
            del data[key]
    del data["place"]
    data["sentence"] = line.sentence
    return data


json_hook(LogLine, line_json)
json_hook(XpLine, lambda line: {name: value for name, value in line._asdict().items() if name != "place"})


def show_xp(context: CommandContext, lines: list[XpLine], *, awards: bool = True) -> None:
    """Print a sparkline of the running total for each character, and the awards."""
    by_character: dict[str, list[XpLine]] = {}
    for line in lines:
        by_character.setdefault(line.character, []).append(line)
    rows = []
    for found in by_character.values():
        totals = list(accumulate((line.xp for line in found if line.xp), initial=0))
        level = sum(line.levels for line in found)
        cells = [Text(printable(found[-1].name), "magenta"), Text(sparkline(totals), "green")]
        cells += [Text(f"{totals[-1]:,} XP", "bold"), Text(f"level {level}" if level else "")]
        if awards:
            said = [f"#{line.action} {line.xp:+,} {line.reason}".rstrip() for line in found if line.xp]
            before = [f"{len(said) - LAST_AWARDS} before"] if len(said) > LAST_AWARDS else []
            cells.append(Text(" · ".join(before + said[-LAST_AWARDS:]), "dim"))
        rows.append(cells)
    context.print_columns(rows, right=(2,))


def line_text(line: LogLine, *, briefly: bool = False) -> Text:
    """Text of a line: the verb, the result big, then the dice small, ``briefly`` without numbers added to them."""
    text = Text()
    if line.visibility:
        text.append(f"[{printable(line.visibility)} only] ", "bold red")
    if line.verb in HEADING_VERBS and line.result:
        text.append(printable(line.result), "bold cyan")
        return text
    text.append(printable(line.what))
    if line.result or line.success:
        text.append("   " if text else "")
        spoken = line.verb in SPOKEN_VERBS
        result = paragraph(line.result) if spoken else short_result(line.result)
        text.append(success_mark(line.success)).append(result, "bold")
    if line.dice:
        dice = ADDED_TO_DICE.sub(" ", line.dice) if briefly else line.dice
        text.append(f"   {printable(dice)}", "dim")
    return text


def action_number(line: LogLine) -> Text:
    """The number of an action, as ``#12``."""
    return Text(f"#{line.action}", "cyan")


def show_line(context: CommandContext, line: LogLine) -> None:
    """Print a whole line, for something that just happened."""
    text = Text(f"{printable(line.who)}  " if line.who else "", "magenta")
    context.print_columns([(action_number(line), Text.assemble(text, line_text(line, briefly=context.brief)))])


def log_text(line: LogLine, seats: Mapping[EntryNumber, str], *, briefly: bool = False, width: int = 0) -> Text:
    """Text of a line, struck through if it was undone or replaced. ``seats`` made the entries that did it.

    The reason of an action takes a third of the ``width`` at most (0: it is shown whole).
    """
    text = line_text(line, briefly=briefly)
    if line.status == CORRECTION:
        text = Text(DONE.get(line.verb, line.verb), "yellow")
        return _reason(text, line.reason if line.reason != text.plain else "", line.seat)
    if line.before:
        text.append(f"   before #{line.before}", "dim yellow")
    if line.status not in (UNDONE, REPLACED):
        reason = shorten(line.reason, max(LEAST_REASON, width // 3) if width else len(line.reason))
        if line.revision > 1:
            text.append(f"   revision {line.revision}{f': {reason}' if reason else ''}", "dim yellow")
        elif reason and line.reason not in line.result:
            text.append(f"   why: {reason}", "dim")
        return text
    struck = Text.assemble((text.plain, "strike dim"))
    struck.append("   ↩ " + ("undone" if line.status == UNDONE else "replaced"), "yellow")
    return _reason(struck, line.why, seats.get(line.corrected_by, ""))


def _reason(text: Text, why: str, who: str) -> Text:
    text.append(f" by {printable(who)}" if who else "", "yellow")
    text.append(f": {printable(why)}" if why else "", "yellow")
    return text


def show_log(
    context: CommandContext,
    lines: Sequence[LogLine],
    seats: Mapping[EntryNumber, str],
    widest: tuple[EntryNumber, ActionNumber, int] | None = None,
    *,
    entries: bool = False,
) -> None:
    """Print lines of the log: number, who, what; with ``entries``, first the number of the entry, which names a moment.

    ``widest`` are the highest entry and action and the longest name of all lines, if these are only a part.
    """
    numbers = [(line.entry, line.action, len(line.who)) for line in lines]
    entry, action, longest = widest or map(max, zip(*numbers, strict=True))
    name = min(NAME_WIDTH, longest)
    rows = [
        (
            *((Text(f"@{line.entry}", "dim"),) if entries else ()),
            action_number(line),
            Text(shorten(line.who, name) if line.who else "", "magenta"),
            log_text(line, seats, briefly=context.brief, width=context.width if context.is_terminal else 0),
        )
        for line in lines
    ]
    least = [len(f"@{entry}")] * entries + [len(f"#{action}"), name]
    context.print_columns(rows, right=(0, 1) if entries else (0,), least=least)


def show_corrections(context: CommandContext, lines: Sequence[LogLine]) -> None:
    """Print who corrected what, when and why; a mere consequence names the entry that it follows from."""
    rows, zone = [], context.zone()
    for line in lines:
        done = DONE if line.status == CORRECTION else {}
        what = Text(done.get(line.verb, f"new outcome: {printable(line.what)}"), "yellow")
        what.append(f"   {printable(line.reason)}" if line.reason else "", "bold")
        what.append(f"   follows from @{line.because}" if line.because else "", "dim")
        rows.append((Text(zone.time(line.at), "dim"), action_number(line), Text(printable(line.seat), "magenta"), what))
    context.print_columns(rows)
