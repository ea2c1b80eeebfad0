"""Questions: sheets, the log, experience, verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adapters.cli.desk import Desk
from adapters.cli.options import ACTION, Entries, character_names, pass_desk, shared

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from domain.campaign import Campaign, Character
    from domain.sheet import Sheet
    from domain.verbs import Action
    from projections.session_log import LogLine
    from projections.xp_timeline import XpLine

LAST_AWARDS = 6


@click.command(short_help="A sheet, now or at another moment.")
@click.argument("who", required=False, shell_complete=character_names)
@click.option("--at", type=Entries(0), metavar="N", help="As it was known at entry N of the history.")
@click.option("--corrected-to", type=ACTION, metavar="K", help="As it was after action K, with today's corrections.")
@shared
@pass_desk
def sheet(desk: Desk, who: str | None, at: int | None, corrected_to: int | None) -> None:
    """A character's sheet, or everybody's in a table.

    \b
    rollbook sheet robin --at 40             as the table knew it at entry 40
    rollbook sheet robin --corrected-to 40   after action 40, as it is known today
    """
    if at is not None and corrected_to is not None:
        raise click.UsageError("--at and --corrected-to are two different moments: name one of them.")
    campaign = desk.campaign()
    state, moment = _moment(desk, campaign, at, corrected_to)
    if campaign.damage:
        desk.remark(campaign.damage)
    if who is None:
        _everybody(desk, campaign, state)
    else:
        from adapters.campaign_book import find_character

        _one(desk, campaign.sheet(who, state), moment, state.characters[find_character(state, who)])


def _moment(desk: Desk, campaign: CampaignBook, at: int | None, corrected_to: int | None) -> tuple[Campaign, str]:
    if at is None and corrected_to is None:
        return campaign.state, ""
    with desk.wait("Reading the history …"):
        if at is not None:
            return campaign.history.as_known_at(at), f"as known at entry {at}"
        number = corrected_to or campaign.history.actions
        return campaign.history.as_corrected_to(number), f"after #{number}, as corrected today"


def _everybody(desk: Desk, campaign: CampaignBook, state: Campaign) -> None:
    from adapters.cli import show_sheet

    sheets = [campaign.rulebook.sheet(who, state) for who in state.characters.values() if who.present]
    if desk.json:
        for shown in sheets:
            desk.data(show_sheet.sheet_data(shown))
    elif sheets:
        show_sheet.everybody(desk, sheets)
    else:
        desk.say("Nobody is in play yet. Bring somebody in: rollbook do join --help")


def _one(desk: Desk, shown: Sheet, moment: str, who: Character) -> None:
    from adapters.cli import show_sheet

    if desk.json:
        desk.data(show_sheet.sheet_data(shown))
    else:
        show_sheet.sheet(desk, shown, moment)
        show_sheet.aside(desk, who)


@click.command(short_help="What happened, in order; taken back lines are struck through.")
@click.argument("words", nargs=-1, metavar="[FILTER ...]")
@click.option("--session", type=click.IntRange(0), metavar="S", help="Only one session.")
@click.option("--search", metavar="TEXT", default="", help="Only lines in which all these words occur.")
@click.option("--voided", is_flag=True, help="Only what was taken back, by whom and why.")
@click.option("--corrections", is_flag=True, help="Only corrections: who corrected what, when and why.")
@click.option(
    "--all", "everything", is_flag=True, help="Every entry in the order it was made, by its number, corrections too."
)
@click.option("-n", "--last", type=click.IntRange(1), metavar="N", help="Only the last lines.")
@shared
@pass_desk
def log(desk: Desk, /, *, words: tuple[str, ...], voided: bool, corrections: bool, **how: Any) -> None:
    """The session log: number, who, what, the dice small, the result big.

    \b
    rollbook log who=ogre scene=3 verb=attack    all of it must hold; docs/filters.md lists the fields
    rollbook log kind=DamageTaken after=#210     or: target=robin, time=2026-11-20.., verb!=note, any words
    """
    from adapters.cli import show
    from adapters.cli.which import filter_of, unknown
    from projections.filters import CORRECTIONS_ONLY, VOIDED_ONLY

    if voided and corrections:
        raise click.UsageError("--voided and --corrections are two different lists: name one of them.")
    campaign = desk.campaign()
    desk.project()
    where = filter_of(words)
    if voided:
        where &= VOIDED_ONLY
    if corrections:
        where &= CORRECTIONS_ONLY
        how["everything"] = True
    lines = desk.read_model.log(campaign.id, where=where, **how)
    if desk.json:
        for line in lines:
            desk.data(show.line_data(line))
        return
    if not lines:
        is_narrowed = words or voided or corrections or how["search"] or how["session"] is not None
        hint = f" {unknown(desk, words)}" if words else ""
        desk.say(f"Nothing in the log fits.{hint}".rstrip() if is_narrowed else "Nothing has happened yet.")
    elif corrections:
        show.corrections(desk, lines)
    else:
        show.log(desk, lines, _correctors(desk, campaign.id, lines), entries=how["everything"])


def _correctors(desk: Desk, campaign: str, lines: list[LogLine]) -> dict[int, str]:
    """Who made the entries that took some of these lines out of effect."""
    wanted = {line.corrected_by for line in lines if line.corrected_by}
    if not wanted:
        return {}
    everything = desk.read_model.log(campaign, everything=True)
    return {line.entry: line.seat for line in everything if line.entry in wanted}


@click.command(short_help="Who earned how much experience, and for what.")
@click.argument("who", required=False, shell_complete=character_names)
@shared
@pass_desk
def xp(desk: Desk, who: str | None) -> None:
    """The XP timeline: a line for each character, with the awards behind it."""
    campaign = desk.campaign()
    desk.project()
    wanted = campaign.character_id(who) if who else ""
    lines = desk.read_model.xp(campaign.id, wanted)
    if desk.json:
        for line in lines:
            desk.data(line)
    elif lines:
        show_xp(desk, lines)
    else:
        desk.say("Nobody has earned experience yet.")


def show_xp(desk: Desk, lines: list[XpLine], *, awards: bool = True) -> None:
    """A sparkline of the running total for each character, and the awards."""
    from itertools import accumulate

    from rich.text import Text

    from adapters.cli import show
    from adapters.cli.faults import clean

    by_name: dict[str, list[XpLine]] = {}
    for line in lines:
        by_name.setdefault(line.name, []).append(line)
    rows = []
    for name, found in by_name.items():
        totals = list(accumulate((line.xp for line in found if line.xp), initial=0))
        level = sum(line.levels for line in found)
        cells = [Text(clean(name), style="magenta"), Text(show.spark(totals), style="green")]
        cells += [Text(f"{totals[-1]:,} XP", style="bold"), Text(f"level {level}" if level else "")]
        rows.append([*cells, Text(_awards(found), style="dim")] if awards else cells)
    show.grid(desk, rows, right=(2,))


def _awards(found: list[XpLine]) -> str:
    told = [f"#{line.action} {line.xp:+,}{' ' + line.reason if line.reason else ''}" for line in found if line.xp]
    more = len(told) - LAST_AWARDS
    return " · ".join(([f"{more} before"] if more > 0 else []) + told[-LAST_AWARDS:])


@click.command(short_help="The verbs of the campaign's ruleset, and how each is written.")
@click.argument("verb", required=False)
@shared
@pass_desk
def verbs(desk: Desk, verb: str | None) -> None:
    """The verbs that the campaign has; with VERB, what it needs."""
    show_verbs(desk, verb or "")


def show_verbs(desk: Desk, name: str) -> None:
    """All verbs in two groups, or one in full."""
    from adapters.cli.verbs import VerbCommand, halves, verb_of, verbs_of

    campaign = desk.campaign()
    ruleset = campaign.rulebook.ruleset_of(campaign.state)
    known = verbs_of(campaign)
    if name:
        action = verb_of(campaign, name)
        known = {name: action}
        if not desk.json:
            command = VerbCommand(action)
            with click.Context(command, info_name=f"rollbook do {name}", max_content_width=110) as ctx:
                desk.say(command.get_help(ctx))
            return
    own, every = halves(ruleset, known)
    if desk.json:
        for action in (*own, *every):
            desk.data(verb_data(action, campaign.state.ruleset if action in own else ""))
        return
    _verb_table(desk, f"Verbs of {ruleset.title if ruleset else campaign.state.ruleset}", own)
    _verb_table(desk, "Verbs of every game", every)
    desk.say("", "How one is written in full: rollbook verbs VERB, or rollbook do VERB --help")


def _verb_table(desk: Desk, title: str, actions: list[type[Action]]) -> None:
    from rich.text import Text

    from adapters.cli import show
    from adapters.cli.verbs import summary
    from adapters.spoken import written

    if not actions:
        return
    desk.say(Text(title, style="bold yellow"))
    rows = []
    for action in actions:
        usage = Text.assemble((action.verb, "bold"), written(action).removeprefix(action.verb))
        rows.append((usage, Text(summary(action), style="dim")))
    show.grid(desk, rows, indent=2)


def verb_data(action: type[Action], ruleset: str) -> dict[str, Any]:
    """A verb as JSON has it."""
    from adapters.spoken import asked
    from domain.verbs import usage

    return {
        "verb": action.verb,
        "ruleset": ruleset,
        "usage": usage(action),
        "help": " ".join((action.__doc__ or "").split()),
        "gm_only": action.gm_only,
        "final": action.final,
        "parameters": [
            {
                "name": parameter.name,
                "want": str(parameter.want),
                "required": parameter.required,
                "default": parameter.default,
                "choices": list(parameter.choices),
                "unit": parameter.unit,
                "help": parameter.help,
            }
            for parameter in asked(action)
        ],
    }
