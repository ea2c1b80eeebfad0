"""Campaigns in a PostgreSQL database: durable, shared by any number of computers, safe against any interruption."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from psycopg.errors import UndefinedColumn, UndefinedTable, UniqueViolation
from psycopg.rows import tuple_row

from rollbook.adapters.storage.conflict import moved_on, settle, stand, taken
from rollbook.adapters.storage.entry_reading import END, PAGE, EntryTables
from rollbook.adapters.storage.postgres import statements
from rollbook.adapters.storage.postgres.bell import Bell
from rollbook.adapters.storage.postgres.connecting import Connections, Row
from rollbook.adapters.storage.postgres.failures import in_words, in_words_of_doubt, later, stranger
from rollbook.adapters.storage.postgres.lines import connect
from rollbook.adapters.storage.postgres.recorder import EntryRecorder, Mark, as_name, as_text, as_texts, mark_of
from rollbook.adapters.storage.postgres.schema import LAYOUT
from rollbook.adapters.storage.postgres.upkeep import vacuum
from rollbook.application.ports.deadline import PATIENCE, waiting
from rollbook.application.ports.store_address import ServerAddress, shown
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import (
    START,
    Cursor,
    NewEntry,
    StoredChange,
    StoredEntry,
    StoreState,
    StreamEnd,
    Tombstone,
)

OWNER = "ROLLBOOK_STORE_OWNER"
"""The variable with an address of the store for its owner's role."""

NOT_READ = "it could not be read"


class PostgresEventStore(EntryTables):
    """The event store in the database at ``address``, as the port has it (``rollbook.domain.history.event_store``).

    It makes no tables: ``upkeep.migrate`` does. A server that does not answer within ``patience`` seconds is given up.
    Several threads may share one store.

    Every method raises RollbookError, and nothing else, if the server cannot be used.
    """

    file = ""
    lasts = True
    CAMPAIGNS = statements.CAMPAIGNS
    READ_KINDS = statements.READ_KINDS
    _name = staticmethod(as_name)

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        self.address = address
        self.place = ServerAddress(address)
        with in_words(address, "it was not opened"):
            self._identity, self._epoch = examined(address, patience)
        self._connections = Connections(address, patience)
        self._recorder = EntryRecorder(self._connections)
        self._bell = Bell(self._connections)

    @property
    def rules(self) -> PostgresRules:
        """The rules that are in force for all who share the store."""
        return PostgresRules(self._connections, self._identity)

    def append(self, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> None:
        with in_words_of_doubt(self.address, "nothing was recorded"):
            try:
                head = self._recorder.append(stream, expected, entries) if 0 <= expected < END else self.head(stream)
            except UniqueViolation:
                head = self.head(stream)
        if head != expected or (entries and expected < 0):
            settle(self, stream, expected, head, entries)
            self._make_sure()
        self._ring(stream, entries)

    def redact(
        self, stream: StreamId, expected: int, entries: Sequence[NewEntry], instead: Mapping[int, bytes]
    ) -> None:
        """Append, and replace the bytes of earlier entries by those without the words of their notes."""
        with in_words_of_doubt(self.address, "nothing was recorded and nothing removed"):
            try:
                head = self._recorder.redact(stream, expected, entries, instead)
            except UniqueViolation:
                head = self.head(stream)
        if head != expected:
            settle(self, stream, expected, head, entries)
            self._make_sure()
        self._bell.ring(stream, b"")
        self.wipe()

    def delete(self, streams: Sequence[StreamId], stone: Tombstone) -> None:
        with in_words_of_doubt(self.address, "nothing was removed"):
            head = self._recorder.delete(streams, stone)
        if head != stone.entries and (head or stone not in self.tombstones()):
            raise moved_on(stone.campaign, head, stone.entries)
        for stream in streams:
            self._bell.ring(stream, b"")
        self.wipe()

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> None:
        with in_words_of_doubt(self.address, "nothing was recorded"):
            try:
                is_new = self._recorder.begin(stream, marker, entries)
            except UniqueViolation:
                is_new = False
        if not is_new:
            if not (self.marker(stream) == marker and stand(self, stream, 0, entries)):
                raise taken(stream)
            self._make_sure()
        self._ring(stream, entries)

    def keep_picture(self, campaign: StreamId, digest: str, data: bytes) -> None:
        with in_words_of_doubt(self.address, "the picture was not kept"):
            try:
                self._connections.changed(
                    statements.KEEP_PICTURE, {"stream": as_text(campaign), "digest": digest, "data": data}
                )
            except UndefinedTable:
                raise RollbookError(
                    f"{shown(self.address)} was made before there were pictures, so it keeps none yet. "
                    f"Bring it up to date as its owner: rollbook store migrate"
                ) from None

    def drop_pictures(self, campaign: StreamId, digests: Sequence[str]) -> None:
        if not self.pictures(campaign):
            return
        with in_words_of_doubt(self.address, "nothing was removed"):
            self._connections.ask(statements.DROP_PICTURES, {"stream": as_text(campaign), "digests": list(digests)})

    def _picture_rows(self, statement: str, *_: type, **named: object) -> list[Row]:
        with in_words(self.address, NOT_READ):
            try:
                return self._connections.ask(statement, as_texts(named))
            except UndefinedTable:
                return []

    def _make_sure(self) -> None:
        """Wait until a standby, if there is one, has all that can be read here, before entries are reported as stored.

        After a crash a server shows entries that no standby has yet. A commit now is answered after all before it.
        """
        with in_words_of_doubt(self.address, "it was found, and perhaps no standby has it"):
            self._connections.ask(statements.MAKE_SURE, {})

    def _ring(self, stream: StreamId, entries: Sequence[NewEntry]) -> None:
        if entries:
            self._bell.ring(stream, entries[-1].data)

    def _wanted(self, kinds: Sequence[str]) -> object:
        return list(map(as_text, kinds))

    def by_command(self, stream: StreamId, command: str) -> tuple[int, ...]:
        found = super().by_command(stream, command)
        if found:
            self._make_sure()
        return found

    def changes(self, after: Cursor = START) -> Iterator[StoredChange]:
        at, last = self._mark(after), self._mark(self.last_position())
        while at < last:
            rows = self._rows(statements.CHANGES, **at.named, last_xid=str(last.xid), last=last.position, page=PAGE)
            for xid, position, stream, *entry in rows:
                at = Mark(at.epoch, int(xid), position)
                yield StoredChange(at.cursor(), as_name(stream), StoredEntry(*entry))
            if len(rows) < PAGE:
                return

    def state(self, cursor: Cursor = START) -> StoreState:
        with in_words(self.address, NOT_READ):
            removed, xid, position, _, *ends = self._recorder.state(self._mark(cursor))
        last = Mark(self._epoch, int(xid or 0), position or 0).cursor()
        return StoreState(self._identity, removed, last, self._end(*ends[:3]), self._end(*ends[3:]))

    def count(self, after: Cursor = START) -> int:
        return int(self._tail(statements.COUNT, **self._mark(after).named)[0][0])

    def ends(self, after: Cursor = START) -> Iterator[StreamEnd]:
        mark = self._mark(after)
        rows = self._tail(statements.ENDS, **mark.named) if mark.position else self._rows(statements.ALL_ENDS)
        return (StreamEnd(as_name(stream), version, hash_in(end)) for stream, version, end in rows)

    def is_set_back_since(self, cursor: Cursor) -> bool:
        return cursor != START and self._mark(cursor) == self._mark(START)

    def identity(self) -> str:
        return self._identity

    def keep_tombstones(self, stones: Sequence[Tombstone]) -> None:
        with in_words(self.address, "nothing was recorded"):
            self._recorder.keep_tombstones(stones)

    def wipe(self) -> None:
        """Rewrite the tables without removed data, if ROLLBOOK_STORE_OWNER has the owner's address.

        Otherwise the owner runs ``rollbook store vacuum``: the program's role has no right to.
        """
        if owner := os.environ.get(OWNER, ""):
            vacuum(owner)

    def close(self) -> None:
        self._bell.close()
        self._connections.close()

    def _mark(self, cursor: Cursor) -> Mark:
        return mark_of(cursor, self._epoch)

    def _tail(self, statement: str, **parameters: object) -> list[Row]:
        """Rows of the tail, with all entries of this program, unless a writer is stuck."""
        with in_words(self.address, NOT_READ):
            self._recorder.wait_for_own()
            return self._connections.ask(statement, parameters)

    def _rows(self, statement: str, *_: type, **named: object) -> list[Row]:
        return self._connections.rows(statement, NOT_READ, **as_texts(named))


_AGREED: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)


