"""The same bytes through the raw ``sqlite3`` module, with the same durability: what nothing can be faster than."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

Row = tuple[str, int, str, bytes]

TABLE = """
CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    campaign TEXT NOT NULL,
    version INTEGER NOT NULL,
    name TEXT NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (campaign, version)
)
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection as durable as the event store's: write-ahead log, one flush to disk a commit."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(TABLE)
    return connection


def append(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """One commit."""
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany("INSERT INTO events (campaign, version, name, data) VALUES (?, ?, ?, ?)", rows)
    connection.execute("COMMIT")


def read(connection: sqlite3.Connection, campaign: str) -> int:
    """Fetch every row in order; returns how many there are."""
    cursor = connection.execute(
        "SELECT version, name, data FROM events WHERE campaign = ? ORDER BY version", (campaign,)
    )
    count = 0
    while page := cursor.fetchmany(5_000):
        count += len(page)
    return count
