"""The connections of a program to a store, in which every step ends within five seconds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakSet, WeakValueDictionary, finalize

from psycopg import Cursor
from psycopg.rows import tuple_row

from rollbook.adapters.storage.postgres.failures import in_words
from rollbook.adapters.storage.postgres.lines import EntryConnection, EntryPool
from rollbook.adapters.storage.postgres.statements import spelled
from rollbook.application.ports.deadline import PATIENCE, waiting

POOL = 10
"""Most connections of one program, for as many busy threads. They are made when they are needed."""

MANY = 1_000
"""Number of rows from which a result is part of a long history, and reading it counts as work."""

Row = tuple[Any, ...]
_Answer = TypeVar("_Answer")


_ALL: WeakSet[Connections] = WeakSet()


def lines_in_use() -> tuple[int, int, int]:
    """The connections of this program that are open, those of them in use, and the threads that wait for one."""
    counts = [connections.counts() for connections in list(_ALL)]
    opened, idle, waiting_for = (sum(each) for each in zip(*counts, strict=True)) if counts else (0, 0, 0)
    return opened, opened - idle, waiting_for


class Connections:
    """Connections to the store at an ``address``; none is made before the first statement. For several threads."""

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        self.address = address
        self._lines = EntryPool(address, POOL, patience)
        self.close = finalize(self, self._lines.close)
        _ALL.add(self)

    def counts(self) -> tuple[int, int, int]:
        """The connections that are open, the idle ones, and the threads that wait for one."""
        found = self._lines.get_stats()
        return found.get("pool_size", 0), found.get("pool_available", 0), found.get("requests_waiting", 0)

    def ask(self, statement: str, named: dict[str, object], more: float = 0.0) -> list[Row]:
        """Run a short statement that may safely run twice, and return its rows; it is committed when this returns.

        ``more`` are seconds that it may take beyond the patience. Raises psycopg's errors.
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
        """Run a statement without a result that may safely run twice, and return how many rows it added or changed."""
        with waiting(more):
            return self._lines.insist(
                lambda line: line.cursor(binary=True).execute(statement.encode(), named).rowcount, more
            )

    def in_transaction(self, act: Callable[[Cursor[Row]], _Answer]) -> _Answer:
        """Call ``act`` with a cursor in one transaction, which may safely run twice, and return its result."""

        def do(line: EntryConnection) -> _Answer:
            with line.transaction():
                return act(line.cursor(binary=True, row_factory=tuple_row))

        with waiting():
            return self._lines.insist(do)

    def rows(self, statement: str, outcome: str, **named: object) -> list[Row]:
        """The rows of a statement, see ``ask``. Raises RollbookError with the ``outcome``: "nobody can be let in"."""
        with in_words(self.address, outcome):
            return self.ask(statement, named)

    @contextmanager
    def changing(self, outcome: str) -> Iterator[Cursor[Row]]:
        """A transaction, which is never retried. Raises RollbookError."""
        one, said = self._lines.one, in_words(self.address, outcome)
        with said, waiting(), one(self._lines.deadline()) as line, line.transaction():
            yield line.cursor(binary=True, row_factory=tuple_row)


_OPEN: WeakValueDictionary[str, Connections] = WeakValueDictionary()
_OPENING = Lock()


def _forget_all() -> None:
    """Share no connections with the process that this one was forked from, which had the lock meanwhile."""
    _OPEN.clear()
    _OPENING.release()


if hasattr(os, "register_at_fork"):  # two processes that talk on one line would mix up their answers
    os.register_at_fork(before=_OPENING.acquire, after_in_parent=_OPENING.release, after_in_child=_forget_all)


def connections_to(address: str) -> Connections:
    """The connections of this program to a store, shared, and closed when no object refers to them any more."""
    with _OPENING:
        found = _OPEN.get(address)
        if found is None:
            found = _OPEN[address] = Connections(address)
        return found
