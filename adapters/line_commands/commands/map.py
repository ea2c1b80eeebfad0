"""map: the squares, in letters."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import command
from rollbook.adapters.line_commands.options import campaign_for, for_option
from rollbook.adapters.line_commands.views.map import show_map
from rollbook.domain.base.errors import Refused
from rollbook.projections.status import status_of


@command()
@for_option("Only what this seat may see: player:mira, or table for everybody.")
def map(context: CommandContext, reader: str) -> None:  # noqa: A001 - the command's name
    """The map of the squares in letters, in a game that is played on them: who stands where.

    North is up. The numbers are squares east and north of the map's origin, as "place" and "move" take them.

    \b
    rollbook map                      everything, for the GM
    rollbook map --for player:mira    as Mira may see it
    """
    campaign = campaign_for(context, reader)
    rulebook = campaign.session.rulebook
    squares = rulebook.square_map(campaign.state)
    if squares is None:
        raise Refused("This campaign is not played on squares, so there is no map. Where everybody is: rollbook status")
    if context.json:
        context.data(squares)
    else:
        show_map(context, squares, status_of(campaign.state, rulebook))
