"""Connections for what nodes share beside the history: one small pool for each store that this program has open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary, finalize

from psycopg import Cursor
from psycopg.rows import tuple_row

from rollbook.adapters.storage.postgres.connecting import EntryDatastore
from rollbook.adapters.storage.postgres.failures import in_words

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
