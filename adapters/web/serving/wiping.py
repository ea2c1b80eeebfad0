"""What another computer has removed from the store goes from the caches of this one, whether anybody asks for it or not."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress

from rollbook.adapters.web.live.response_cache import ResponseCache
from rollbook.adapters.web.workers.campaign_workers import CampaignWorkers
from rollbook.application.book import Book
from rollbook.domain.base.errors import RollbookError

TRIES, WAIT = 50, 0.1
"""So often it is looked whether readers have let go of the old rows, and seconds between."""


def wipe(open_book: Callable[[], Book]) -> None:
    """Make the read model again without what was removed, and wait until nothing of it is in the log beside the file.

    If it cannot be done now, the next program that opens the store does it.
    """
    with suppress(RollbookError, sqlite3.Error, OSError), open_book() as book:  # which follows what was removed
        for _ in range(TRIES):
            if book.read_model.is_log_empty():
                return
            time.sleep(WAIT)


async def let_go_of_removed(
    cache: ResponseCache, all_workers: tuple[CampaignWorkers, ...], open_book: Callable[[], Book]
) -> None:
    """Something is gone from the store: nothing of it stays in the memory of a server or in its files."""
    cache.forget_all()
    for workers in all_workers:
        await workers.open_again()
    await asyncio.to_thread(wipe, open_book)
