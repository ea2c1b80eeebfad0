"""Reading of the tables of entries, common to all databases: statements, and the part of a store that runs them.

A statement names its tables and the bytes of an entry in ``{}`` and its values as ``:name``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any, cast

from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import (
    START,
    Cursor,
    NewEntry,
    StoredEntry,
    StoreState,
    StreamEnd,
    StreamState,
    Tombstone,
)

PAGE = 1000
END = 2**63 - 1
Row = tuple[Any, ...]

ENTRY = (int, str, bytes)
"""The types of a stored entry's version, kind and bytes."""

# Bypasses the checks of ``__new__``, which would be a third of the time of a long read.
AS_ENTRY = cast("Callable[[type[StoredEntry], tuple[object, ...]], StoredEntry]", tuple.__new__)

BETWEEN = "originator_id = :stream AND originator_version > :after AND originator_version <= :until"
ENTRIES = f"SELECT originator_version, topic, {{state}} FROM {{events}} WHERE {BETWEEN}"  # noqa: S608 - our own
IN_ORDER = "ORDER BY originator_version LIMIT :page"
READ = f"{ENTRIES} {IN_ORDER}"
READ_TO_COPY = f"""\
SELECT originator_version, topic, {{state}}, COALESCE(known.kinds, '')
FROM {{events}} AS entry LEFT JOIN {{sets}} AS known ON known.id = entry.kinds WHERE {BETWEEN} {IN_ORDER}"""  # noqa: S608
MARKER = "SELECT {state} FROM {events} WHERE originator_id = :stream AND originator_version = 0"
SIZE = "SELECT COUNT(*), CAST(COALESCE(SUM(LENGTH({state})), 0) AS bigint) FROM {events} WHERE originator_id = :stream"
HEAD = "SELECT COALESCE(MAX(originator_version), 0) FROM {events} WHERE originator_id = :stream"
COMMANDS = f"SELECT originator_version, command FROM {{commands}} WHERE {BETWEEN} AND command <> ''"  # noqa: S608 - our own
BY_COMMAND = """\
SELECT originator_version FROM {commands}
WHERE originator_id = :stream AND command = :command AND command <> '' ORDER BY originator_version"""
KNOWN = """\
WITH RECURSIVE known (stream) AS (
    SELECT MIN(originator_id) FROM {events}
    UNION ALL
    SELECT (SELECT MIN(originator_id) FROM {events} WHERE originator_id > known.stream) FROM known
    WHERE known.stream IS NOT NULL
)"""
"""The streams of a store, found by skipping all rows of each."""
REMOVALS = "SELECT COALESCE(MAX(id), 0) FROM {removals}"
STREAM_STATE = f"""\
SELECT (SELECT identity FROM {{store}}), ({REMOVALS}), ({HEAD}), COALESCE(
    (SELECT {{seal}} FROM {{events}} WHERE originator_id = :stream AND originator_version = :version), {{nothing}}
)"""  # noqa: S608 - our own
LEFT = f"{REMOVALS} WHERE NOT is_wiped"
TOMBSTONES = """\
SELECT originator_id, entries, hash, identity, deleted_at FROM {removals} WHERE deleted_at > 0 ORDER BY id"""

PICTURE = "SELECT data FROM {pictures} WHERE originator_id = :stream AND digest = :digest"
PICTURES = "SELECT digest FROM {pictures} WHERE originator_id = :stream ORDER BY digest"


def within(version: int) -> int:
    """The nearest valid version."""
    return min(max(version, 0), END)


