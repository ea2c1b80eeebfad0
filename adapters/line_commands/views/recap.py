"""A recap: when the group last played, what happened last, and how it stands."""

from collections.abc import Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.styled import GAP, Text
from rollbook.adapters.line_commands.views.board import opening
from rollbook.adapters.line_commands.views.log import show_log
from rollbook.adapters.presentation.plain_text import printable
from rollbook.projections.session_log import LogLine
from rollbook.projections.status import Status


def show_recap(context: CommandContext, lines: Sequence[LogLine], status: Status) -> None:
    """Print it: ``lines`` are the last of the log, at least one."""
    context.print(Text.assemble((_when(context, lines[-1], status), "bold cyan")))
    show_log(context, lines, {})
    context.print_blocks([GAP, *opening(status)])


def _when(context: CommandContext, last: LogLine, status: Status) -> str:
    title = f", {printable(status.session_title)}" if status.session_title else ""
    session = f"session {status.session}{title}" if status.session else "before the first session"
    is_open = "" if status.session_open or not status.session else ", which is closed"
    return f"Last played: {context.zone().time(last.at)} · {session}{is_open}"
