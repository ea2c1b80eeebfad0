"""How entries get into a campaign file and are read out of it."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from secrets import token_hex
from typing import Any

from eventsourcing.sqlite import SQLiteApplicationRecorder

from rollbook.adapters.local_files.sqlite_faults import check_types
from rollbook.adapters.storage.entry_reading import HEAD, KNOWN, LEFT
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
OVERWRITE = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
CHANGES = """\
SELECT rowid, originator_id, originator_version, topic, CAST(state AS BLOB) FROM stored_events
WHERE rowid > :after AND rowid <= :until AND originator_version > 0 ORDER BY rowid LIMIT :page"""
LAST = "SELECT COALESCE(MAX(rowid), 0) FROM stored_events"
CAMPAIGNS = f"""\
{KNOWN} SELECT stream FROM known WHERE stream IS NOT NULL ORDER BY (
    SELECT rowid FROM stored_events WHERE originator_id = stream ORDER BY originator_version LIMIT 1
)"""  # noqa: S608 - our own
ALL_ENDS = f"""\
{KNOWN}, tops (stream, version) AS (
    SELECT stream, (SELECT MAX(originator_version) FROM stored_events WHERE originator_id = stream) FROM known
    WHERE stream IS NOT NULL
)
SELECT stream, version, COALESCE(substr(CAST(state AS BLOB), -{SEAL_LENGTH + 1}), x'') FROM tops
JOIN stored_events ON originator_id = stream AND originator_version = version WHERE version > 0"""  # noqa: S608 - our own
ENDS = f"""\
SELECT originator_id, MAX(originator_version), COALESCE(substr(CAST(state AS BLOB), -{SEAL_LENGTH + 1}), x'') FROM stored_events
WHERE rowid > :after AND originator_version > 0 GROUP BY +originator_id"""  # noqa: S608 - our own
"""The last entries: of each the seal, and the line break before it. The plus has the rows read by their positions."""

MARKER_TOPIC = "TimelineForked@1"

TABLE_NAMES = {
    "events": "stored_events",
    "state": "CAST(state AS BLOB)",
    "sets": "kind_sets",
    "commands": "entry_commands",
    "removals": "removals",
}


@cache
def spelled(statement: str) -> str:
    """A statement with the names of the tables in it."""
    return statement.format_map(TABLE_NAMES)


NOWHERE = ("", -1)
"""Where this recorder left no stream."""
OTHERS = "PRAGMA data_version"
"""A number that changes when anybody else has written to the file, another connection of this process too."""


def head_of(cursor: sqlite3.Cursor, stream: StreamId) -> int:
    """The version of the last entry of a stream, 0 if there is none."""
    found = cursor.execute(spelled(HEAD), {"stream": stream}).fetchall()
    check_types(found, (int,))
    return int(found[0][0])


class CampaignRecorder(SQLiteApplicationRecorder):
    """The library's recorder on our own tables: what is recorded goes in over the writer's turn, and reads are light rows."""

    datastore: CampaignDatastore

    def __init__(self, datastore: CampaignDatastore) -> None:
        super().__init__(datastore)
        self._left = NOWHERE
        self._others = -1
        self._kinds = KindIndex()
        self.seen_identity = ""
        """The identity of the store that this recorder has written to or read: another one in its place is not written to."""
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
        """Remove streams if the campaign has as many entries as the tombstone says. Returns how many it was found with."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            found = head_of(cursor, stone.campaign)
            if found == stone.entries:
                removals.delete(cursor, streams, stone)
                self._forget()
        return found

    def keep_tombstones(self, stones: Sequence[Tombstone]) -> None:
        """Add tombstones of what was never here, so that nothing of it has to be wiped."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            for stone in stones:
                removals.note(cursor, stone, is_wiped=True)

    def make_noting_removals(self) -> None:
        """Give a store from before removals were noted the table of them, and one without guards its guards."""
        if not self.has_removals():
            self.rows(REMOVALS)
        if self.rows(removals.HAS_GUARDS) != [(len(GUARDS),)]:
            for guard in GUARDS:
                self.rows(guard)

    def has_removals(self) -> bool:
        """Whether the file has the table of removals, which an older one that may only be read has not."""
        self._notes_removals = self._notes_removals or bool(self.rows(removals.IS_THERE))
        return self._notes_removals

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> bool:
        """Insert a marker and the first entries after it. Whether there was no such stream yet."""
        with self.datastore.turn as cursor:
            self._check_store(cursor)
            is_new = cursor.execute(STREAM_IS_THERE, (stream,)).fetchone() is None
            if is_new:
                cursor.execute(INSERT, (stream, 0, MARKER_TOPIC, marker))
                self._insert(cursor, stream, 0, entries)
        return is_new

    def wipe(self) -> bool:
        """Write the file again without what was removed, and empty its log. Whether it could be: somebody may be reading."""
        [(left,)] = self.rows(LEFT) if self.has_removals() else [(0,)]
        self.rows("VACUUM")
        is_empty = self.empty_log()
        if is_empty:
            with self.datastore.turn as cursor:
                cursor.execute(removals.WIPED, (left,))
        return is_empty

    def empty_log(self) -> bool:
        """Move all that is in the log beside the file into it. Whether that could be: somebody may be reading."""
        [(busy, _, _)] = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return not busy

    def _forget(self) -> None:
        self._left = NOWHERE
        self._kinds.forget()

    def _check_store(self, cursor: sqlite3.Cursor) -> None:
        """See what others have written since this recorder last wrote: if it is anything, nothing may be where it was left.

        Called in the transaction that writes. Raises StaleHistory if another store was put in the place of the one that this
        recorder has written to or read.
        """
        version = cursor.execute(OTHERS).fetchone()[0]
        if version == self._others:
            return
        identity, removed = cursor.execute(STORE_NOW).fetchone()
        if identity != (self.seen_identity or identity):
            raise restored()
        self.seen_identity = identity
        if removed != self._removals:  # the index may have lost what was written to it
            self._kinds.forget()
            self._removals = removed
        self._left = NOWHERE
        self._others = version

    def identity(self) -> str:
        """The identity of the store that is in the file."""
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
