"""Removals from a campaign file: redacted notes, deleted campaigns, and whether their bytes are wiped.

A removal is noted in the transaction in which it happens. Until the file and its log have been rewritten without the
old bytes it counts as not wiped, so that the next program can finish it after one was killed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rollbook.adapters.storage.sqlite.schema import GUARDS, REMOVALS
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.event_store import Tombstone

HAS_GUARDS = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('entries_stay', 'entries_remain')"
_LIFT = ("DROP TRIGGER IF EXISTS main.entries_stay", "DROP TRIGGER IF EXISTS main.entries_remain")


@contextmanager
def lifted(cursor: sqlite3.Cursor | sqlite3.Connection) -> Iterator[None]:
    """Lift the guards of entries inside the block, in the open transaction; if that is rolled back, the guards stay."""
    for statement in _LIFT:
        cursor.execute(statement)
    yield
    for statement in GUARDS:
        cursor.execute(statement)


IS_THERE = "SELECT 1 FROM sqlite_schema WHERE name = 'removals'"
NO_REMOVALS = """\
(SELECT 0 AS id, '' AS originator_id, 0 AS entries, '' AS hash, '' AS identity, 0 AS deleted_at, 0 AS is_wiped WHERE 0)"""
"""An empty table for a file that has none."""
COUNT = "SELECT COALESCE(MAX(id), 0) FROM removals"
WIPED = "UPDATE removals SET is_wiped = 1 WHERE id <= ?"
_NOTE = "INSERT INTO removals (originator_id, entries, hash, identity, deleted_at, is_wiped) VALUES (?, ?, ?, ?, ?, ?)"
_GONE = (
    "DELETE FROM stored_events WHERE originator_id = ?",
    "DELETE FROM entry_kinds WHERE originator_id = ?",
    "DELETE FROM entry_commands WHERE originator_id = ?",
)
_PICTURES_GONE = ("DELETE FROM pictures WHERE originator_id = ?",)


HAS_PICTURES = "SELECT 1 FROM sqlite_schema WHERE name = 'pictures'"


def delete(cursor: sqlite3.Cursor, streams: Sequence[StreamId], stone: Tombstone) -> None:
    """Remove whole streams and their pictures, and add a tombstone."""
    has_pictures = cursor.execute(HAS_PICTURES).fetchone() is not None
    with lifted(cursor):
        for statement in (*_GONE, *_PICTURES_GONE[: int(has_pictures)]):
            cursor.executemany(statement, [(stream,) for stream in streams])
    note(cursor, stone)


def note(cursor: sqlite3.Cursor, stone: Tombstone, *, is_wiped: bool = False) -> None:
    """Add a tombstone; ``is_wiped`` if its campaign was never in this file. One of 0 entries notes removed words."""
    cursor.execute(REMOVALS)
    cursor.execute(_NOTE, (*stone, is_wiped))
