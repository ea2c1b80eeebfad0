"""why and diff: where a number comes from, and what differs between two moments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import click
from rich.text import Text

from adapters.cli.context import CliContext
from adapters.cli.parameters import (
    EntryNumberParam,
    complete_character,
    complete_sheet_value,
    pass_cli,
    shared_parameters,
)
from adapters.cli.text import printable, value_change
from adapters.cli.views import sheet
from adapters.cli.views.table import print_columns
from adapters.timelines.marker import campaign_of, stream_of
from domain.corrections import sheet_changes
from domain.dice.ledger import opened_session
from domain.errors import not_found
from domain.history import History
from projections.contributions import contributions_to

if TYPE_CHECKING:
    from adapters.campaign import Campaign
    from domain.sheet import Sheet, Value
    from domain.state import CampaignState


@click.command
@click.argument("who", shell_complete=complete_character)
@click.argument("value", shell_complete=complete_sheet_value)
@click.option("--at", type=EntryNumberParam(), metavar="N", help="As it was known at entry N of the history.")
@shared_parameters
@pass_cli
def why(cli: CliContext, who: str, value: str, at: int | None) -> None:
    """Every term of a number, its rule, and each action that made it what it is: number, session, and who did it.

    \b
    rollbook why robin "to hit"
    rollbook why guard hp --at 20      as the table knew it at entry 20
    """
    campaign = cli.campaign()
    with cli.wait("Reading the history …"):
        history = campaign.load_history() if at is None else _history_at(campaign.load_history(), at)
    shown = campaign.sheet(who, history.state)
    number = _value(shown, value)
    found = [
        (term, contributions_to(history, shown.character, term.path) if term.path else []) for term in number.terms
    ]
    if cli.json:
        cli.data(sheet.value_json(shown, number, found))
    else:
        sheet.show_why(cli, shown, number, found, "" if at is None else f"as known at entry {at}")


def _history_at(history: History, entry: int) -> History:
    """The history as it stood when an entry was the last one. Raises NotFound."""
    history.entry(entry)
    return History(history.entries[:entry])


def _value(shown: Sheet, key: str) -> Value:
    value = shown.value(key)
    if value is None:
        raise not_found(f"value on {shown.name}'s sheet", key, (each.label for each in shown.values))
    return value


NOW = "now"
_MOMENT = re.compile(r"(?P<what>s|#|)(?P<number>[0-9]{1,12})")
_ELSEWHERE = re.compile(r"~(?P<timeline>[0-9]{1,12})(?::(?P<moment>.+))?")


class _Moment(NamedTuple):
    """A moment of the history, and how it is called."""

    called: str
    state: CampaignState


@click.command
@click.argument("one", metavar="A")
@click.argument("other", metavar="B", default=NOW)
@click.argument("who", required=False, shell_complete=complete_character)
@shared_parameters
@pass_cli
def diff(cli: CliContext, one: str, other: str, who: str | None) -> None:
    """What differs on the sheets between two moments, for everybody or for one character.

    \b
    rollbook diff 40 60          as the table knew it at entry 40, and at entry 60
    rollbook diff '#12' '#30'    after actions #12 and #30, with today's corrections
    rollbook diff s1 s2          at the end of sessions 1 and 2, with today's corrections
    rollbook diff 40 robin       entry 40 and now, of one character; the log says entries with: rollbook log --all
    rollbook diff ~1             timeline 1 and now; ~1:40 is entry 40 there, ~0 is canon
    """
    campaign = cli.campaign()
    if who is None and other != NOW and not (_MOMENT.fullmatch(other) or _ELSEWHERE.fullmatch(other)):
        other, who = NOW, other
    with cli.wait("Reading the history …"):
        before, after = (_moment_of(cli, campaign, text) for text in (one, other))
    wanted = campaign.character_id(who) if who else ""
    changes = [
        change
        for change in sheet_changes(before.state, after.state, campaign.rulebook)
        if wanted in ("", change.character)
    ]
    if cli.json:
        for change in changes:
            cli.data(change)
        return
    cli.print(Text(f"{before.called} → {after.called}", style="bold yellow"))
    rows = {}
    for change in changes:
        whole = "" if who else _joined_or_absent(change.character, before.state, after.state)
        label, text = (whole, "") if whole else (printable(change.label), value_change(change.before, change.after))
        rows[change.character, label, text] = (Text(printable(change.name), "magenta"), Text(label), Text(text))
    print_columns(cli, list(rows.values()), indent=2)
    if not rows:
        cli.print("  Nothing differs.")


def _joined_or_absent(character: str, before: CampaignState, after: CampaignState) -> str:
    """What is said of somebody who is there at one of the moments only, in place of a sheet line by line; else ""."""
    if character in before.characters and character in after.characters:
        return ""
    return "joins" if character in after.characters else "is not there"


def _moment_of(cli: CliContext, campaign: Campaign, text: str) -> _Moment:
    """A moment of this campaign, or ``~1`` on a timeline of it, ``~1:40`` a moment there, ``~0`` on canon."""
    elsewhere = _ELSEWHERE.fullmatch(text)
    if elsewhere is None:
        return _moment(campaign.load_history(), text)
    timeline = cli.book().campaign(stream_of(campaign_of(campaign.id), int(elsewhere["timeline"])))
    moment = _moment(timeline.load_history(), elsewhere["moment"] or NOW)
    return _Moment(f"{timeline.id} {moment.called}", moment.state)


def _moment(history: History, text: str) -> _Moment:
    """``40`` an entry, ``#12`` an action, ``s2`` the end of a session, ``now``. Raises NotFound, UsageError."""
    if text == NOW:
        return _Moment(NOW, history.state)
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise click.UsageError(
            f"{text!r} is no moment: an entry (40), an action (#12), a session (s2), a timeline (~1), or {NOW}."
        )
    number = int(found["number"])
    if found["what"] == "#":
        return _Moment(f"after #{number}, as corrected today", history.as_corrected_to(number))
    if found["what"] == "s":
        return _Moment(f"end of session {number}, as corrected today", _end_of_session(history, number))
    return _Moment(f"as known at entry {number}", history.as_known_at(number))


def _end_of_session(history: History, session: int) -> CampaignState:
    opened = {opened_session(entry.facts): action for action, entry in history.outcomes() if entry is not None}
    opened.pop(0, None)
    if session not in opened:
        raise not_found("session", str(session), map(str, opened))
    following = opened.get(session + 1, history.actions + 1)
    return history.as_corrected_to(following - 1)
