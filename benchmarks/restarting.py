"""Costs of the first request after a server was started again: the table of a campaign of 3,000 actions, for each role."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.long_fight import CAMPAIGN, blows, opening
from benchmarks.measures import QUICK, Row, Scale
from benchmarks.web import served
from benchmarks.web_clients import Connection
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import open_book
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.ports.clock import microseconds
from rollbook.rulesets import storytoken

ACTIONS = 3_000
WANTED = 0.5
"""Seconds of the processor that the first page may take."""
SEATS = ((CAMPAIGN, "Mira", "player"), (CAMPAIGN, "the room", "spectator"))
READERS = (("the GM", ""), ("a player", "Mira"), ("the table", "the room"))
LOOKS, PAUSE = 200, 0.05
"""Looks for the page at most, and the seconds in between."""
BEING_READ = b'http-equiv="refresh"'
"""A mark of the page that is shown instead, while the campaign is still being read."""


def restarting(folder: Path, scale: Scale) -> Iterator[Row]:
    """The first page after a start, from the question until the table is there, in processor time of the server."""
    store = folder / "restart.db"
    EntryLog(SQLiteEventStore(store), CAMPAIGN, microseconds).write(
        Head(), [opening(storytoken.RULESET), *blows(ACTIONS)]
    )
    with open_book(store, folder / "seeds") as book:
        book.campaign(CAMPAIGN).do("close-session")
        book.campaign(CAMPAIGN).do("open-session", {"title": "Friday"})
    with served("table", store, SEATS) as before:
        cookies = before.cookies
        asyncio.run(_first_page(before.port, cookies[""]))
    for who, seat in READERS:
        times = [_once(store, cookies[seat]) for _ in range(1 if scale is QUICK else scale.rounds)]
        seconds = statistics.median(processor for processor, _ in times)
        waited = statistics.median(clock for _, clock in times)
        yield Row(
            name=f"the web: first page after a restart, {ACTIONS:,} actions, for {who} / what is wanted",
            ours=f"{seconds:.3g} s, {waited:.3g} s by the clock",
            other=f"{WANTED:g} s",
            ratio=seconds / WANTED,
            bound=1,
            at_least=False,
        )


def _once(store: Path, cookie: str) -> tuple[float, float]:
    """Seconds of the processor and by the clock."""
    with served("table", store) as node:
        before, began = node.seconds, time.perf_counter()
        asyncio.run(_first_page(node.port, cookie))
        return node.seconds - before, time.perf_counter() - began


async def _first_page(port: int, cookie: str) -> None:
    reader = Connection(port, cookie)
    for _ in range(LOOKS):
        if BEING_READ not in await reader.ask(f"/c/{CAMPAIGN}"):
            break
        await asyncio.sleep(PAUSE)
    reader.close()
