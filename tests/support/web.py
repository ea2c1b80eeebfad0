"""The table on the web: a store with the Sherwood campaign, clients with a seat, and a real server for browsers."""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import WebTable, create_app
from rollbook.adapters.web.serving.listening import Server, bound
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.events import Role
from tests.support.campaigns import book_with
from tests.support.example_sessions import played_example
from tests.support.streams import Reader

SHERWOOD = "sherwood"
GM = Identity(role=Role.GM)
MIRA = Identity(campaign=SHERWOOD, seat="Mira", role=Role.PLAYER)
JO = Identity(campaign=SHERWOOD, seat="Jo", role=Role.PLAYER)
SPECTATOR = Identity(campaign=SHERWOOD, seat="Sam", role=Role.SPECTATOR)


@attrs.frozen
class StoreFiles:
    """Paths of a store and its seeds."""

    store: Path
    seeds: Path

    def book(self) -> Book:
        """A book of its own, as another program would open it. Close it."""
        return open_book(self.store, self.seeds, create=False)


@pytest.fixture(scope="session")
def sherwood_played(tmp_path_factory: pytest.TempPathFactory) -> StoreFiles:
    """The Sherwood session, played once. To be copied, not used."""
    folder = tmp_path_factory.mktemp("sherwood")
    campaign = played_example("sherwood", folder)
    book_with(campaign).close()
    return StoreFiles(folder / "sherwood.db", folder / "seeds")


@pytest.fixture
def sherwood(sherwood_played: StoreFiles, tmp_path: Path) -> StoreFiles:
    """A store with the Sherwood campaign, for one test."""
    return copied(sherwood_played, tmp_path)


def copied(files: StoreFiles, folder: Path) -> StoreFiles:
    """The same store in another folder, with seeds that are bound to it."""
    for path in files.store.parent.iterdir():
        (shutil.copytree if path.is_dir() else shutil.copy)(path, folder / path.name)
    return StoreFiles(folder / files.store.name, folder / files.seeds.name)


@attrs.define
class Clients:
    """Clients of one application, without a network: each with a cookie of its own."""

    app: WebTable
    _started: TestClient

    def as_(self, identity: Identity | None) -> TestClient:
        """A client with an identity; None is a stranger."""
        here = ("127.0.0.1", 50_000)
        client = TestClient(self.app, base_url="http://127.0.0.1:7655", raise_server_exceptions=False, client=here)
        client.portal = self._started.portal  # all in the one event loop of the application
        if identity is not None:
            client.cookies.set(cookie_name(self.app), cookie(self.app, identity))
        client.headers["Origin"] = "http://127.0.0.1:7655"
        client.headers["Sec-Fetch-Site"] = "same-origin"
        return client


def cookie_name(app: WebTable) -> str:
    """Name of the application's cookies over http."""
    return app.sessions.cookies[-1]


def cookie(app: WebTable, identity: Identity) -> str:
    """The value of a cookie for an identity; a spectator's seat is made if there is none."""
    links = app.sessions.links
    if identity.is_host:
        return links.take(links.make_hosts()[1], "")
    with open_book(app.store, app.store.parent / "seeds", create=False) as book:
        campaign = book.campaign(identity.campaign)
        if identity.seat not in campaign.state.seats:
            campaign.do("take-seat", {"seat": identity.seat, "role": identity.role.value})
        its = campaign.state.identity
    return links.take(links.make(identity.campaign, its, identity.seat)[1], "")


@pytest.fixture
def app(sherwood: StoreFiles) -> WebTable:
    """The application of the Sherwood store."""
    return create_app(sherwood.store, sherwood.seeds)


@pytest.fixture
def clients(app: WebTable) -> Iterator[Clients]:
    """Clients of the running application."""
    with TestClient(app) as started:
        yield Clients(app, started)


@contextmanager
def clients_of(files: StoreFiles) -> Iterator[Clients]:
    """Clients of an application of its own, which is stopped at the end."""
    app = create_app(files.store, files.seeds)
    with TestClient(app) as started:
        yield Clients(app, started)


@pytest.fixture
def gm(clients: Clients) -> TestClient:
    """The GM's client."""
    return clients.as_(GM)


@pytest.fixture
def mira(clients: Clients) -> TestClient:
    """A player's client; hers is Robin Hood."""
    return clients.as_(MIRA)


@pytest.fixture
def spectator(clients: Clients) -> TestClient:
    """A spectator's client."""
    return clients.as_(SPECTATOR)


def without_commands(html: str) -> str:
    """A page without the ids of its commands, which are drawn by lot each time that a form is made."""
    return re.sub(r'(name="(?:\w+\.)?command" value=)"[^"]*"', r"\1", html)


@attrs.define
class Running:
    """A server in a thread of this process. ``address`` is without a slash at its end."""

    app: WebTable
    server: Server
    address: str
    _thread: threading.Thread

    def cookies(self, identity: Identity) -> list[dict[str, str]]:
        """Cookies for a browser's context."""
        return [{"name": cookie_name(self.app), "value": cookie(self.app, identity), "url": self.address}]

    def stop(self) -> float:
        """Stop, and how many seconds that took."""
        began = time.monotonic()
        self.server.stop()
        self._thread.join(timeout=60)
        assert not self._thread.is_alive()
        return time.monotonic() - began


def start(files: StoreFiles, *, port: int = 0, door: Door | None = None) -> Running:
    """A server of a store, on a port of its own. Stop it."""
    return run(create_app(files.store, files.seeds, door), port)


def run(app: WebTable, port: int = 0) -> Running:
    """A server of an application, on a port of its own. Stop it."""
    listening = bound("127.0.0.1", port)
    server = Server(app, "127.0.0.1", listening.getsockname()[1])
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), name="server", daemon=True)
    thread.start()
    until(lambda: server.started)
    return Running(app, server, f"http://127.0.0.1:{listening.getsockname()[1]}", thread)


@contextmanager
def running(files: StoreFiles, door: Door | None = None) -> Iterator[Running]:
    """A server that is stopped at the end."""
    found = start(files, door=door)
    try:
        yield found
    finally:
        found.stop()


@pytest.fixture
def served(sherwood: StoreFiles) -> Iterator[Running]:
    """A real server of the Sherwood store."""
    with running(sherwood) as found:
        yield found


def until(holds: Callable[[], object], seconds: float = 10) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.005)


def reader(served: Running, identity: Identity) -> Reader:
    """A reader of the stream with an identity."""
    return Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, identity)}")
