"""What breaks, seen from browsers: three servers of one store on PostgreSQL, players who act and readers who follow over HTTP."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.book import Book, open_book
from tests.support.hosting.faults import Outcome
from tests.support.hosting.load import Hosted
from tests.support.hosting.nodes import Node
from tests.support.hosting.runs import Size
from tests.support.hosting.tables import seated, set_up
from tests.support.postgres import PROGRAM, SEED_KEY, PostgresServer

NODES = 3
KILLED = "kill -9 of a node, seen from browsers"
RESTARTED = "immediate restart, seen from browsers"


@contextmanager
def hosted_on(server: PostgresServer, folder: Path, size: Size) -> Iterator[Hosted]:
    """Nodes of a new store on a server, started, with everybody seated."""
    address = server.dsn(PROGRAM, server.new_database())

    def book() -> Book:
        return open_book(address, folder / "seeds")

    with book() as begun:
        seatings = seated(begun, begun.seeds.links(), set_up(begun, size.campaigns, size.clients, size.each))
        model = f"{begun.store.identity()}.read.db"
    folders = [folder / f"node-{number}" for number in range(NODES)]
    nodes = [
        Node(
            number,
            address,
            folder,
            {
                "ROLLBOOK_SEED_KEY": SEED_KEY,
                "ROLLBOOK_SEEDS": str(own / "seeds"),
                "ROLLBOOK_CACHE": str(own / "cache"),
                "XDG_STATE_HOME": str(own / "state"),
            },
        )
        for number, own in enumerate(folders)
    ]
    hosted = Hosted(book, nodes, seatings, lambda: [own / "cache" / model for own in folders])
    try:
        hosted.start()
        yield hosted
    finally:
        hosted.stop()


def seen_from_browsers(name: str, server: PostgresServer, folder: Path, times: int, size: Size) -> Outcome:
    """Kill nodes or restart the server so many times while browsers play and follow, and look at what came of it."""
    folder.mkdir(exist_ok=True)
    chance = random.Random(15)
    with hosted_on(server, folder, size) as hosted:
        with hosted.under_load(pause=0.05) as ledger:
            for nth in range(times):
                told = len(ledger.acknowledged)
                if name == KILLED:
                    node = hosted.nodes[nth % NODES]
                    node.kill()
                    time.sleep(chance.uniform(0, 0.5))
                    node.start()
                    node.wait()
                else:
                    server.restart(immediate=True)
                end = time.monotonic() + 60
                while len(ledger.acknowledged) < told + size.clients:
                    assert time.monotonic() < end, "nothing more was acknowledged"
                    time.sleep(0.05)
        return Outcome(name, times, ledger, hosted.check())
