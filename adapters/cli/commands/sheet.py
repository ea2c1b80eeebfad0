"""sheet."""

import click

from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.moments import as_known_option, at_option, state_at
from adapters.cli.parameters import command, complete_character
from adapters.cli.views.sheet import show_party, show_set_aside, show_sheet
from domain.lookup import find_character
from domain.sheet import Sheet
from domain.state import CampaignState, Character


@command()
@click.argument("who", required=False, shell_complete=complete_character)
@at_option("Another moment: after action 12, after entry @47, at the end of session s2.")
@as_known_option
def sheet(cli: CliContext, who: str | None, at: str | None, *, corrected: bool) -> None:
    """A character's sheet, or everybody's in a table.

    \b
    rollbook sheet robin --at 40                  as the table knew it when action 40 had been taken
    rollbook sheet robin --at 40 --as-corrected   after action 40, with the corrections made since
    rollbook sheet robin --at @47                 as the table knew it at entry 47 (rollbook log --all lists entries)
    """
    campaign = cli.campaign()
    if at is None:
        moment, state = "", campaign.state
    else:
        with cli.wait("Reading the history …"):
            moment, state = state_at(cli, at, corrected=corrected)
    if campaign.damage:
        cli.warn(campaign.damage)
    if who is None:
        _show_party(cli, campaign, state)
    else:
        _show_one(cli, campaign.sheet(who, state), moment, state.characters[find_character(state, who)])


def _show_party(cli: CliContext, campaign: Campaign, state: CampaignState) -> None:
    sheets = [campaign.rulebook.sheet(who, state) for who in state.characters.values() if who.present]
    if cli.json:
        for shown in sheets:
            cli.data(shown)
    elif sheets:
        show_party(cli, sheets, campaign.rulebook.overview(state))
    else:
        cli.print("Nobody is in play yet. Bring somebody in: rollbook do join --help")


def _show_one(cli: CliContext, shown: Sheet, moment: str, who: Character) -> None:
    if cli.json:
        cli.data(shown)
    else:
        show_sheet(cli, shown, moment)
        show_set_aside(cli, who)
