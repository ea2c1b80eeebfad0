"""status."""

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.cli.readers import campaign_for, for_option
from rollbook.adapters.cli.views.board import show_status
from rollbook.projections.status import status_of


@command()
@for_option("Only what this seat may see: player:mira, or table for everybody.")
def status(cli: CliContext, reader: str) -> None:
    """How things stand: the fight with its turns, or the scene, who is in it, light and what runs out.

    At the prompt, Enter on an empty line does the same.

    \b
    rollbook status                      everything, for the GM
    rollbook status --for player:mira    as Mira may see it
    """
    whole = cli.campaign()
    campaign = campaign_for(whole, reader, answered=cli.reader)
    if campaign.damage:
        cli.warn(campaign.damage)
    found = status_of(campaign.state, campaign.rulebook)
    if cli.json:
        cli.data(found)
    else:
        show_status(cli, found)
