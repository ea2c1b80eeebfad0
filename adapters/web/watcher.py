"""Notices what other programs store: the command line, scripts, a second server on the same store."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from adapters.storage.event_store import SQLiteEventStore
from domain.errors import RollbookError
from domain.event_store import START, Cursor
from domain.identifiers import CampaignId

EVERY = 0.1
"""Seconds between two looks; a look is one question to SQLite that touches no disk."""


class Watcher:
    """Looks at a store every so often, in a thread of its own, and tells which campaigns have changed."""

    def __init__(self, path: Path, changed: Callable[[CampaignId], None], every: float = EVERY) -> None:
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
        known: dict[CampaignId, tuple[int, str]] = {}
        is_first = True
        while not self._stopped.is_set():
            try:
                is_first = self._watch_one_file(known, is_first=is_first)
            except (RollbookError, sqlite3.Error, OSError):  # the store is gone or locked: it is looked for again
                self._stopped.wait(1)

    def _watch_one_file(self, known: dict[CampaignId, tuple[int, str]], *, is_first: bool) -> bool:
        """Watch until the file is another one."""
        file = self._identity()
        with closing(SQLiteEventStore(self._path, create=False)) as store, closing(_connected(self._path)) as eye:
            version = -1
            after = START
            while not self._stopped.is_set() and self._identity() == file:
                now = eye.execute("PRAGMA data_version").fetchone()[0]
                if now != version:
                    version = now
                    after = self._tell(store, known, after, is_first=is_first)
                    is_first = False
                self._stopped.wait(self._every)
        return False

    def _tell(
        self, store: SQLiteEventStore, known: dict[CampaignId, tuple[int, str]], after: Cursor, *, is_first: bool
    ) -> Cursor:
        last = store.last_position()
        for end in store.ends(after):
            campaign = end.stream.partition("~")[0]
            if known.get(end.stream) != (end.version, end.hash):
                known[end.stream] = (end.version, end.hash)
                if not is_first:
                    self._changed(campaign)
        return last

    def _identity(self) -> tuple[int, int]:
        found = self._path.stat()
        return found.st_dev, found.st_ino


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
