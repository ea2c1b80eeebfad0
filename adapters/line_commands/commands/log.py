"""log and xp."""

from __future__ import annotations

from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any

import attrs

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Counted, UsageError, Words, argument, command, option, paged
from rollbook.adapters.line_commands.moments import Moment
from rollbook.adapters.line_commands.options import at_option, suggest_characters
from rollbook.adapters.line_commands.views.log import show_corrections, show_log, show_xp
from rollbook.domain.base.identifiers import CampaignId, EntryNumber
from rollbook.projections.session_log import CORRECTIONS_ONLY, EVERYTHING, UNDONE_ONLY, LogLine, SqlCondition, Wanted

if TYPE_CHECKING:
    from rollbook.application.history.read_model import LogRows

PAGE = 100
"""Lines that are read and shown at a time: the first screen is there at once, however long the log is."""


@command()
@argument("words", nargs=-1, metavar="[FILTER ...]")
@option("--session", kind=Counted(0), metavar="S", help="Only one session.")
@option("--search", metavar="TEXT", default="", help="Only lines in which all these words occur.")
@option("--undone", is_flag=True, help="Only what was undone, by whom and why.")
@option("--corrections", is_flag=True, help="Only corrections: who corrected what, when and why.")
@option(
    "--all", "everything", is_flag=True, help="Every entry in the order it was made, by its number, corrections too."
)
@option("-n", "--last", kind=Counted(1), metavar="N", help="Only the last lines.")
@at_option
@paged
def log(context: CommandContext, words: Words, undone: bool, corrections: bool, moment: Moment, **how: Any) -> None:
    """The session log: number, who, what, the dice small, the result big.

    \b
    rollbook log who=ogre scene=3 verb=attack    all of it must hold; docs/filters.md lists the fields
    rollbook log kind=DamageTaken after=210     or: target=robin, time=2026-11-20.., verb!=note, any words
    rollbook log --at 40                        as the table knew it when action 40 had been taken
    rollbook log --at 40 --as-corrected         up to action 40, with the corrections made since
    """
    if undone and corrections:
        raise UsageError("--undone and --corrections are two different lists: name one of them.")
    text, where = " ".join(words), EVERYTHING
    if words:
        from rollbook.adapters.line_commands.filters import meant, unknown_names

        where = meant(context, text)
    if undone:
        where &= UNDONE_ONLY
    if corrections:
        where &= CORRECTIONS_ONLY
        how["everything"] = True
    last = how.pop("last")
    campaign, read_model = moment.asked()
    wanted = Wanted(campaign=campaign, where=where, **how)
    is_whole = corrections or last is not None
    pages = read_model.log_pages(wanted, PAGE)
    if is_whole:
        pages = iter((read_model.log(last=last, **attrs.asdict(wanted, recurse=False)),))
    first = next(pages, [])
    if not first and not context.json:
        is_narrowed = words or undone or corrections or wanted.search or wanted.session is not None
        hint = unknown_names(context, read_model, campaign, text) if words else ""
        context.print(f"Nothing in the log fits. {hint}".rstrip() if is_narrowed else "Nothing has happened yet.")
        return
    widest = None if is_whole else read_model.widest(wanted)
    for lines in takewhile(lambda _: context.is_read_on, chain((first,), pages)):
        if context.json:
            context.data(*lines)
        elif corrections:
            show_corrections(context, lines)
        else:
            show_log(context, lines, _correctors(read_model, campaign, lines), widest, entries=wanted.everything)


def _correctors(read_model: LogRows, campaign: CampaignId, lines: list[LogLine]) -> dict[EntryNumber, str]:
    """The seats that corrected these lines, by the numbers of the correcting entries."""
    entries = tuple({line.corrected_by for line in lines if line.corrected_by})
    if not entries:
        return {}
    only = SqlCondition(f"entry IN ({', '.join('?' * len(entries))})", entries)
    return {line.entry: line.seat for line in read_model.log(campaign, where=only, everything=True)}


@command()
@argument("who", required=False, suggest=suggest_characters)
@at_option
@paged
def xp(context: CommandContext, who: str | None, *, moment: Moment) -> None:
    """The XP timeline: a line for each character, with the awards behind it."""
    wanted = context.campaign().character_id(who) if who else ""
    campaign, read_model = moment.asked()
    lines = read_model.xp(campaign, wanted)
    if context.json:
        context.data(*lines)
    elif lines:
        show_xp(context, lines)
    else:
        context.print("Nobody has earned experience yet.")
