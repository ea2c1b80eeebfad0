"""A run on PostgreSQL: a server of its own, tables, a crowd that plays at them, and the checks when it has come to rest."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from adapters.book import Book, open_book
from adapters.storage.read_model import ReadModel
from tests.support.hosting.checks import Findings, check_audits, check_history, check_read_model
from tests.support.hosting.crowd import Client, Crowd
from tests.support.hosting.ledger import Ledger
from tests.support.hosting.tables import close_sessions, set_up
from tests.support.postgres import PROGRAM, PostgresServer


@attrs.define
class Size:
    """How large a run is."""

    campaigns: int = 40
    clients: int = 8
    each: int = 10
    pause: float = 0.01


@attrs.define
class Run:
    """A store on a server, and who plays on it. ``address`` is how nodes reach it, ``direct`` how the checks do."""

    folder: Path
    server: PostgresServer
    database: str
    address: str
    crowd: Crowd
    chance: random.Random = attrs.field(factory=lambda: random.Random(15))

    @property
    def direct(self) -> str:
        """The store without anything in between."""
        return self.server.dsn(PROGRAM, self.database)

    def book(self) -> Book:
        """A book of the store, with a read model that nobody else has."""
        return open_book(self.direct, self.folder / "seeds", create=False)

    def check(self, ledger: Ledger | None = None) -> Findings:
        """What is wrong now. Sessions are closed, so that dice can be proven."""
        ledger = ledger or self.crowd.ledger()
        with self.book() as book:
            close_sessions(book)
            found = check_history(book, ledger)
            found.unproven += check_audits(book)
            found.read_models += self._read_models(book)
        found.lost += [
            f"{one.id} of {one.campaign} was never answered: {one.tries} tries." for one in ledger.unanswered
        ]
        raised = [answer for answer in ledger.answers if answer.startswith("!!")]
        found.torn += [f"a store raised what is no sentence: {answer}" for answer in raised]
        return found

    def _read_models(self, book: Book) -> list[str]:
        """Each client's read model, brought to the end of its campaigns, against one that is made of the store in one go."""
        wrong, rebuilt = [], ReadModel()
        rebuilt.catch_up(book.store, book.rulebook)
        for client in self.crowd.clients:
            for path in client.cache.rglob("*.db"):
                model = ReadModel(path)
                model.catch_up(book.store, book.rulebook, only=client.campaigns)
                wrong += check_read_model(model, rebuilt, f"{client.seat}'s node", client.campaigns)
                model.close()
        rebuilt.close()
        return wrong


@contextmanager
def playing(
    server: PostgresServer,
    folder: Path,
    size: Size,
    *,
    address: Callable[[str], str] | None = None,
    together: bool = False,
    adapt: Callable[[Run], None] = lambda _: None,
) -> Iterator[Run]:
    """A crowd that plays on a new database, until the end of the block; with ``together`` all clients in one campaign.

    ``address`` makes the store's address of the name of its database, where that is not simply the server's. ``adapt`` is called
    when all is ready, before anybody plays.
    """
    folder.mkdir(exist_ok=True)
    database = server.new_database()
    run = Run(folder, server, database, "", Crowd([]))
    run.address = address(database) if address else run.direct
    with open_book(run.direct, folder / "seeds") as book:
        seats = set_up(book, 1 if together else size.campaigns, size.clients, 1 if together else size.each)
    run.crowd = Crowd(
        [
            Client(seat, campaigns, run.address, folder, {}, corrects=not together, pause=size.pause)
            for seat, campaigns in seats.items()
        ]
    )
    adapt(run)
    try:
        run.crowd.start()
        yield run
    finally:
        run.crowd.stop()
