"""A run on PostgreSQL: a store of its own, tables, those who play at them, and the checks when everything has come to rest."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import attrs

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from tests.support.hosting.checks import Findings, check_audits, check_history
from tests.support.hosting.crowd import Client, Crowd
from tests.support.hosting.ledger import Ledger
from tests.support.hosting.tables import close_sessions, set_up
from tests.support.postgres import PROGRAM, PostgresServer


@attrs.define
class Size:
    """Size of a run."""

    campaigns: int = 40
    clients: int = 8
    each: int = 10
    pause: float = 0.01


class Process(Protocol):
    """A process of a node. ``variables`` are those of its environment."""

    variables: dict[str, str]

    def start(self) -> None: ...

    def kill(self) -> None: ...


class Players(Protocol):
    """Those who play, and what they play through."""

    def start(self) -> None:
        """Start everything, and wait until each player has been told something."""

    def stop(self) -> None:
        """Let all clients finish what is under way, and end."""

    def of_node(self, number: int) -> Sequence[Process]:
        """The processes of one node."""

    def wait_for_news(self, *, of: Sequence[Process] | None = None) -> object:
        """Wait until something more was acknowledged to each player, or to those of some processes."""

    def ledger(self) -> Ledger:
        """The ledger of all clients so far."""

    def check(self, book: Book, found: Findings) -> None:
        """Note what is wrong with what nodes and readers have."""


@attrs.define
class Run:
    """A store on a server, and who plays on it. ``address`` is how nodes reach it, ``direct`` how the checks do.

    ``beside`` is what a fault needs besides, and ``checks`` what has to be looked at for it.
    """

    folder: Path
    server: PostgresServer
    database: str
    address: str
    seats: dict[str, tuple[str, ...]]
    size: Size
    crowd: Players = attrs.field(factory=lambda: Crowd([]))
    chance: random.Random = attrs.field(factory=lambda: random.Random(15))
    beside: object = None
    checks: list[Callable[[Findings], None]] = attrs.field(factory=list)

    @property
    def direct(self) -> str:
        """The store without anything in between."""
        return self.server.dsn(PROGRAM, self.database)

    def book(self) -> Book:
        """A book of the store, with a read model of its own."""
        return open_book(self.direct, self.folder / "seeds", create=False)

    def check(self) -> Findings:
        """Find what is wrong now. Sessions are closed, so that dice can be proven."""
        ledger = self.crowd.ledger()
        with self.book() as book:
            close_sessions(book)
            found = check_history(book, ledger)
            found.unproven += check_audits(book)
            self.crowd.check(book, found)
        found.lost += [
            f"{one.id} of {one.campaign} was never answered: {one.tries} tries." for one in ledger.unanswered
        ]
        raised = [answer for answer in ledger.answers if answer.startswith(("!!", "N Something"))]
        found.torn += [f"somebody was told what is no sentence: {answer}" for answer in raised]
        for check in self.checks:
            check(found)
        return found


class Playing(Protocol):
    """Begins a run on a new database, in which people play until the end of the block."""

    def __call__(
        self,
        server: PostgresServer,
        folder: Path,
        size: Size,
        *,
        address: Callable[[str], str] | None = None,
        together: bool = False,
        adapt: Callable[[Run], None] = ...,
    ) -> AbstractContextManager[Run]:
        """``address`` makes the store's address of the name of its database, where that is not simply the server's.

        ``together``: all players are in one campaign. ``adapt`` is called when all is ready, before the clients play.
        """


def new_run(
    server: PostgresServer, folder: Path, size: Size, address: Callable[[str], str] | None, *, together: bool
) -> Run:
    """A run on a new database, with its tables, before anyone plays."""
    folder.mkdir(exist_ok=True)
    database = server.new_database()
    run = Run(folder, server, database, "", {}, size)
    run.address = address(database) if address else run.direct
    with open_book(run.direct, folder / "seeds") as book:
        run.seats = set_up(book, 1 if together else size.campaigns, size.clients, 1 if together else size.each)
    return run


@contextmanager
def at_play(run: Run, adapt: Callable[[Run], None]) -> Iterator[Run]:
    """The players of a run play until the end of the block, once it was adapted."""
    adapt(run)
    try:
        run.crowd.start()
        yield run
    finally:
        run.crowd.stop()


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
    """A crowd that plays without pages, each in a process that is a node for it (``Playing``)."""
    run = new_run(server, folder, size, address, together=together)
    run.crowd = Crowd(
        [
            Client(seat, campaigns, run.address, folder, {}, corrects=not together, pause=size.pause)
            for seat, campaigns in run.seats.items()
        ]
    )
    with at_play(run, adapt):
        yield run
