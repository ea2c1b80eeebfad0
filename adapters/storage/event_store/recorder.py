"""The table of events in a campaign file: its shape, how events get in and how they are read out.

The row number is the position in the whole store. AUTOINCREMENT keeps it from ever being used twice, even for rows
that someone deleted by hand, so that a projection that has seen position 7 has seen everything up to 7.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from eventsourcing.sqlite import SQLiteApplicationRecorder

from adapters.storage.event_store.datastore import CampaignDatastore

APPLICATION_ID = 0x526F6C6C
LAYOUT = 1

TABLE = """\
CREATE TABLE IF NOT EXISTS stored_events (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT,
    originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
)"""
INSERT = "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
HEAD = "SELECT MAX(originator_version) FROM stored_events WHERE originator_id = ?"
READ = """\
SELECT originator_version, topic, CAST(state AS BLOB) FROM stored_events
WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? {also}
ORDER BY originator_version LIMIT ?"""
READ_ALL = READ.format(also="")
READ_NAMED = READ.format(also="AND topic IN (SELECT value FROM json_each(?))")
OVERWRITE = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = ?"
CHANGES = """\
SELECT rowid, originator_id, originator_version, topic, CAST(state AS BLOB) FROM stored_events
WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?"""
LAST = "SELECT MAX(rowid) FROM stored_events"
CAMPAIGNS = "SELECT originator_id FROM stored_events WHERE originator_version = 1 ORDER BY rowid"


Row = tuple[str, int, str, bytes]


class CampaignRecorder(SQLiteApplicationRecorder):
    """Adds rows of tuples and pages of light reads to the library's recorder, whose own methods go on working."""

    datastore: CampaignDatastore

    def __init__(self, datastore: CampaignDatastore) -> None:
        super().__init__(datastore)
        self.insert_events_statement = INSERT
        self._left = ("", 0)

    def construct_create_table_statements(self) -> list[str]:
        return [TABLE, f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {LAYOUT}"]

    def append(self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]]) -> int:
        """Insert the events if the campaign stands at ``expected``. Returns the version at which it was found."""
        rows = [(campaign, version, name, data) for version, (name, data) in enumerate(events, expected + 1)]
        with self.datastore.turn as cursor:
            found = self._inserted(cursor, campaign, expected, rows)
        if found == expected:
            self._left = (campaign, expected + len(rows))
        return found

    def redact(
        self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]], instead: Mapping[int, bytes]
    ) -> int:
        """Insert like ``append`` and overwrite, in one transaction; what was overwritten is wiped from the file."""
        rows = [(campaign, version, name, data) for version, (name, data) in enumerate(events, expected + 1)]
        with self.datastore.turn as cursor:
            cursor.execute("PRAGMA secure_delete = ON").fetchall()
            found: int = cursor.execute(HEAD, (campaign,)).fetchone()[0] or 0
            if found == expected:
                cursor.executemany(self.insert_events_statement, rows)
                cursor.executemany(OVERWRITE, [(data, campaign, version) for version, data in instead.items()])
        return found

    def wipe(self) -> bool:
        """Empty the log beside the file, which still holds old bytes. Whether it could be: somebody may be reading."""
        [(busy, _, _)] = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return not busy

    def _inserted(self, cursor: sqlite3.Cursor, campaign: str, expected: int, rows: list[Row]) -> int:
        """Where this recorder left a campaign it cannot have fallen back from, so only being too late is to be feared."""
        if (campaign, expected) == self._left:
            try:
                cursor.executemany(self.insert_events_statement, rows)
            except sqlite3.IntegrityError:
                cursor.execute("ROLLBACK")
                cursor.execute("BEGIN IMMEDIATE")
            else:
                return expected
        found: int = cursor.execute(HEAD, (campaign,)).fetchone()[0] or 0
        if found == expected:
            cursor.executemany(self.insert_events_statement, rows)
        return found

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        """All rows of a short read, as plain tuples."""
        return self.datastore.rows(statement, parameters)
