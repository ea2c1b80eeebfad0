"""Rings for all who follow a store, soon after something was stored: what they have to look at, and the hash that it ends with.

It does not ring in the transaction that stores. PostgreSQL lets only one transaction at a time commit that has something to say,
so all writers of all campaigns would wait for each other's disk: eight of them came to a tenth of the commits. A thread
says it afterwards, for everything that was stored meanwhile, without waiting for the disk. A ring that is lost delays: who
follows looks every second by itself.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress

from rollbook.adapters.storage.postgres.connecting import EntryDatastore
from rollbook.adapters.storage.postgres.failures import FAILURES
from rollbook.adapters.storage.postgres.lines import CLOSING
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import hash_in

CHANNEL = "rollbook"
SEATS = "rollbook_seats"
"""The channel on which it is said, in the transaction that does it, in which campaign somebody has lost a seat: that is rare."""
PAUSE = 0.02
"""Seconds between two rings at least."""
LONGEST = 7_900
"""Bytes that a ring can hold: PostgreSQL takes less than 8,000."""
LOOK_AT_ALL = ""
"""What a ring holds when there is more to say than it can hold."""

RING = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(%(channel)s, %(said)s)"


class Bell:
    """The bell of one program's connections to a store."""

    def __init__(self, datastore: EntryDatastore) -> None:
        self._datastore = datastore
        self._news: dict[StreamId, bytes] = {}
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def ring(self, stream: StreamId, last: bytes) -> None:
        """Say soon that a stream ends with this stored entry; b"" if it is to be looked at whatever it ends with."""
        with self._lock:
            self._news[stream] = last
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="bell", daemon=True)
                self._thread.start()
        if not self._wanted.is_set():
            self._wanted.set()

    def close(self) -> None:
        """Say what was not said yet. Nothing more is rung."""
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
        with suppress(*FAILURES):  # what is stored is stored; others find it by looking
            ends = {stream: hash_in(last) for stream, last in news.items()}
            self._datastore.rows(RING, {"channel": CHANNEL, "said": said(ends)})


def said(news: Mapping[StreamId, str]) -> str:
    """What a ring holds of streams and the hashes of their last entries."""
    text = json.dumps([*news.items()], separators=(",", ":"))
    return text if len(text) <= LONGEST else LOOK_AT_ALL


def heard(text: str) -> Iterable[tuple[StreamId, str]] | None:
    """What a ring holds; None if everything is to be looked at."""
    if text == LOOK_AT_ALL:
        return None
    try:
        return [(str(stream), str(last)) for stream, last in json.loads(text)]
    except (ValueError, TypeError):  # another program on the same database rang
        return None
