"""What the table may know: laying open what was kept from it, and removing a person's private words for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from adapters.cli.desk import Desk
from adapters.cli.options import ACTION, pass_desk, seat_names, shared

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from domain.events import Scalar
    from domain.history import Entry


@click.command(short_help="Lay open what was kept from the table.")
@click.argument("what", nargs=-1, required=True, metavar="WHO | N ...")
@click.option("--seat", metavar="SEAT", shell_complete=seat_names, help="Who lays it open (default: the GM).")
@shared
@pass_desk
def reveal(desk: Desk, what: tuple[str, ...], seat: str | None) -> None:
    """Bring a hidden character into the open, or lay open actions that were the GM's alone.

    Players' exports hold it from now on, and can be proven to be what was kept then: the receipts are the same.

    \b
    rollbook reveal assassin        everybody may know the assassin from now on
    rollbook reveal 12 14           what happened in #12 and #14, with their dice
    """
    campaign = desk.campaign()
    named = [word for word in what if not word.removeprefix("#").isdecimal()]
    if len(named) > 1:
        raise click.UsageError("Bring one character into the open at a time.")
    numbers = [int(word.removeprefix("#")) for word in what if word not in named]
    with desk.wait("Reading the history …"):
        entries = [entry for number in numbers for entry in _kept(campaign, number)]
    who = campaign.character_id(named[0]) if named else ""
    params: dict[str, Scalar] = {"who": who, "entries": tuple(str(entry.number) for entry in entries)}
    _tell(desk, campaign.do("reveal", params, seat=seat))


def _kept(campaign: CampaignBook, action: int) -> list[Entry]:
    """The entries of an action that keep something from the table. Raises NotFound, Refused if everybody knows all of it."""
    from domain.errors import Refused

    found = [e for e in campaign.history.revisions(action) if e.header.visibility or e.header.veiled]
    if not found:
        raise Refused(f"Action #{action} keeps nothing from the table.")
    return found


@click.command(short_help="Remove the words of a note for good.")
@click.argument("action", type=ACTION, metavar="N")
@click.option("--why", metavar="TEXT", required=True, help="The reason, without the words; it stays on record.")
@click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
@click.option("--seat", metavar="SEAT", shell_complete=seat_names, help="Who does it (default: the GM).")
@shared
@pass_desk
def redact(desk: Desk, action: int, why: str, yes: bool, seat: str | None) -> None:
    """Remove the words of a note from the store for good: a person's private words, a matter of safety.

    The history still verifies, and that words were removed stays on record. It cannot be undone, and nothing but the words of
    a note can ever be removed. Files that were exported before still hold them.
    """
    from domain.redaction import check_redactable

    campaign = desk.campaign()
    with desk.wait("Reading the history …"):
        number = action or campaign.history.actions
        check_redactable(campaign.history, number)
    if not yes:
        if not desk.is_interactive:
            raise click.UsageError("Nobody is there to be asked. Add --yes to remove the words.")
        click.confirm(f"Remove the words of #{number} for good? This cannot be undone", default=False, abort=True)
    from adapters.redacting import redact as remove

    gone = remove(desk.book(), campaign, number, why=why, seat=seat)
    _tell(desk, gone.entry)
    if desk.json:
        return
    also = f", and from its copies on {', '.join(gone.copies)}" if gone.copies else ""
    desk.say(f"The words are gone from this computer's store{also}. Files that were exported before still hold them.")


def _tell(desk: Desk, entry: Entry) -> None:
    from adapters.cli import show
    from adapters.cli.taking import facts

    campaign = desk.campaign()
    desk.project()
    line = show.line_of(campaign, entry)
    if desk.json:
        desk.data({**show.line_data(line), "facts": facts(entry)})
    else:
        show.happened(desk, line)
