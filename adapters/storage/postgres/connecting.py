"""The connections of a program to a store, in which every step has an end within five seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakValueDictionary, finalize

from psycopg import Cursor
from psycopg.rows import tuple_row

from rollbook.adapters.storage.postgres.failures import in_words
from rollbook.adapters.storage.postgres.lines import EntryConnection, EntryPool
from rollbook.adapters.storage.postgres.statements import spelled
from rollbook.application.ports.deadline import PATIENCE, waiting

POOL = 10
"""Connections of one program, when so many threads are busy at once. They are made when they are needed."""

MANY = 1_000
"""So many rows at once are a part of a long history, and reading them counts as work."""

Row = tuple[Any, ...]
_Answer = TypeVar("_Answer")


class Connections:
    """Connections to the store at an ``address``; nothing connects before something is asked. For several threads."""

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        self.address = address
        self._lines = EntryPool(address, POOL, patience)
        self.close = finalize(self, self._lines.close)

    def ask(self, statement: str, named: dict[str, object], more: float = 0.0) -> list[Row]:
        """All rows of a short statement that does no harm if it comes twice; it is committed when this returns.

        ``more`` are seconds that it may take beyond the patience. Raises what psycopg raises.
        """

        def ask(line: EntryConnection) -> list[Row]:
            cursor = line.cursor(binary=True, row_factory=tuple_row).execute(spelled(statement).encode(), named)
            return [] if cursor.rownumber is None else cursor.fetchall()

        with waiting(more) as wait:
            rows = self._lines.insist(ask, more)
            if len(rows) >= MANY:
                wait.was_work()
        return rows

    def changed(self, statement: str, named: dict[str, object], more: float = 0.0) -> int:
        """How many rows a statement added or changed that answers nothing else, and does no harm if it comes twice."""
        with waiting(more):
            return self._lines.insist(
                lambda line: line.cursor(binary=True).execute(statement.encode(), named).rowcount, more
            )

    def in_transaction(self, act: Callable[[Cursor[Row]], _Answer]) -> _Answer:
        """What ``act`` makes of a cursor, in one transaction that does no harm if it comes twice."""

        def do(line: EntryConnection) -> _Answer:
            with line.transaction():
                return act(line.cursor(binary=True, row_factory=tuple_row))

        with waiting():
            return self._lines.insist(do)

    def rows(self, statement: str, outcome: str, **named: object) -> list[Row]:
        """What a statement gives, see ``ask``. Raises RollbookError that names the ``outcome``: "nobody can be let in"."""
        with in_words(self.address, outcome):
            return self.ask(statement, named)

    @contextmanager
    def changing(self, outcome: str) -> Iterator[Cursor[Row]]:
        """All that is done inside, or nothing of it: nothing is tried again. Raises RollbookError."""
        one, said = self._lines.one, in_words(self.address, outcome)
        with said, waiting(), one(self._lines.deadline()) as line, line.transaction():
            yield line.cursor(binary=True, row_factory=tuple_row)


_OPEN: WeakValueDictionary[str, Connections] = WeakValueDictionary()
_OPENING = Lock()


def connections_to(address: str) -> Connections:
    """The connections of this program to a store, closed when nobody holds them any more."""
    with _OPENING:
        found = _OPEN.get(address)
        if found is None:
            found = _OPEN[address] = Connections(address)
        return found
