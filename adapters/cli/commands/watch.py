"""watch."""

import signal
import sys
import time

from rich.console import Console, RenderableType
from rich.control import Control
from rich.screen import Screen
from rich.segment import Segment, Segments
from rich.text import Text

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.drawing.board import drawn
from rollbook.adapters.cli.watching import Watched, typed_keys
from rollbook.adapters.line_commands.declared import command
from rollbook.adapters.line_commands.options import for_option
from rollbook.adapters.line_commands.views.board import show_status
from rollbook.adapters.presentation.plain_text import printable
from rollbook.projections.status import Status

EVERY = 0.3
"""Seconds between two looks at the store and at the size of the terminal."""

LEAVE = "q"


@command()
@for_option("Only what this seat may see: player:mira, or table for everybody.")
def watch(cli: CliContext, reader: str) -> None:
    """How things stand, on a second screen: drawn again whenever anybody stores anything, from wherever. Ctrl-C or q leaves.

    Without a terminal it is printed at once, and again after every change; with --json as one object a line.

    \b
    rollbook watch                       everything, beside the GM's notes
    rollbook watch --for table           for a screen that everybody sees
    rollbook watch --for player:mira     as Mira may see it
    """
    watched = Watched(cli, reader)
    try:
        if cli.json or not sys.stdout.isatty() or cli.out.is_dumb_terminal:
            _print_changes(cli, watched)
        else:
            _fill_screen(cli.out, watched, reader)
    except KeyboardInterrupt:
        return


def _print_changes(cli: CliContext, watched: Watched) -> None:
    is_first = True
    while True:
        if watched.has_changed():
            if cli.json:
                cli.data(watched.status())
            else:
                cli.print(*(() if is_first else ("",)))
                show_status(cli, watched.status())
            is_first = False
            sys.stdout.flush()
        time.sleep(EVERY)


def _fill_screen(console: Console, watched: Watched, reader: str) -> None:
    footer = f"{watched.campaign.id}{f' · as {reader} may see it' if reader else ''} · {LEAVE} leaves"
    status, size = None, None
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who is asked to end puts the terminal in order first
    with typed_keys() as wait, console.screen():
        while True:
            has_changed = watched.has_changed()
            if status is None or has_changed:
                status = watched.status()
            if has_changed or console.size != size:
                size = console.size
                console.control(Control.home())
                console.print(_screen(console, status, footer), end="")
            if LEAVE in wait(EVERY):
                return


def _screen(console: Console, status: Status, footer: str) -> RenderableType:
    """As much of the board as there is room for, above a line that says what it is."""
    width, height = console.size
    lines = console.render_lines(drawn(status), console.options.update(width=width, height=None))
    more = len(lines) - (height - 1)
    if more > 0:
        lines = lines[: height - 2]
        footer = f"… {more + 1} more lines · {footer}"
    shown = [Segment.line() if part is None else part for line in lines for part in (*line, None)]
    blank = "\n" * max(height - 1 - len(lines), 0)
    last = Text(blank + _cut(printable(footer), width), "dim")
    return Screen(Segments(shown), last)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"
