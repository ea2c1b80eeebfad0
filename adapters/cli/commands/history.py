"""why and diff: where a number comes from, and what differs between two moments."""

import click
from rich.text import Text

from adapters.cli.context import CliContext
from adapters.cli.moments import MOMENT, NOW, as_known_option, at_option, is_moment, moment_of, state_at
from adapters.cli.parameters import command, complete_character, complete_sheet_value
from adapters.cli.text import printable, value_change
from adapters.cli.views.sheet import show_why, value_json
from adapters.cli.views.table import print_columns
from domain.corrections import sheet_changes
from domain.errors import not_found
from domain.events import CharacterId
from domain.history import History
from domain.identifiers import ActionNumber
from domain.sheet import Sheet, Term, Value
from domain.state import CampaignState
from projections.contributions import Contribution, contributions_to


@command()
@click.argument("who", shell_complete=complete_character)
@click.argument("value", shell_complete=complete_sheet_value)
@at_option("Another moment: after action 12, after entry @47, at the end of session s2.")
@as_known_option
def why(cli: CliContext, who: str, value: str, at: str | None, *, corrected: bool) -> None:
    """Every term of a number, its rule, and each action that made it what it is: number, session, and who did it.

    \b
    rollbook why robin "to hit"
    rollbook why guard hp --at 20                  as the table knew it when action 20 had been taken
    rollbook why guard hp --at 20 --as-corrected   after action 20, with the corrections made since
    """
    campaign = cli.campaign()
    with cli.wait("Reading the history …"):
        history, state, last, moment = campaign.load_history(), campaign.state, campaign.load_history().actions, ""
        if at is not None:
            then = moment_of(history, at)
            state, last, moment = (
                then.state(history, corrected=corrected),
                then.action,
                then.called(corrected=corrected),
            )
            history = history if corrected else History(history.entries[: then.entry])
        shown = campaign.sheet(who, state)
    number = _value(shown, value)
    found = [(term, _contributions(history, shown.character, term, last)) for term in number.terms]
    if cli.json:
        cli.data(value_json(shown, number, found))
    else:
        show_why(cli, shown, number, found, moment)


def _contributions(history: History, character: CharacterId, term: Term, last: ActionNumber) -> list[Contribution]:
    """The actions behind a term, up to the last one that counts then."""
    found = contributions_to(history, character, term.path) if term.path else []
    return [one for one in found if one.action <= last]


def _value(shown: Sheet, key: str) -> Value:
    value = shown.value(key)
    if value is None:
        raise not_found(f"value on {shown.name}'s sheet", key, (each.label for each in shown.values))
    return value


@command()
@click.argument("one", metavar="A", type=MOMENT)
@click.argument("other", metavar="B", default=NOW)
@click.argument("who", required=False, shell_complete=complete_character)
@as_known_option
def diff(cli: CliContext, one: str, other: str, who: str | None, *, corrected: bool) -> None:
    """What differs on the sheets between two moments, for everybody or for one character.

    \b
    rollbook diff 12 30                  as the table knew it when actions 12 and 30 had been taken
    rollbook diff 12 30 --as-corrected   after the same actions, with the corrections made since
    rollbook diff @40 @60                as the table knew it at entries 40 and 60; rollbook log --all lists entries
    rollbook diff s1 s2                  at the ends of sessions 1 and 2
    rollbook diff 12 robin               action 12 and now, for one character
    rollbook diff ~1                     timeline 1 and now; ~1:12 is action 12 there, ~0 is canon
    """
    campaign = cli.campaign()
    if who is None and not is_moment(other):
        other, who = NOW, other
    other = MOMENT.convert(other, None, None)
    with cli.wait("Reading the history …"):
        (before_called, before), (after_called, after) = (
            state_at(cli, text, corrected=corrected) for text in (one, other)
        )
    wanted = campaign.character_id(who) if who else ""
    changes = [change for change in sheet_changes(before, after, campaign.rulebook) if wanted in ("", change.character)]
    if cli.json:
        for change in changes:
            cli.data(change)
        return
    cli.print(Text(f"{before_called} → {after_called}", style="bold yellow"))
    rows = {}
    for change in changes:
        whole = "" if who else _joined_or_absent(change.character, before, after)
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
