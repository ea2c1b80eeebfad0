"""Recorder of a PostgreSQL store: appends entries, and runs short reads.

An append is one statement and so one round trip to the server. It takes no lock on the table: writers of different
campaigns never wait for each other, and of two at the same version of one stream the primary key admits one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic, sleep
from typing import NamedTuple

from psycopg import Cursor as Asking

from rollbook.adapters.storage.entry_reading import HEAD
from rollbook.adapters.storage.postgres import statements
from rollbook.adapters.storage.postgres.connecting import Connections, Row
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.event_store import START, Cursor, NewEntry, Tombstone


class Mark(NamedTuple):
    """A place in the tail. ``epoch`` separates places from before the store was moved or set back from later ones."""

    epoch: int
    xid: int
    position: int

    def cursor(self) -> Cursor:
        return Cursor(f"{self.epoch}.{self.xid}.{self.position}") if self.position else START

    @property
    def named(self) -> dict[str, object]:
        """Its values in statements."""
        return {"xid": str(self.xid), "position": self.position}


def mark_of(cursor: Cursor, epoch: int) -> Mark:
    """The place of a cursor. A cursor of another epoch, or of another kind of store, is the beginning."""
    try:
        mark = Mark(*map(int, cursor.split(".")))
    except (ValueError, TypeError):
        return Mark(epoch, 0, 0)
    return mark if mark.epoch == epoch and mark.xid >= 0 else Mark(epoch, 0, 0)


MARKER_TOPIC = "TimelineForked@1"
BYTES, ROWS = 1_000_000, 2_000
"""Amounts of bytes and rows for each of which an append may take a second longer."""
MOMENT, REST, PAUSE = 0.1, 1.0, 0.001
"""Seconds that the tail waits for other writers, that it does not wait after a vain wait, and between two looks."""


def as_text(name: str) -> str:
    r"""A name as PostgreSQL can store it: a text there has no NUL, so that is written as ``\0``."""
    return name.replace("\\", "\\\\").replace("\0", "\\0") if "\0" in name or "\\" in name else name


def as_texts(named: Mapping[str, object]) -> dict[str, object]:
    """Values with all texts turned into PostgreSQL's spelling of names."""
    return {name: as_text(value) if isinstance(value, str) else value for name, value in named.items()}


def as_name(text: str) -> str:
    """The name for its spelling in PostgreSQL."""
    return "\\".join(part.replace("\\0", "\0") for part in text.split("\\\\")) if "\\" in text else text


