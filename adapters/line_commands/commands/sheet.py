"""status and sheet: how things stand, and the numbers."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import argument, command, option, paged
from rollbook.adapters.line_commands.moments import Moment
from rollbook.adapters.line_commands.options import at_option, campaign_for, for_option, suggest_characters
from rollbook.adapters.line_commands.views.board import show_status
from rollbook.adapters.line_commands.views.sheet import show_party, show_set_aside, show_sheet
from rollbook.domain.state.lookup import find_among
from rollbook.projections.status import status_of


@command()
@for_option("Only what this seat may see: player:mira, or table for everybody.")
def status(context: CommandContext, reader: str) -> None:
    """How things stand: the fight with its turns, or the scene, who is in it, light and what runs out.

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


@command()
@argument("who", required=False, suggest=suggest_characters)
@at_option
@option("--all", "everything", is_flag=True, help="All of a sheet, however many lines it takes.")
@paged
def sheet(context: CommandContext, who: str | None, *, moment: Moment, everything: bool) -> None:
    """A character's sheet, or everybody's in a table.

    At a terminal a sheet takes at most 20 lines, and the last one says how to see the rest.

    \b
    rollbook sheet robin --at 40                  as the table knew it when action 40 had been taken
    rollbook sheet robin --at 40 --as-corrected   after action 40, with the corrections made since
    rollbook sheet robin --at @47                 as the table knew it at entry @47 (rollbook log --all lists entries)
    """
    party = moment.party()
    named = [find_among(party.people, who)] if who else []
    shown = [party.sheet(each) for each in named or [each.id for each in party.people.values() if each.present]]
    if context.json:
        context.data(*shown)
    elif named:
        show_sheet(context, shown[0], moment.title, everything=everything)
        show_set_aside(context, party.set_aside(named[0]))
    elif shown:
        show_party(context, shown, party.overview)
    else:
        context.print("Nobody is in play yet. Bring somebody in: rollbook do join --help")
