"""The entries of a PostgreSQL store: how they get in, and rows of short reads.

An append is one statement and so one journey to the server. It takes no lock on the table: writers of different campaigns
never wait for each other, and of two at the same place in one stream the primary key lets one in.
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
    """A place in the tail. ``epoch`` tells places of before the store was restored on another server from those of today."""

    epoch: int
    xid: int
    position: int

    def cursor(self) -> Cursor:
        return Cursor(f"{self.epoch}.{self.xid}.{self.position}") if self.position else START


def mark_of(cursor: Cursor, epoch: int) -> Mark:
    """The place that a cursor stands for. One that is of another epoch, or of another kind of store, is the beginning."""
    try:
        mark = Mark(*map(int, cursor.split(".")))
    except (ValueError, TypeError):
        return Mark(epoch, 0, 0)
    return mark if mark.epoch == epoch and mark.xid >= 0 else Mark(epoch, 0, 0)


MARKER_TOPIC = "TimelineForked@1"
BYTES, ROWS = 1_000_000, 2_000
"""An append may take a second longer for each of so many."""
MOMENT, REST, PAUSE = 0.1, 1.0, 0.001
"""Seconds: how long the tail waits for others, how long it does not after that was in vain, and between two looks."""


def as_text(name: str) -> str:
    r"""A name as PostgreSQL can hold it: a text there has no NUL in it, so it stands as ``\0``."""
    return name.replace("\\", "\\\\").replace("\0", "\\0") if "\0" in name or "\\" in name else name


def as_texts(named: Mapping[str, object]) -> dict[str, object]:
    """Values of which those that are texts are names."""
    return {name: as_text(value) if isinstance(value, str) else value for name, value in named.items()}


def as_name(text: str) -> str:
    """The name that is held so."""
    return "\\".join(part.replace("\\0", "\0") for part in text.split("\\\\")) if "\\" in text else text


class EntryRecorder:
    """What is recorded in a store over its ``connections``. Raises what psycopg raises, from every method."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._stored = self._shown = 0
        self._in_vain = float("-inf")
        self._sets: dict[tuple[str, tuple[str, ...]], int] = {}

    def append(self, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> int:
        """Insert the entries if the stream is at ``expected``. Returns the version at which it was found.

        Raises psycopg's UniqueViolation if somebody else inserted at the same moment.
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
        while True:  # somebody may write between the two looks, so that the second finds what the first one missed
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
        """Remove streams if the campaign has as many entries as the tombstone says. Returns how many it was found with."""
        campaign, entries, hash_, identity, at = stone
        names: dict[str, object] = {"stream": as_text(campaign), "streams": list(map(as_text, streams))}
        ((found,),) = self._rows(statements.DELETE, **names, entries=entries, hash=hash_, identity=identity, at=at)
        return int(found)

    def keep_tombstones(self, stones: Sequence[Tombstone]) -> None:
        """Add tombstones of what was never here."""
        if stones:
            names = ("streams", "entries", "hashes", "identities", "moments")
            columns = dict(zip(names, map(list, zip(*stones, strict=True)), strict=True))
            self._rows(statements.KEEP_TOMBSTONES, **{**columns, "streams": [as_text(one.campaign) for one in stones]})

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> bool:
        """Insert a marker and the first entries after it. Whether there was no such stream yet."""
        made = self._rows(
            statements.BEGIN, stream=as_text(stream), topic=MARKER_TOPIC, marker=marker, **self._columns(entries)
        )
        self._stored += 1
        return bool(made)

    def head(self, stream: str) -> int:
        """The number of the last entry of a stream that is named as PostgreSQL holds it."""
        return int(self._rows(HEAD, stream=stream)[0][0])

    def last(self) -> list[Row]:
        """The last that the tail shows, with all that this program stored, unless a writer is stuck."""
        stored = self._stored
        rows = self._rows(statements.LAST)
        if rows and rows[0][2]:
            self._shown = max(self._shown, stored)
        elif self._shown < stored:
            self.wait_for_own()
            rows = self._rows(statements.LAST)
        return rows

    def wait_for_own(self) -> None:
        """Wait a moment for others who are just committing, so that the tail shows what this program stored.

        All that began by now has to have ended. A writer who is stuck is waited for no longer than ``MOMENT`` seconds, and then
        not at all for a while.
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
        """The number of a set of kinds. It is noted before the append, so that no two of them wait for each other."""
        known = self._sets.get((kind, events))
        if known is None:
            kinds = as_text(" ".join((kind.partition("@")[0], *events)))
            if not (found := self._rows(statements.SET, kinds=kinds)):
                self._rows(statements.ADD_SET, kinds=kinds)
                found = self._rows(statements.SET, kinds=kinds)
            known = self._sets[kind, events] = int(found[0][0])
        return known
