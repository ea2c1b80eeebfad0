"""status: the fight or the scene at a glance."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import command
from rollbook.adapters.line_commands.options import campaign_for, for_option
from rollbook.adapters.line_commands.views.board import show_status
from rollbook.projections.status import status_of


@command()
@for_option("Only what this seat may see: player:mira, or table for everybody.")
def status(context: CommandContext, reader: str) -> None:
    """The fight with its turns, or the scene: who is in it, light and what runs out.

    At the prompt, Enter on an empty line does the same.

    \b
    rollbook status                      everything, for the GM
    rollbook status --for player:mira    as Mira may see it
    """
    campaign = campaign_for(context, reader)
    found = status_of(campaign.state, campaign.session.rulebook)
    if context.json:
        context.data(found)
    else:
        show_status(context, found)
