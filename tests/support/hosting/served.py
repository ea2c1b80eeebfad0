"""A run with pages: three servers of one store on PostgreSQL, players who act and readers who follow over HTTP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from rollbook.application.book import Book
from tests.support.hosting.browsers import until
from tests.support.hosting.checks import Findings
from tests.support.hosting.ledger import Ledger
from tests.support.hosting.load import HEALED_WITHIN, Hosted
from tests.support.hosting.nodes import Node
from tests.support.hosting.runs import Process, Run, Size, at_play, new_run
from tests.support.hosting.tables import seated
from tests.support.postgres import SEED_KEY, PostgresServer

NODES = 3


@attrs.define
class Browsers:
    """Players in browsers, at whichever node answers; some follow a campaign at each node."""

    hosted: Hosted
    pause: float

    def start(self) -> None:
        self.hosted.start()
        self.hosted.begin_load(pause=self.pause)
        self.wait_for_news()

    def stop(self) -> None:
        self.hosted.end_load()

    def of_node(self, number: int) -> list[Node]:
        return [self.hosted.nodes[number % NODES]]

    def wait_for_news(self, *, of: Sequence[Process] | None = None) -> None:
        """Wait until all nodes answer, and each player was told something more."""
        before = self._told()
        for node in self.hosted.nodes:
            node.wait()
        seats = [player.seat for player in self.hosted.players]
        until(
            lambda: (told := self._told()) and all(told[seat] > before[seat] for seat in seats),
            HEALED_WITHIN,
            f"each player is told something more: {before} {self.hosted.ledger.answers.most_common(5)}",
        )

    def _told(self) -> Counter[str]:
        return Counter(one.seat for one in self.hosted.ledger.acknowledged)

    def ledger(self) -> Ledger:
        return self.hosted.ledger

    def check(self, book: Book, found: Findings) -> None:
        self.hosted.check_views(book, found)


@contextmanager
def served(
    server: PostgresServer,
    folder: Path,
    size: Size,
    *,
    address: Callable[[str], str] | None = None,
    together: bool = False,
    adapt: Callable[[Run], None] = lambda _: None,
) -> Iterator[Run]:
    """Players and readers in browsers, at nodes that serve pages (``runs.Playing``)."""
    run = new_run(server, folder, size, address, together=together)
    with run.book() as book:
        seatings = seated(book, book.seeds.links(), run.seats)
        model = f"{book.store.identity()}.read.db"
    folders = [folder / f"node-{number}" for number in range(NODES)]
    nodes = [
        Node(
            number,
            run.address,
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
    hosted = Hosted(run.book, nodes, seatings, lambda: [own / "cache" / model for own in folders])
    run.crowd = Browsers(hosted, max(size.pause, 0.05) if not together else 0.0)
    try:
        with at_play(run, adapt):
            yield run
    finally:
        hosted.stop()
