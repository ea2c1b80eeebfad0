"""A campaign that others go on with: whether anything was stored since, how it stands for one reader, and keys typed then."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.line_commands.readers import hidden_from, seat_named
from rollbook.application.campaign import Campaign
from rollbook.application.ports.store_address import Place
from rollbook.application.view import CampaignView
from rollbook.application.visibility.seat_campaign import SeenCampaign, as_seen
from rollbook.domain.base.errors import NotFound, StaleHistory
from rollbook.projections.status import Status, status_of

Wait = Callable[[float], str]
"""Wait at most so many seconds. Returns what was typed meanwhile, "" for nothing."""


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
        """Whether something was stored since this was last asked; true the first time.

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
        """How it stands, as far as the reader may see."""
        shown = self._as_read()
        return status_of(shown.state, shown.session.rulebook)

    def _as_read(self) -> CampaignView:
        """The campaign as the reader may see it, carried on from when it was last looked at if that can be."""
        hides = hidden_from(self.campaign, seat_named(self.campaign, self._reader)) if self._reader else None
        if hides is None:
            return self.campaign
        if self._shown is None or self._shown.reader != hides or not self._shown.follow():
            self._shown = as_seen(self.campaign, hides)
        return self._shown


def _file_at(path: Place) -> tuple[int, int]:
    """What tells one file from another of its name. Raises NotFound if there is none. A server has no file."""
    if not isinstance(path, Path):
        return 0, 0
    try:
        found = path.stat()
    except FileNotFoundError:
        raise NotFound(f"The store at {path} is gone. Put it back, or name another with --store.") from None
    return found.st_dev, found.st_ino


@contextmanager
def typed_keys() -> Iterator[Wait]:
    """Keys that are typed without being shown, where there is a keyboard; Ctrl-C still interrupts."""
    if not sys.stdin.isatty() or sys.platform == "win32":
        yield _sleep
        return
    import termios  # noqa: PLC0415 - Windows has none
    import tty  # noqa: PLC0415 - Windows has none

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)

    def wait(seconds: float) -> str:
        if not select.select([keyboard], [], [], seconds)[0]:
            return ""
        return os.read(keyboard, 1024).decode(errors="replace") or _sleep(seconds)

    tty.setcbreak(keyboard)
    try:
        yield wait
    finally:
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)


def _sleep(seconds: float) -> str:
    time.sleep(seconds)
    return ""
