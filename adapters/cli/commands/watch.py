"""watch: a campaign that others go on with, on a second screen."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

from rich.console import Console, RenderableType
from rich.control import Control
from rich.screen import Screen
from rich.segment import Segment, Segments
from rich.text import Text

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.drawing import drawn_blocks
from rollbook.adapters.cli.keys import typed_keys
from rollbook.adapters.line_commands.declared import command
from rollbook.adapters.line_commands.options import for_option, hidden_from, seat_named
from rollbook.adapters.line_commands.views.board import blocks, show_status
from rollbook.adapters.presentation.plain_text import printable
from rollbook.application.campaign import Campaign
from rollbook.application.ports.store_address import Place
from rollbook.application.view import CampaignView
from rollbook.application.visibility.seat_campaign import SeenCampaign, as_seen
from rollbook.domain.base.errors import NotFound, StaleHistory
from rollbook.projections.status import Status, status_of

EVERY = 0.3
"""Seconds between two looks at the store and at the size of the terminal."""

LEAVE = "q"


@command()
@for_option("Only what this seat may see: player:mira, or table for everybody.")
def watch(cli: CliContext, reader: str) -> None:
    """Show the fight or the scene on a second screen, drawn again after every change by anybody. Ctrl-C or q leaves.

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
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the terminal is put in order before the end
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
    lines = console.render_lines(drawn_blocks(blocks(status)), console.options.update(width=width, height=None))
    more = len(lines) - (height - 1)
    if more > 0:
        lines = lines[: height - 2]
        footer = f"… {more + 1} more lines · {footer}"
    shown = [Segment.line() if part is None else part for line in lines for part in (*line, None)]
    blank = "\n" * max(height - 1 - len(lines), 0)
    last = Text(printable(footer), "dim")
    last.truncate(width, overflow="ellipsis")
    return Screen(Segments(shown), Text.assemble(blank, last))


class Watched:
    """A campaign that is looked at again and again. ``reader`` is the seat of ``--for``, "" for everything."""

    def __init__(self, cli: CliContext, reader: str) -> None:
        self._cli = cli
        self._reader = reader
        self._open()

    def _open(self) -> None:
        self.campaign: Campaign = self._cli.campaign()
        self._file = _file_at(self._cli.store_path)
        self._seen = 0
        self._shown: SeenCampaign | None = None

    def has_changed(self) -> bool:
        """True if something was stored since the last call, and at the first call.

        A store that was restored, or put in the place of the old one, is opened again. Raises NotFound if there is none any
        more, HistoryDamaged if what is stored is not whole, and what the store raises.
        """
        try:
            if _file_at(self._cli.store_path) != self._file:
                self._open_again()
            entry = self.campaign.refresh().entry
        except StaleHistory:
            self._open_again()
            entry = self.campaign.refresh().entry
        self.campaign.session.history.check_undamaged()
        before, self._seen = self._seen, entry
        return entry != before

    def _open_again(self) -> None:
        self._cli.close()
        self._open()

    def status(self) -> Status:
        """The status, as far as the reader may see it."""
        shown = self._as_read()
        return status_of(shown.state, shown.session.rulebook)

    def _as_read(self) -> CampaignView:
        """The campaign as the reader may see it, brought up to date from the last look where that is possible."""
        hides = hidden_from(self.campaign, seat_named(self.campaign, self._reader)) if self._reader else None
        if hides is None:
            return self.campaign
        if self._shown is None or self._shown.reader != hides or not self._shown.follow():
            self._shown = as_seen(self.campaign, hides)
        return self._shown


def _file_at(path: Place) -> tuple[int, int]:
    """Device and inode of a file, to detect its replacement. Raises NotFound if it is gone. 0, 0 for a server."""
    if not isinstance(path, Path):
        return 0, 0
    try:
        found = path.stat()
    except FileNotFoundError:
        raise NotFound(f"The store at {path} is gone. Put it back, or name another with --store.") from None
    return found.st_dev, found.st_ino
