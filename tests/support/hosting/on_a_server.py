"""Nodes of one store, on a PostgreSQL server or in a file, each with a cache of its own, and browsers that have taken seats."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import attrs

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from tests.support.hosting.load import Browser
from tests.support.hosting.nodes import Node, free_ports
from tests.support.hosting.tables import Seating, seated, set_up
from tests.support.streams import Reader

KEY = "ROLLBOOK_SEED_KEY"


@attrs.define
class ServerTables:
    """Nodes of a store at an ``address``, and the seats of its players."""

    address: str
    folder: Path
    nodes: Sequence[Node]
    seatings: Sequence[Seating]

    def book(self) -> Book:
        """A book of its own, as another program would open it. Close it."""
        return open_book(self.address, self.folder / "seeds")

    def browser(self, number: int = 0) -> Browser:
        """A browser that sits in all seats of a player; it took them at the first node."""
        browser = Browser(self.nodes)
        for token in self.seatings[number].tokens:
            browser.sit_down(token)
        return browser

    def cookie(self, number: int = 0) -> str:
        """A cookie of a player who has taken all seats, at no node."""
        with self.book() as book:
            links, taken = book.seeds.links(), ""
            for token in self.seatings[number].tokens:
                taken = links.take(token, taken)
            return f"rollbook-{book.store.identity()[:8]}={taken}"

    def reader(self, browser: Browser, node: int) -> Reader:
        """The same browser, at one node, with streams."""
        return Reader(f"http://127.0.0.1:{self.nodes[node].port}", browser.cookie)

    def metric(self, name: str, processes: int = 1) -> list[float]:
        """A number that each of a node's ``processes`` shows, of those that answer."""
        found = []
        for port in (int(node.words[-1]) + number for node in self.nodes for number in range(processes)):
            try:
                with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                    said = answer.read().decode()
            except OSError:
                continue
            shown = (float(line.rpartition(" ")[2]) for line in said.splitlines() if line.startswith(f"{name} "))
            found.append(sum(shown))
        return found

    @property
    def campaigns(self) -> tuple[str, ...]:
        """The campaigns that are played."""
        return tuple(dict.fromkeys(name for seating in self.seatings for name in seating.campaigns))


@contextmanager
def tables_on(
    address: str,
    folder: Path,
    *,
    nodes: int = 2,
    campaigns: int = 2,
    players: int = 2,
    each: int = 2,
    words: Sequence[str] = (),
) -> Iterator[ServerTables]:
    """Nodes that serve some campaigns in the store at an address, ended afterwards."""
    os.environ.setdefault(KEY, b64encode(bytes(range(32))).decode())
    with open_book(address, folder / "seeds") as book:
        seats = set_up(book, campaigns, players, each)
        seatings = seated(book, book.seeds.links(), seats)
    variables = {KEY: os.environ[KEY], "ROLLBOOK_SEEDS": str(folder / "seeds"), "XDG_STATE_HOME": str(folder / "state")}
    made = [
        Node(
            number,
            address,
            folder,
            {**variables, "ROLLBOOK_CACHE": str(folder / f"cache-{number}")},
            words=(*words, "--metrics", str(free_ports(2))),
        )
        for number in range(1, nodes + 1)
    ]
    try:
        for node in made:
            node.start()
        for node in made:
            node.wait()
        yield ServerTables(address, folder, made, seatings)
    finally:
        for node in made:
            node.stop()
