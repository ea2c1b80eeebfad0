"""Recorder of campaign files: appends, removes and reads entries."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from secrets import token_hex
from typing import Any

from eventsourcing.sqlite import SQLiteApplicationRecorder

from rollbook.adapters.local_files.sqlite_faults import check_types
from rollbook.adapters.storage.entry_reading import HEAD, KNOWN, LEFT
from rollbook.adapters.storage.entry_reading import REMOVALS as REMOVED
from rollbook.adapters.storage.sqlite import removals
from rollbook.adapters.storage.sqlite.datastore import CampaignDatastore, CommitFailed
from rollbook.adapters.storage.sqlite.kinds import KindIndex
from rollbook.adapters.storage.sqlite.schema import (
    APPLICATION_ID,
    BLOCKS,
    COMMANDS,
    ENTRIES,
    EVENTS,
    GUARDS,
    IDENTITY,
    LAYOUT,
    PICTURES,
    REMOVALS,
    SETS,
)
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import SEAL_LENGTH
from rollbook.domain.history.event_store import NewEntry, Tombstone, restored

STORE = "SELECT identity FROM store_identity"
STORE_NOW = f"SELECT identity, ({removals.COUNT}) FROM store_identity"  # noqa: S608 - our own
NEW_IDENTITY = "INSERT INTO store_identity SELECT '{}' WHERE NOT EXISTS (SELECT 1 FROM store_identity)"
INSERT = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
INSERT_ENTRY = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, kinds, state) VALUES (?, ?, ?, ?, ?)"
)
INSERT_COMMAND = "INSERT INTO entry_commands (originator_id, command, originator_version) VALUES (?, ?, ?)"
STREAM_IS_THERE = "SELECT 1 FROM stored_events WHERE originator_id = ? LIMIT 1"
INSERT_PICTURE = "INSERT OR IGNORE INTO pictures (originator_id, digest, data) VALUES (?, ?, ?)"
DROP_PICTURE = "DELETE FROM pictures WHERE originator_id = ? AND digest = ?"
OVERWRITE = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
CHANGES = """\
SELECT rowid, originator_id, originator_version, topic, CAST(state AS BLOB) FROM stored_events
WHERE rowid > :after AND rowid <= :until AND originator_version > 0 ORDER BY rowid LIMIT :page"""
CAMPAIGNS = f"""\
{KNOWN} SELECT stream FROM known WHERE stream IS NOT NULL ORDER BY (
    SELECT rowid FROM stored_events WHERE originator_id = stream ORDER BY originator_version LIMIT 1
)"""  # noqa: S608 - our own
SEAL = f"COALESCE(substr(CAST(state AS BLOB), -{SEAL_LENGTH + 1}), x'')"
"""The seal of an entry, with the line break before it."""


def _end_of(entry: str) -> str:
    seal = SEAL.replace("state", f"{entry}.state")
    return f"COALESCE({entry}.originator_id, ''), COALESCE({entry}.originator_version, 0), {seal}"


STATE = f"""\
SELECT ({STORE}), ({REMOVED}), COALESCE(newest.rowid, 0), {_end_of("newest")}, {_end_of("known")}
FROM (SELECT 1) LEFT JOIN stored_events AS newest ON newest.rowid = (SELECT MAX(rowid) FROM stored_events)
LEFT JOIN stored_events AS known ON known.rowid = :after"""  # noqa: S608 - our own
ALL_ENDS = f"""\
{KNOWN}, tops (stream, version) AS (
    SELECT stream, (SELECT MAX(originator_version) FROM stored_events WHERE originator_id = stream) FROM known
    WHERE stream IS NOT NULL
)
SELECT stream, version, {SEAL} FROM tops
JOIN stored_events ON originator_id = stream AND originator_version = version WHERE version > 0"""  # noqa: S608 - our own
ENDS = f"""\
SELECT originator_id, MAX(originator_version), {SEAL} FROM stored_events
WHERE rowid > :after AND originator_version > 0 GROUP BY +originator_id"""  # noqa: S608 - our own
"""The seals of the last entries. The plus makes SQLite read rows by position."""

MARKER_TOPIC = "TimelineForked@1"

TABLE_NAMES = {
    "events": "stored_events",
    "state": "CAST(state AS BLOB)",
    "sets": "kind_sets",
    "commands": "entry_commands",
    "removals": "removals",
    "pictures": "pictures",
    "store": "store_identity",
    "seal": SEAL,
    "nothing": "x''",
}


@cache
def spelled(statement: str) -> str:
    """A statement with the names of the tables filled in."""
    return statement.format_map(TABLE_NAMES)


NOWHERE = ("", -1)
"""A stream and version that match none: the recorder has to look up the head."""
OTHERS = "PRAGMA data_version"
"""A number that changes when another connection has written to the file, also one of this process."""


def head_of(cursor: sqlite3.Cursor, stream: StreamId) -> int:
    """The version of the last entry of a stream, 0 if there is none."""
    found = cursor.execute(spelled(HEAD), {"stream": stream}).fetchall()
    check_types(found, (int,))
    return int(found[0][0])


class CampaignRecorder(SQLiteApplicationRecorder):
    """The library's recorder on rollbook's own tables: it writes in the writer's turn, and reads plain rows."""

    datastore: CampaignDatastore

    def __init__(self, datastore: CampaignDatastore) -> None:
        super().__init__(datastore)
        self._left = NOWHERE
        self._others = -1
        self._kinds = KindIndex()
        self.seen_identity = ""
        """The identity of the store that this recorder has written to or read; it does not write to another one."""
        self._notes_removals = False
        self._removals = 0
        datastore.turn.undone = self._forget

    def construct_create_table_statements(self) -> list[str]:
        tables = [ENTRIES, SETS, BLOCKS, COMMANDS, REMOVALS, IDENTITY, NEW_IDENTITY.format(token_hex(16)), EVENTS]
        return [*tables, *GUARDS, f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {LAYOUT}"]

    def create_table(self) -> None:
        """Make the tables. Raises sqlite3.Error."""
        try:
            with self.datastore.turn as cursor:
                for statement in self.create_table_statements:
                    cursor.execute(statement)
        except CommitFailed as failure:
            raise failure.__cause__ or failure from failure

    def append(self, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> int:
        """Insert the entries if the stream is at ``expected``. Returns the version at which it was found."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            found = expected if (stream, expected) == self._left else head_of(cursor, stream)
            if found == expected:
                self._insert(cursor, stream, expected, entries)
                self._left = (stream, expected + len(entries))
        return found

    def redact(self, stream: StreamId, expected: int, entries: Sequence[NewEntry], instead: Mapping[int, bytes]) -> int:
        """Insert like ``append`` and overwrite, in one transaction."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            found = head_of(cursor, stream)
            if found == expected:
                self._insert(cursor, stream, expected, entries)
                with removals.lifted(cursor):
                    cursor.executemany(OVERWRITE, [(data, stream, version) for version, data in instead.items()])
                removals.note(cursor, Tombstone(stream, 0, "", "", 0))
                self._forget()
        return found

    def delete(self, streams: Sequence[StreamId], stone: Tombstone) -> int:
        """Remove streams if the campaign has as many entries as the tombstone says. Returns how many it had."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            found = head_of(cursor, stone.campaign)
            if found == stone.entries:
                removals.delete(cursor, streams, stone)
                self._forget()
        return found

    def keep_tombstones(self, stones: Sequence[Tombstone]) -> None:
        """Add tombstones of campaigns that were never in this file, so that nothing has to be wiped."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            for stone in stones:
                removals.note(cursor, stone, is_wiped=True)

    def keep_picture(self, campaign: StreamId, digest: str, data: bytes) -> None:
        """Insert a picture, and make the table if it is the first one."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            cursor.execute(PICTURES)
            cursor.execute(INSERT_PICTURE, (campaign, digest, data))

    def drop_pictures(self, campaign: StreamId, digests: Sequence[str]) -> None:
        """Delete pictures."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            cursor.execute(PICTURES)
            cursor.executemany(DROP_PICTURE, [(campaign, digest) for digest in digests])

    def has_pictures(self) -> bool:
        """True if the file has the table of pictures."""
        return bool(self.rows(removals.HAS_PICTURES))

    def make_noting_removals(self) -> None:
        """Add the table of removals to an older store, and missing guards."""
        if not self.has_removals():
            self.rows(REMOVALS)
        if self.rows(removals.HAS_GUARDS) != [(len(GUARDS),)]:
            for guard in GUARDS:
                self.rows(guard)

    def has_removals(self) -> bool:
        """True if the file has the table of removals, which an older read-only file lacks."""
        self._notes_removals = self._notes_removals or bool(self.rows(removals.IS_THERE))
        return self._notes_removals

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> bool:
        """Insert a marker and the first entries after it. True if there was no such stream yet."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            is_new = cursor.execute(STREAM_IS_THERE, (stream,)).fetchone() is None
            if is_new:
                cursor.execute(INSERT, (stream, 0, MARKER_TOPIC, marker))
                self._insert(cursor, stream, 0, entries)
        return is_new

    def wipe(self) -> bool:
        """Rewrite the file without removed data, and empty its log. False if a reader prevents it."""
        [(left,)] = self.rows(LEFT) if self.has_removals() else [(0,)]
        self.rows("VACUUM")
        is_empty = self.empty_log()
        if is_empty:
            with self.datastore.turn as cursor:
                cursor.execute(removals.WIPED, (left,))
        return is_empty

    def empty_log(self) -> bool:
        """Move all contents of the log beside the file into it. False if a reader prevents it."""
        [(busy, _, _)] = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return not busy

    def _forget(self) -> None:
        self._left = NOWHERE
        self._kinds.forget()

    def _check_store(self, cursor: sqlite3.Cursor) -> None:
        """Check for writes by others since this recorder last wrote: if there were any, its cached head is dropped.

        Called in the transaction that writes. Raises StaleHistory if another store has replaced the one that this
        recorder has written to or read.
        """
        version = cursor.execute(OTHERS).fetchone()[0]
        if version == self._others:
            return
        identity, removed = cursor.execute(STORE_NOW).fetchone()
        if identity != (self.seen_identity or identity):
            raise restored()
        self.seen_identity = identity
        if removed != self._removals:  # the index may have lost rows
            self._kinds.forget()
            self._removals = removed
        self._left = NOWHERE
        self._others = version

    def identity(self) -> str:
        """The identity of the store in the file."""
        [(identity,)] = self.rows(STORE)
        self.seen_identity = self.seen_identity or str(identity)
        return str(identity)

    def _insert(self, cursor: sqlite3.Cursor, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> None:
        for version, (kind, data, events, command) in enumerate(entries, expected + 1):
            kinds = self._kinds.add(cursor, stream, version, kind, events)
            cursor.execute(INSERT_ENTRY, (stream, version, kind, kinds, data))
            if command:
                cursor.execute(INSERT_COMMAND, (stream, command, version))

    def rows(self, statement: str, **named: object) -> list[tuple[Any, ...]]:
        """All rows of a short read, as plain tuples."""
        return self.datastore.rows(spelled(statement), named)
