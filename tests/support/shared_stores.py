"""Stores in PostgreSQL with the key of their secrets, and nodes that play there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from rollbook.adapters.storage.postgres.connecting import Connections
from rollbook.adapters.storage.postgres.keys import KEY, KEY_FILE, write_key
from rollbook.adapters.storage.postgres.shared_secrets import SharedSecrets, Vault
from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.ports.store_address import ServerAddress
from rollbook.application.registry import RulesetRegistry
from tests.support.campaigns import ticking_clock
from tests.support.postgres import PostgresServer
from tests.support.toy import TOY


@pytest.fixture
def seed_key(postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key file that every program of the test is told, in the place of the key that comes with the server."""
    path = tmp_path / "key" / "seed-key"
    write_key(path)
    monkeypatch.setenv(KEY_FILE, str(path))
    monkeypatch.delenv(KEY, raising=False)
    return path


def node(address: str, folder: Path) -> Book:
    """A node that plays the toy in a store: its caches and its own marks are in the folder."""
    store = PostgresEventStore(ServerAddress(address).given)
    read_model = SQLiteReadModel(folder / "cache.read.db")
    return book_of(
        store, read_model, secrets_at(address, folder, store), RulesetRegistry({"toy": TOY}), ticking_clock()
    )


def secrets_at(address: str, folder: Path, store: PostgresEventStore) -> SharedSecrets:
    """The secrets of a store as a node has them."""
    return SharedSecrets(Vault(address, store.identity()), folder / "state")


def all_rows(connections: Connections, tables: Iterable[str]) -> bytes:
    """Every value of some tables, byte for byte."""
    rows = (row for table in tables for row in connections.rows(f"SELECT * FROM rollbook.{table} ORDER BY 1, 2", ""))
    return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row)
