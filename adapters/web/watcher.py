"""Notices what other programs store: the command line, scripts, a second server on the same store."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from adapters.storage.event_store import SQLiteEventStore
from domain.errors import RollbookError
from domain.identifiers import StreamId

EVERY = 0.1
"""Seconds between two looks; a look is one question to SQLite that touches no disk."""


Ends = dict[StreamId, tuple[int, str]]


class Watcher:
    """Looks at a store every so often, in a thread of its own, and tells which streams have changed, with their last hash."""

    def __init__(self, path: Path, changed: Callable[[StreamId, str], None], every: float = EVERY) -> None:
        self._path = path
        self._changed = changed
        self._every = every
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, within one look."""
        self._stopped.set()
        self._thread.join(timeout=2)

    def _watch(self) -> None:
        known: Ends | None = None
        while not self._stopped.is_set():
            try:
                known = self._watch_one_file(known)
            except (RollbookError, sqlite3.Error, OSError):  # the store is gone or locked: it is looked for again
                self._stopped.wait(1)

    def _watch_one_file(self, known: Ends | None) -> Ends:
        """Watch until the file is another one. ``known`` are the ends of all streams as last seen, None at first."""
        file, version = self._identity(), -1
        with closing(SQLiteEventStore(self._path, create=False)) as store, closing(_connected(self._path)) as eye:
            while not self._stopped.is_set() and self._identity() == file:
                now = eye.execute("PRAGMA data_version").fetchone()[0]
                if now != version:
                    found = {end.stream: (end.version, end.hash) for end in store.ends()}
                    self._tell(known, found)
                    version, known = now, found
                self._stopped.wait(self._every)
        return known or {}

    def _tell(self, before: Ends | None, now: Ends) -> None:
        """Say which streams have other ends than before; one that was deleted has the hash ""."""
        if before is not None:
            for stream in {*before, *now}:
                if before.get(stream) != now.get(stream):
                    self._changed(stream, now.get(stream, (0, ""))[1])

    def _identity(self) -> tuple[int, int]:
        found = self._path.stat()
        return found.st_dev, found.st_ino


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
