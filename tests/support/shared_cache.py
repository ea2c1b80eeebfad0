"""A node's cache, and a process that shares it: ``python -m tests.support.shared_cache FOLDER SECONDS NUMBER``."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rollbook.adapters.storage.read_model import last_access
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.ports.clock import microseconds
from rollbook.application.registry import RulesetRegistry
from tests.support.campaigns import KnownSeeds, ticking_clock
from tests.support.toy import TOY

KEPT = 1_000_000
"""Microseconds that a campaign stays in a cache that processes share, while this one asks for others."""


def cached_book(folder: Path, clock: Callable[[], int]) -> Book:
    """A store whose read model is a cache, as that of a store on a server is."""
    store, cache = SQLiteEventStore(folder / "rollbook.db"), SQLiteReadModel(folder / "cache.read.db", clock=clock)
    return book_of(store, cache, KnownSeeds(folder / "seeds"), RulesetRegistry({"toy": TOY}), ticking_clock())


def main(folder: str, seconds: float, number: int) -> None:
    """Ask for a few campaigns for a while, then for others; play in them, and drop those without requests.

    Fails if a line of a log is missing. Prints how often a requested campaign had been dropped.
    """
    last_access.KEPT, last_access.AS_GOOD_AS_NOW = KEPT, KEPT // 10
    chance, end, dropped = random.Random(number), time.monotonic() + seconds, 0
    with cached_book(Path(folder), microseconds) as book:
        while time.monotonic() < end:
            mine, until = chance.sample(book.campaigns(), 2), time.monotonic() + 2 * KEPT / 1_000_000
            for name in mine:
                dropped += not book.read_model.has(name)
            while time.monotonic() < min(until, end):
                campaign = book.campaign(chance.choice(mine))
                if chance.random() < 0.3:
                    campaign.do("note", {"text": f"by {number}"})
                campaign.session.project()
                entries = [line.entry for line in book.read_model.log(campaign.id, everything=True)]
                assert entries[: campaign.head.entry] == list(range(1, campaign.head.entry + 1)), (campaign.id, entries)
                book.read_model.tidy(mine)
    sys.stdout.write(f"{dropped}\n")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
