"""Waits of a group at its browsers: ``python -m benchmarks.in_browsers``.

Three nodes share a PostgreSQL store, and the campaign has 3,000 actions. The GM is at the first node, a player's telephone at the
second, the screen in the room at the third. Printed are the medians of the first paint of a page, and of the time from the GM's
key until an act is on each of them. It needs the extra ``browser``, Chromium and PostgreSQL.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.long_fight import blows, opening
from benchmarks.postgres_server import PROGRAM, SEED_KEY, PostgresServer, why_not
from benchmarks.web import Served, served
from rollbook.adapters.wiring import open_book
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.ports.clock import microseconds
from rollbook.rulesets import storytoken

CAMPAIGN, ACTIONS, ACTS = "sherwood", 3_000, 12
SEATS = ((CAMPAIGN, "Ana", "gm"), (CAMPAIGN, "Mira", "player"), (CAMPAIGN, "Room", "spectator"))
DESK, PHONE = (1_400, 1_000), (360, 780)
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def measure(folder: Path) -> None:
    """Print what was measured."""
    server = PostgresServer()
    with ExitStack() as stack:
        stack.callback(server.close)
        server.make()
        address = server.dsn(PROGRAM, server.new_database())
        os.environ["ROLLBOOK_SEED_KEY"] = SEED_KEY
        with open_book(address, folder / "seeds") as book:
            EntryLog(book.store, CAMPAIGN, microseconds).write(Head(), [opening(storytoken.RULESET), *blows(ACTIONS)])
            book.campaign(CAMPAIGN).do("close-session")
            book.campaign(CAMPAIGN).do("open-session", {"title": "Friday"})
        nodes = []
        for number, seat in enumerate(SEATS):
            os.environ["ROLLBOOK_CACHE"] = str(folder / f"cache-{number}")
            nodes.append(stack.enter_context(served("table", address, [seat], seeds=folder / "seeds")))
        browser = stack.enter_context(import_module("playwright.sync_api").sync_playwright()).chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox", "--disable-quic"]
        )
        stack.callback(browser.close)
        pages = [
            _page(browser, node, seat, size)
            for node, (_, seat, _), size in zip(nodes, SEATS, (DESK, PHONE, DESK), strict=True)
        ]
        _say("first paint, all pages", [paint for page in pages for paint in _paints(page)])
        for name, seen in zip(("GM", "telephone", "room"), _acts(pages), strict=True):
            _say(f"an act seen: {name}", seen)


def _page(browser: Any, node: Served, seat: str, size: tuple[int, int]) -> Any:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    name, _, value = node.cookies[seat].partition("=")
    address = f"http://127.0.0.1:{node.port}"
    context.add_cookies([{"name": name, "value": value, "url": address}])
    page = context.new_page()
    path = "/c/sherwood/screen" if seat == "Room" else "/c/sherwood"
    page.goto(address + path)
    page.wait_for_selector("html[data-ready]")
    return page


def _paints(page: Any) -> list[float]:
    found = []
    for _ in range(5):
        page.reload()
        page.wait_for_selector("html[data-ready]")
        found.append(page.evaluate(PAINTED) / 1_000)
    return found


def _acts(pages: Sequence[Any]) -> list[list[float]]:
    """Seconds from the key until each page shows the act, each waited for in turn, the farthest first."""
    seen: list[list[float]] = [[] for _ in pages]
    gm = pages[0]
    for number in range(ACTS):
        words = f"a sign of {number:03}"
        for at, page in reversed(list(enumerate(pages))):
            gm.locator("#line-input").fill(f'note "{words} {at}"')
            began = time.perf_counter()
            gm.keyboard.press("Enter")
            page.get_by_text(f"{words} {at}").first.wait_for(state="attached")
            seen[at].append(time.perf_counter() - began)
            time.sleep(0.4)
    return seen


def _say(name: str, seconds: Sequence[float]) -> None:
    ranked = sorted(seconds)
    print(f"{name:<28} median {statistics.median(ranked):.2f} s, most {ranked[-1]:.2f} s, of {len(ranked)}")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    if reason := why_not():
        raise SystemExit(reason)
    with tempfile.TemporaryDirectory() as place:
        measure(Path(place))