class EntryTables:
    """The reading half of an event store (``rollbook.domain.history.event_store``); a database adds the queries."""

    CAMPAIGNS: str
    READ_KINDS: str

    @abstractmethod
    def _rows(self, statement: str, *of: type, **named: object) -> list[Row]:
        """The rows of a short read, whose columns are ``of`` these types. Raises RollbookError."""

    @abstractmethod
    def _wanted(self, kinds: Sequence[str]) -> object:
        """The parameter of ``READ_KINDS`` for these kinds, None if no entry has any of them."""

    @staticmethod
    def _name(text: str) -> str:
        """The name for its spelling in the database."""
        return text

    def _end(self, stream: str, version: int, seal: bytes) -> StreamEnd | None:
        """An entry with its hash; None for a marker, or for none."""
        return StreamEnd(self._name(stream), version, hash_in(seal)) if version else None

    def marker(self, stream: StreamId) -> bytes | None:
        found = self._rows(MARKER, bytes, stream=stream)
        return found[0][0] if found else None

    def size(self, stream: StreamId) -> tuple[int, int]:
        """The number of entries of a stream, and the bytes of their contents."""
        ((entries, size),) = self._rows(SIZE, int, int, stream=stream)
        return entries, size

    def head(self, stream: StreamId) -> int:
        return self._number(HEAD, stream=stream)

    def _number(self, statement: str, **named: object) -> int:
        ((found,),) = self._rows(statement, int, **named)
        return int(found)

    def read(self, stream: StreamId, after: int = 0, until: int | None = None) -> Iterator[StoredEntry]:
        yield from self._pages(READ, stream, after, until)

    def read_kinds(self, stream: StreamId, kinds: Sequence[str], after: int = 0) -> Iterator[StoredEntry]:
        if (wanted := self._wanted(kinds)) is not None:
            yield from self._pages(self.READ_KINDS, stream, after, None, kinds=wanted)

    def _pages(
        self, statement: str, stream: StreamId, after: int, until: int | None, **more: object
    ) -> Iterator[StoredEntry]:
        after = within(after)
        while True:
            last = END if until is None else within(until)
            rows = self._rows(statement, *ENTRY, stream=stream, after=after, until=last, page=PAGE, **more)
            full = len(rows) == PAGE
            if full and until is None:
                until = self.head(stream)
            yield from map(AS_ENTRY, repeat(StoredEntry), rows)
            if not full:
                return
            after = rows[-1][0]

    def read_to_copy(self, stream: StreamId, after: int = 0) -> Iterator[tuple[int, NewEntry]]:
        at, until = within(after), self.head(stream)
        commands: dict[int, str] = dict(self._rows(COMMANDS, int, str, stream=stream, after=at, until=until))
        while at < until:
            rows = self._rows(READ_TO_COPY, *ENTRY, str, stream=stream, after=at, until=until, page=PAGE)
            for version, kind, data, kinds in rows:
                command = self._name(commands.get(version, ""))
                yield version, NewEntry(kind, data, tuple(self._name(kinds).split(" ")[1:]), command)
            at = rows[-1][0] if rows else until

    def stream_state(self, stream: StreamId, version: int = 0) -> StreamState:
        of = (str, int, int, bytes)
        ((identity, removals, head, seal),) = self._rows(STREAM_STATE, *of, stream=stream, version=version)
        return StreamState(identity, removals, head, (version, hash_in(seal)))

    def by_command(self, stream: StreamId, command: str) -> tuple[int, ...]:
        rows = self._rows(BY_COMMAND, int, stream=stream, command=command)
        return tuple(version for (version,) in rows)

    def campaigns(self) -> tuple[str, ...]:
        return tuple(self._name(stream) for (stream,) in self._rows(self.CAMPAIGNS, str))

    def tombstones(self) -> tuple[Tombstone, ...]:
        return tuple(Tombstone(self._name(stream), *rest) for stream, *rest in self._rows(TOMBSTONES))

    @abstractmethod
    def state(self, cursor: Cursor = START) -> StoreState: ...

    def last_position(self) -> Cursor:
        return self.state().position

    def removals(self) -> int:
        return self._number(REMOVALS)

    def is_wiped(self) -> bool:
        return not self._number(LEFT)

    def picture(self, campaign: StreamId, digest: str) -> bytes | None:
        rows = self._picture_rows(PICTURE, bytes, stream=campaign, digest=digest)
        return bytes(rows[0][0]) if rows else None

    def pictures(self, campaign: StreamId) -> tuple[str, ...]:
        return tuple(digest for (digest,) in self._picture_rows(PICTURES, str, stream=campaign))

    @abstractmethod
    def _picture_rows(self, statement: str, *of: type, **named: object) -> list[Row]:
        """Like ``_rows``, of the table of pictures: none in an older store, which has no such table."""
