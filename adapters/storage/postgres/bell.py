"""The bell of a store: soon after an append it tells its followers which streams have grown, and their last hashes.

It does not ring in the transaction that stores. PostgreSQL commits only one transaction with a notification at a time,
so all writers of all campaigns would wait for each other's disk: eight of them reached a tenth of the commits. A thread
rings afterwards, for everything that was stored meanwhile, without waiting for the disk. A lost ring only causes a
delay: followers look every second by themselves.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from psycopg.rows import tuple_row

from rollbook.adapters.storage.postgres import statements
from rollbook.adapters.storage.postgres.connecting import Connections
from rollbook.adapters.storage.postgres.failures import FAILURES
from rollbook.adapters.storage.postgres.lines import CLOSING, connect
from rollbook.adapters.storage.postgres.recorder import as_name, as_text
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import hash_in

CHANNEL = "rollbook"
SEATS = "rollbook_seats"
"""The channel for campaigns in which a browser lost a seat, notified in that same transaction: it is rare."""
PAUSE = 0.02
"""Least seconds between two rings."""
LONGEST = 7_900
"""Most bytes of a ring: PostgreSQL takes less than 8,000."""
LOOK_AT_ALL = ""
"""The text of a ring whose streams do not fit in."""

RING = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%(channel)s, %(said)s)"


class Bell:
    """The bell of one program's connections to a store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._news: dict[StreamId, bytes] = {}
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def ring(self, stream: StreamId, last: bytes) -> None:
        """Announce soon that a stream ends with this stored entry; b"" if followers should read it in any case."""
        with self._lock:
            self._news[stream] = last
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
                self._thread.start()
        if not self._wanted.is_set():
            self._wanted.set()

    def close(self) -> None:
        """Send the pending ring, and ring no more."""
        with self._lock:
            self._is_closed = True
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(timeout=CLOSING)

    def _run(self) -> None:
        while not self._is_closed:
            self._wanted.wait()
            self._wanted.clear()
            self._say()
            time.sleep(0 if self._is_closed else PAUSE)
        self._say()

    def _say(self) -> None:
        with self._lock:
            news, self._news = self._news, {}
        if not news:
            return
        with suppress(*FAILURES):  # the entries are stored; followers find them by looking
            ends = {stream: hash_in(last) for stream, last in news.items()}
            self._connections.ask(RING, {"channel": CHANNEL, "said": said(ends)})


def said(news: Mapping[StreamId, str]) -> str:
    """The text of a ring for streams and the hashes of their last entries."""
    text = json.dumps([*news.items()], separators=(",", ":"))
    return text if len(text) <= LONGEST else LOOK_AT_ALL


def heard(text: str) -> Iterable[tuple[StreamId, str]] | None:
    """The streams and hashes in a ring; None if every stream is to be read."""
    if text == LOOK_AT_ALL:
        return None
    try:
        return [(str(stream), str(last)) for stream, last in json.loads(text)]
    except (ValueError, TypeError):  # another program on the same database rang
        return None


End = tuple[StreamId, str]
"""A stream and the hash of its last entry; "" if it is to be read in any case."""

LOOKS = 4_096
"""Number of looks that are kept for the age of the tail."""


class Listening:
    """An open connection that listens. Every method raises psycopg's errors. For one thread."""

    def __init__(self, address: str) -> None:
        self._connection = connect(address)
        try:
            self._connection.execute(f"SET application_name = 'rollbook bell'; LISTEN {CHANNEL}; LISTEN {SEATS}")
        except BaseException:
            self._connection.close()
            raise

    def rings(self, seconds: float) -> Iterator[tuple[str, str]]:
        """The next ring within so many seconds, as soon as it arrives: its channel and its text."""
        for ring in self._connection.notifies(timeout=seconds, stop_after=1):
            yield ring.channel, ring.payload

    def store(self) -> tuple[str, int]:
        """The identity of the store, and its epoch, which grows when the store is moved or set back."""
        ((identity, _, epoch, _),) = self._rows(statements.STORE)
        return str(identity), int(epoch)

    def ends_of(self, streams: Sequence[StreamId]) -> list[End]:
        """The ends of some streams as they are now, whichever transactions are under way."""
        rows = self._rows(statements.ENDS_OF, streams=[as_text(stream) for stream in streams]) if streams else []
        return [(as_name(stream), hash_in(end)) for stream, end in rows]

    def removed(self, after: int) -> list[tuple[int, StreamId]]:
        """The streams of removals after that number, each with the number of its removal."""
        return [(number, as_name(stream)) for number, stream in self._rows(statements.REMOVED, after=after)]

    def rules(self) -> dict[str, str]:
        """The fingerprint of the rules in force for each ruleset that was played."""
        return {as_name(ruleset): str(own) for ruleset, own in self._rows(statements.ALL_RULES)}

    def moment(self) -> tuple[int, int]:
        """The oldest transaction under way, and the first that has not begun."""
        ((oldest, next_),) = self._rows(statements.MOMENT)
        return int(oldest), int(next_)

    def last(self) -> tuple[str, int]:
        """The transaction and position of the last entry in the tail now."""
        rows = self._rows(statements.LAST)
        return (str(rows[0][0]), int(rows[0][1])) if rows else ("0", 0)

    def ends_after(self, place: tuple[str, int]) -> list[End]:
        """The ends of all streams with entries in the tail after such a place."""
        rows = self._rows(statements.ENDS, xid=place[0], position=place[1])
        return [(as_name(stream), hash_in(end)) for stream, _, end in rows]

    def _rows(self, statement: str, **parameters: object) -> list[tuple[Any, ...]]:
        cursor = self._connection.cursor(binary=True, row_factory=tuple_row)
        return cursor.execute(statement.encode(), parameters).fetchall()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class TailAge:
    """Age of what the tail has shown: a slow writer, in any database of the server, increases it."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int]] = deque(maxlen=LOOKS)
        self._whole = float("-inf")

    def looked(self, oldest: int, next_: int, now: float | None = None) -> None:
        """Note a look at the tail; ``oldest`` was the oldest transaction under way, and ``next_`` the first not begun.

        All commits before an earlier look have been shown once no transaction that had begun by then is under way.
        """
        self._looks.append((time.monotonic() if now is None else now, next_))
        while self._looks and self._looks[0][1] <= oldest:
            self._whole = self._looks.popleft()[0]

    def __call__(self) -> float:
        """The age in seconds; infinite before the tail was read."""
        return time.monotonic() - self._whole