def agreed_in(store: str) -> set[tuple[str, str]]:
    """The rules that were once in force, since this program began, in the store of that identity."""
    return _AGREED[store]


class PostgresRules:
    """The rules in force in a store (``RulesInForce``)."""

    def __init__(self, connections: Connections, store: str) -> None:
        self._connections = connections
        self.agreed = agreed_in(store)

    def all(self) -> dict[str, str]:
        rows = self._connections.rows(statements.ALL_RULES, NOT_READ)
        return {as_name(ruleset): str(fingerprint) for ruleset, fingerprint in rows}

    def of(self, ruleset: str) -> str:
        rows = self._connections.rows(statements.LAST_RULES, NOT_READ, ruleset=as_text(ruleset))
        return str(rows[0][0]) if rows else ""

    def put(self, ruleset: str, fingerprint: str, instead_of: str) -> str:
        named = {"ruleset": as_text(ruleset), "fingerprint": fingerprint, "instead_of": instead_of}
        self._connections.rows(statements.PUT_RULES, "nothing was changed", **named)
        return self.of(ruleset)


def examined(address: str, patience: float) -> tuple[str, int]:
    """The identity of the store, and its epoch, which grows when the store is moved or set back.

    Raises RollbookError if it is of another layout, and psycopg's errors.

    It uses a connection of its own: an obstacle is reported at once, and not after the pool's patience.
    """
    try:
        with connect(address, patience) as connection, waiting():
            found = connection.cursor(row_factory=tuple_row).execute(statements.STORE).fetchall()
    except UndefinedColumn as failure:
        raise stranger(address) from failure
    if len(found) != 1:
        raise HistoryDamaged(
            f"{shown(address)} has lost the row that says whose store it is. Restore it from a backup."
        )
    identity, layout, epoch, is_here = found[0]
    if layout > LAYOUT:
        raise later(address)
    if layout < LAYOUT:
        raise RollbookError(
            f"{shown(address)} was made by an earlier version of rollbook; it was left as it is. "
            f"Bring it up to date as its owner: rollbook store migrate"
        )
    if not is_here:
        raise RollbookError(
            f"{shown(address)} was restored here from another server, which numbered its transactions otherwise. "
            f"Tell the database once, as its owner: rollbook store migrate"
        )
    return identity, epoch
