"""One connection on which a program hears the bell of a store, and on which it looks for what it did not hear.

It looks in two ways. The campaigns that are followed here are asked for their ends by name, so nothing that others are slow with
can hold them up. All the rest comes by the tail, which waits for the slowest writer (see ``tail``).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from psycopg.rows import tuple_row

from rollbook.adapters.storage.postgres import statements
from rollbook.adapters.storage.postgres.bell import CHANNEL, SEATS
from rollbook.adapters.storage.postgres.lines import connect
from rollbook.adapters.storage.postgres.recorder import as_name, as_text
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import hash_in

End = tuple[StreamId, str]
"""A stream and the hash of its last entry; "" if it is to be looked at whatever it ends with."""

LOOKS = 4_096
"""So many looks are remembered for the age of the tail."""


class Listening:
    """An open connection that listens. Raises what psycopg raises, from every method. For one thread."""

    def __init__(self, address: str) -> None:
        self._connection = connect(address)
        try:
            self._connection.execute(f"SET application_name = 'rollbook bell'; LISTEN {CHANNEL}; LISTEN {SEATS}")
        except BaseException:
            self._connection.close()
            raise

    def rings(self, seconds: float) -> Iterator[tuple[str, str]]:
        """What is heard within so many seconds, as soon as it is heard: on which channel, and what it says."""
        for ring in self._connection.notifies(timeout=seconds, stop_after=1):
            yield ring.channel, ring.payload

    def store(self) -> tuple[str, int]:
        """The identity of the store and how often it was restored on another server."""
        ((identity, _, epoch, _),) = self._rows(statements.STORE)
        return str(identity), int(epoch)

    def ends_of(self, streams: Sequence[StreamId]) -> list[End]:
        """The ends of some streams, as they are now, whatever else is under way."""
        rows = self._rows(statements.ENDS_OF, streams=[as_text(stream) for stream in streams]) if streams else []
        return [(as_name(stream), hash_in(end)) for stream, end in rows]

    def removed(self, after: int) -> list[tuple[int, StreamId]]:
        """The streams from which something was removed since a removal of that number, each with the number of its own."""
        return [(number, as_name(stream)) for number, stream in self._rows(statements.REMOVED, after=after)]

    def moment(self) -> tuple[int, int]:
        """The oldest transaction that is under way, and the first that has not begun."""
        ((oldest, next_),) = self._rows(statements.MOMENT)
        return int(oldest), int(next_)

    def last(self) -> tuple[str, int]:
        """The transaction and position of the last entry that the tail can show now."""
        rows = self._rows(statements.LAST)
        return (str(rows[0][0]), int(rows[0][1])) if rows else ("0", 0)

    def ends_after(self, place: tuple[str, int]) -> list[End]:
        """The ends of all streams that the tail shows to have grown since such a place."""
        rows = self._rows(statements.ENDS, xid=place[0], position=place[1])
        return [(as_name(stream), hash_in(end)) for stream, _, end in rows]

    def _rows(self, statement: str, **parameters: object) -> list[tuple[Any, ...]]:
        cursor = self._connection.cursor(binary=True, row_factory=tuple_row)
        return cursor.execute(statement.encode(), parameters).fetchall()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class TailAge:
    """How old what the tail has shown is: a writer that is slow, in any database of the server, lets it grow."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int]] = deque(maxlen=LOOKS)
        self._whole = float("-inf")

    def looked(self, oldest: int, next_: int, now: float | None = None) -> None:
        """The tail was read, when ``oldest`` was the oldest transaction under way and ``next_`` the first not yet begun.

        All that was committed by an earlier look was shown once no transaction is under way that had begun by then.
        """
        self._looks.append((time.monotonic() if now is None else now, next_))
        while self._looks and self._looks[0][1] <= oldest:
            self._whole = self._looks.popleft()[0]

    def __call__(self) -> float:
        """In seconds; infinite before the tail was read."""
        return time.monotonic() - self._whole