class EntryRecorder:
    """Recorder of a store over its ``connections``. Every method raises psycopg's errors."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._stored = self._shown = 0
        self._in_vain = float("-inf")
        self._sets: dict[tuple[str, tuple[str, ...]], int] = {}

    def append(self, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> int:
        """Insert the entries if the stream is at ``expected``. Returns the version at which it was found.

        Raises psycopg's UniqueViolation if another writer inserted at the same moment.
        """
        if len(entries) == 1:
            return self._append_one(as_text(stream), expected, entries[0])
        parameters = {"stream": as_text(stream), "expected": expected, **self._columns(entries)}
        more = sum(len(entry.data) for entry in entries) / BYTES + len(entries) / ROWS
        ((found,),) = self._connections.ask(statements.APPEND, parameters, more)
        self._stored += 1
        return int(found)

    def _append_one(self, stream: str, expected: int, entry: NewEntry) -> int:
        parameters: dict[str, object] = {
            "stream": stream,
            "expected": expected,
            "topic": as_text(entry.kind),
            "kinds": self._set(entry.kind, entry.events),
            "command": as_text(entry.command),
            "state": entry.data,
        }
        while True:  # a writer may append between the two looks, so that the second finds what the first missed
            if self._connections.changed(statements.APPEND_ONE, parameters, len(entry.data) / BYTES):
                self._stored += 1
                return expected
            if (found := self.head(stream)) != expected:
                return found

    def redact(self, stream: StreamId, expected: int, entries: Sequence[NewEntry], instead: Mapping[int, bytes]) -> int:
        """Insert like ``append`` and replace, in one transaction."""
        columns = self._columns(entries)
        replaced: dict[str, object] = {"versions": list(instead), "states": list(instead.values())}

        def act(cursor: Asking[Row]) -> int:
            cursor.execute(statements.APPEND.encode(), {"stream": as_text(stream), "expected": expected, **columns})
            ((found,),) = cursor.fetchall()
            if found == expected:
                cursor.execute(statements.REDACT.encode(), {"stream": as_text(stream), **replaced})
            return int(found)

        found = self._connections.in_transaction(act)
        self._stored += 1
        return found

    def delete(self, streams: Sequence[StreamId], stone: Tombstone) -> int:
        """Remove streams if the campaign has as many entries as the tombstone says. Returns how many it had."""
        campaign, entries, hash_, identity, at = stone
        names: dict[str, object] = {"stream": as_text(campaign), "streams": list(map(as_text, streams))}
        ((found,),) = self._rows(statements.DELETE, **names, entries=entries, hash=hash_, identity=identity, at=at)
        return int(found)

    def keep_tombstones(self, stones: Sequence[Tombstone]) -> None:
        """Add tombstones of campaigns that were never in this store."""
        if stones:
            names = ("streams", "entries", "hashes", "identities", "moments")
            columns = dict(zip(names, map(list, zip(*stones, strict=True)), strict=True))
            self._rows(statements.KEEP_TOMBSTONES, **{**columns, "streams": [as_text(one.campaign) for one in stones]})

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> bool:
        """Insert a marker and the first entries after it. True if there was no such stream yet."""
        made = self._rows(
            statements.BEGIN, stream=as_text(stream), topic=MARKER_TOPIC, marker=marker, **self._columns(entries)
        )
        self._stored += 1
        return bool(made)

    def head(self, stream: str) -> int:
        """The number of the last entry of a stream, named in PostgreSQL's spelling."""
        return int(self._rows(HEAD, stream=stream)[0][0])

    def state(self, known: Mark) -> Row:
        """The row of ``STATE``, with the entry at a place. Its tail includes this program's entries, unless a writer is stuck."""
        stored, named = self._stored, known.named
        (row,) = self._rows(statements.STATE, **named)
        is_last_of_all = row[3]
        if is_last_of_all:
            self._shown = max(self._shown, stored)
        elif self._shown < stored:
            self.wait_for_own()
            (row,) = self._rows(statements.STATE, **named)
        return row

    def wait_for_own(self) -> None:
        """Wait a moment for other commits that are under way, so that the tail shows this program's entries.

        All transactions begun by now have to end. The wait for a stuck writer ends after ``MOMENT`` seconds, and is
        then left out for ``REST`` seconds.
        """
        stored, until = self._stored, monotonic() + MOMENT
        if stored == self._shown or monotonic() < self._in_vain + REST:
            return
        oldest, next_ = self._moment()
        while oldest < next_:
            if monotonic() > until:
                self._in_vain = monotonic()
                return
            sleep(PAUSE)
            oldest, _ = self._moment()
        self._shown = max(self._shown, stored)

    def _moment(self) -> tuple[int, int]:
        ((oldest, next_),) = self._rows(statements.MOMENT)
        return int(oldest), int(next_)

    def _rows(self, statement: str, **named: object) -> list[Row]:
        return self._connections.ask(statement, named)

    def _columns(self, entries: Sequence[NewEntry]) -> dict[str, object]:
        return {
            "topics": [as_text(entry.kind) for entry in entries],
            "kinds": [self._set(entry.kind, entry.events) for entry in entries],
            "commands": [as_text(entry.command) for entry in entries],
            "states": [entry.data for entry in entries],
        }

    def _set(self, kind: str, events: tuple[str, ...]) -> int:
        """The number of a set of kinds. It is stored before the append, so that appends never wait for each other."""
        known = self._sets.get((kind, events))
        if known is None:
            kinds = as_text(" ".join((kind.partition("@")[0], *events)))
            if not (found := self._rows(statements.SET, kinds=kinds)):
                self._rows(statements.ADD_SET, kinds=kinds)
                found = self._rows(statements.SET, kinds=kinds)
            known = self._sets[kind, events] = int(found[0][0])
        return known
