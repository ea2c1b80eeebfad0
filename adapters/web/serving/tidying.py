"""Housekeeping of a server: drops unused campaigns and removed content, and empties write-ahead logs."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path

import attrs

from rollbook.adapters.storage.sqlite.opening import log_size
from rollbook.adapters.web.live.bells import Hub
from rollbook.adapters.web.live.live_updates import LiveUpdates
from rollbook.adapters.web.live.response_cache import ResponseCache
from rollbook.adapters.web.live.seat_cache import SeatCache
from rollbook.adapters.web.workers.campaign_workers import CampaignWorkers
from rollbook.application.book import Book
from rollbook.domain.base.errors import RollbookError

TRIES, WAIT = 50, 0.1
"""Most checks whether readers have let go of the old rows, and seconds between two."""


def wipe(open_book: Callable[[], Book]) -> None:
    """Rebuild the read model without removed content, and wait until its write-ahead log is empty.

    If that fails now, the next program that opens the store does it.
    """
    with suppress(RollbookError, sqlite3.Error, OSError), open_book() as book:  # opening it follows the removal
        for _ in range(TRIES):
            if book.read_model.is_log_empty():
                return
            time.sleep(WAIT)


async def let_go_of_removed(
    cache: ResponseCache, all_workers: tuple[CampaignWorkers, ...], open_book: Callable[[], Book]
) -> None:
    """Drop what was removed from the store from the memory of a server and from its files."""
    cache.forget_all()
    for workers in all_workers:
        await workers.open_again()
    await asyncio.to_thread(wipe, open_book)


LET_GO_EVERY = 5.0
"""Seconds between two looks for unused campaigns."""
PUT_AWAY_EVERY = 2.0
"""Seconds between two calls of ``checkpoint_wal``."""


@attrs.define(eq=False)
class Tidying:
    """Housekeeping in the server's own thread, except for work on files. ``store`` is None if it is no file."""

    store: Path | None
    hub: Hub
    live_updates: LiveUpdates
    seat_cache: SeatCache
    slow_workers: CampaignWorkers

    async def go_on(self) -> None:
        """Tidy until it is cancelled."""
        await asyncio.gather(self._let_go(), self._put_away())

    async def _let_go(self) -> None:
        while True:
            await asyncio.sleep(LET_GO_EVERY)
            self.live_updates.forget_unheard()
            await self.live_updates.workers.let_go_of_unused(self.hub.is_heard)
            for campaign in [one for one in self.seat_cache.known if not self.hub.is_heard(one)]:
                if not self.live_updates.workers.of(campaign).is_warm(campaign):
                    del self.seat_cache.known[campaign]
            await self.slow_workers.let_go_of_unused(lambda _: False)

    async def _put_away(self) -> None:
        while True:
            await asyncio.sleep(PUT_AWAY_EVERY)
            files = {*self.live_updates.workers.read_models(), *([self.store] if self.store else ())}
            await asyncio.to_thread(checkpoint_wal, files)


def checkpoint_wal(files: Iterable[Path]) -> None:
    """Move the write-ahead logs of SQLite files into these, as far as no reader needs them.

    SQLite does it in the commit that fills a log, and all readers would wait for the result of that command: it is the
    slowest of fifty. A log that was put away costs a look into SQLite's index of it. The time at which it was written does not
    say whether there is anything to do: its rows are there before they are committed, and a reader may have kept the last ones.
    """
    for path in files:
        with suppress(sqlite3.Error, OSError):
            if not log_size(path):
                continue
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)
            with closing(connection):
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
