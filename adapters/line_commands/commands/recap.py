"""recap: where the group stopped."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Counted, command, option
from rollbook.adapters.line_commands.views.recap import show_recap
from rollbook.projections.database import COUNTS
from rollbook.projections.session_log import SqlCondition
from rollbook.projections.status import status_of

LINES = 6
"""The last lines of the log that are shown."""


@command()
@option("-n", "--last", kind=Counted(1), default=LINES, metavar="N", help=f"How many lines of the log ({LINES}).")
def recap(context: CommandContext, last: int) -> None:
    """The place where you stopped: when that was, what happened last, and the fight or the scene.

    A prompt begins with it.
    """
    campaign, read_model = context.asked()
    lines = read_model.log(campaign, last=last, where=SqlCondition("status = ?", (COUNTS,)))
    found = context.campaign()
    status = status_of(found.state, found.session.rulebook)
    if context.json:
        context.data({"campaign": status.campaign, "lines": lines, "status": status})
    elif lines:
        show_recap(context, lines, status)
    else:
        context.print("Nothing has happened yet.")
