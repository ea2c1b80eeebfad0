"""An X-card that is raised at a node leaves nothing in the database that tells who raised it, and little on its server."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.serving.app import WebTable, create_app
from rollbook.adapters.wiring import open_book
from rollbook.application.ports.seat_links import digest
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.events import XCardRaised
from tests.support.postgres import PostgresServer
from tests.support.web import cookie_name

PLAYERS = ("Mira", "Jo")
SAME_ORIGIN = {"Origin": "http://127.0.0.1:7655", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def database(postgres_store: str) -> str:
    return postgres_store.rpartition("/")[2]


@pytest.fixture
def app(
    postgres_server: PostgresServer, postgres_store: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> WebTable:
    """A node of a store whose server logs every statement with all that is in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    postgres_server.administer(f"ALTER DATABASE {database} SET log_statement = 'all'")
    with open_book(postgres_store, tmp_path / "seeds") as book:
        campaign = book.new("Sherwood", "storytoken")
        campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
        for name in PLAYERS:
            campaign.do("take-seat", {"seat": name, "role": "player"})
    return create_app(ServerAddress(postgres_store), tmp_path / "seeds")


@pytest.fixture
def browsers(app: WebTable, postgres_store: str, tmp_path: Path) -> Iterator[dict[str, TestClient]]:
    """The browsers of the players, each with the page open."""
    with open_book(postgres_store, tmp_path / "seeds") as book:
        identity = book.campaign("sherwood").state.identity
    with TestClient(app) as started:
        found = {}
        for name in PLAYERS:
            client = TestClient(
                app, base_url="http://127.0.0.1:7655", client=("127.0.0.1", 50_000), headers=SAME_ORIGIN
            )
            client.portal = started.portal
            _, token = app.sessions.links.make("sherwood", identity, name)
            client.cookies.set(cookie_name(app), app.sessions.links.take(token, ""))
            assert client.get("/c/sherwood").status_code == 200
            found[name] = client
        yield found


def rows(server: PostgresServer, database: str) -> dict[str, set[str]]:
    """Every row of every table, with the transaction that wrote it and the place where it lies."""
    tables = server.administer("SELECT tablename FROM pg_tables WHERE schemaname = 'rollbook'", database)
    return {
        str(table): {str(row) for row in server.administer(f"SELECT xmin, ctid, t.* FROM rollbook.{table} t", database)}
        for (table,) in tables
    }


def raise_card(client: TestClient) -> None:
    assert client.post("/c/sherwood/x-card").status_code < 400


def test_all_that_an_x_card_writes_is_one_entry_that_names_nobody(
    postgres_server: PostgresServer, database: str, app: WebTable, browsers: dict[str, TestClient]
) -> None:
    written = []
    for name in PLAYERS:
        before = rows(postgres_server, database)
        raise_card(browsers[name])
        after = rows(postgres_server, database)
        changed = {table: after[table] - before[table] for table in after if after[table] != before[table]}
        assert {"stored_events"} <= changed.keys() <= {"stored_events", "kind_sets"}  # the second when its kind is new
        (entry,) = changed["stored_events"]
        assert XCardRaised.__name__ in entry
        digests = [digest(client.cookies[cookie_name(app)]) for client in browsers.values()]
        for word in (*PLAYERS, "Ana", "127.0.0.1", *(repr(each)[2:-1] for each in digests)):
            assert word not in entry
        written.append(without_chance(entry))
    assert written[0] == written[1]


def without_chance(row: str) -> str:
    """A row without numbers, moments, salts and hashes."""
    return re.sub(r"[0-9a-f]{32,64}|\d+", "…", row)


def test_at_the_moment_of_an_x_card_no_browser_is_looked_up(
    postgres_server: PostgresServer, app: WebTable, browsers: dict[str, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollbook.adapters.web.seats.signing_in.QUIET", 1.0)
    log = postgres_server.folder / "log"
    for name, client in browsers.items():
        mine = digest(client.cookies[cookie_name(app)]).hex()
        time.sleep(1.1)
        at = log.stat().st_size
        client.get("/c/sherwood")
        assert mine in since(log, at)  # what is found if it is there
        at = log.stat().st_size
        raise_card(client)  # which loads the page again
        said = since(log, at)
        assert XCardRaised.__name__.encode().hex() in said
        assert mine not in said
        assert name not in said


def since(log: Path, at: int) -> str:
    """What the server has logged since, once it has."""
    time.sleep(0.3)
    return log.read_bytes()[at:].decode(errors="replace")


def test_all_nodes_call_themselves_the_same(
    postgres_server: PostgresServer, database: str, browsers: dict[str, TestClient]
) -> None:
    assert browsers
    asked = (
        f"SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = '{database}' AND usename = 'rollbook'"
    )
    names = [str(name) for (name,) in postgres_server.administer(asked)]
    assert names
    assert [
        name for name in names if not re.fullmatch("rollbook( [a-z]+)?", name)
    ] == []  # what it is for, and no node's
