"""sheet: the numbers."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import argument, command, option, paged
from rollbook.adapters.line_commands.moments import Moment
from rollbook.adapters.line_commands.options import at_option, suggest_characters
from rollbook.adapters.line_commands.views.sheet import show_party, show_set_aside, show_sheet
from rollbook.domain.state.lookup import find_among


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
