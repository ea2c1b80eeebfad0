"""The library's datastore over a pool of ours, in which every step has an end within five seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary, finalize

from eventsourcing.postgres import PostgresDatastore
from psycopg import Cursor
from psycopg.rows import tuple_row

from rollbook.adapters.storage.postgres.failures import in_words
from rollbook.adapters.storage.postgres.lines import EntryConnection, EntryPool
from rollbook.application.ports.deadline import PATIENCE, waiting

POOL = 10
"""Connections of one program, when so many threads are busy at once. They are made when they are needed."""

MANY = 1_000
"""So many rows at once are a part of a long history, and reading them counts as work."""

_Answer = TypeVar("_Answer")


class EntryDatastore(PostgresDatastore):
    """The library's datastore; nothing connects before something is asked."""

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        super().__init__("", "", "", "", "", originator_id_type="text", schema="rollbook", connect_timeout=patience)
        self.lines = EntryPool(address, POOL, patience)
        self.pool = cast("Any", self.lines)

    def register_type_adapters(self) -> None:
        """Nothing: entries are sent as arrays of plain types, and no type is looked up before somebody asks for something."""

    def rows(self, statement: Any, parameters: dict[str, object], more: float = 0.0) -> list[tuple[Any, ...]]:
        """All rows of a short statement that does no harm if it comes twice; it is committed when this returns.

        ``more`` are seconds that it may take beyond the patience.
        """

        def ask(connection: EntryConnection) -> list[tuple[Any, ...]]:
            cursor = connection.cursor(binary=True, row_factory=tuple_row).execute(statement, parameters)
            return [] if cursor.rownumber is None else cursor.fetchall()

        with waiting(more) as wait:
            rows = self.lines.insist(ask, more)
            if len(rows) >= MANY:
                wait.was_work()
        return rows

    def changed(self, statement: Any, parameters: dict[str, object], more: float = 0.0) -> int:
        """How many rows a statement added or changed that answers nothing else, and does no harm if it comes twice."""
        with waiting(more):
            return self.lines.insist(
                lambda line: line.cursor(binary=True).execute(statement, parameters).rowcount, more
            )

    @contextmanager
    def connection(self) -> Iterator[EntryConnection]:
        """A connection for what must not come twice: nothing is tried again. Raises what psycopg raises."""
        with waiting(), self.lines.one(self.lines.deadline()) as connection:
            yield connection

    def in_transaction(self, act: Callable[[Any], _Answer]) -> _Answer:
        """What ``act`` makes of a cursor, in one transaction that does no harm if it comes twice."""

        def do(connection: EntryConnection) -> _Answer:
            with connection.transaction():
                return act(connection.cursor(binary=True, row_factory=tuple_row))

        with waiting():
            return self.lines.insist(do)


Row = tuple[Any, ...]


class Connections:
    """The tables of one store at an ``address``. May be used from several threads."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._datastore = EntryDatastore(address)
        finalize(self, self._datastore.close)

    def rows(self, statement: str, outcome: str, **parameters: object) -> list[Row]:
        """What a statement gives that may be run twice: again if the connection was lost.

        Raises RollbookError that names the ``outcome``: "nobody can be let in".
        """
        with in_words(self.address, outcome):
            return self._datastore.rows(statement, parameters)

    @contextmanager
    def changing(self, outcome: str) -> Iterator[Cursor[Row]]:
        """All that is done inside, or nothing of it."""
        with in_words(self.address, outcome), self._datastore.connection() as connection, connection.transaction():
            yield connection.cursor(binary=True, row_factory=tuple_row)


_OPEN: WeakValueDictionary[str, Connections] = WeakValueDictionary()
_OPENING = Lock()


def connections_to(address: str) -> Connections:
    """The connections of this program to a store, closed when nobody holds them any more."""
    with _OPENING:
        found = _OPEN.get(address)
        if found is None:
            found = _OPEN[address] = Connections(address)
        return found
