"""Watchers, which notice entries of other programs, and their news; and the watcher of a store in a file.

For a file, other programs are the command line, scripts, or a second server on the same store.
"""

import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import attrs

from rollbook.adapters.local_files.seat_links_file import links_path
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId, StreamId
from rollbook.domain.history.event_store import START, StoreState


@attrs.frozen
class News:
    """Callbacks of a watcher, all called from the watcher's own thread.

    ``changed`` is called with each stream that has another end, and the hash of its last entry, "" if it is unknown or
    the stream was deleted. ``replaced`` is called when another store is in the place of the former, and ``removed``
    when another computer has removed content of any campaign. ``followed`` returns the streams that are cached here: a
    watcher may leave out others. ``unseated`` is called with a campaign in which a reader may have lost a seat without
    an entry, as when a link is revoked, or with "" for any. ``rules`` is called at each look at a shared store, with the
    fingerprints in force there, and those that were so since this program began.
    """

    changed: Callable[[StreamId, str], None]
    replaced: Callable[[], None] = lambda: None
    followed: Callable[[], Sequence[StreamId]] = tuple
    removed: Callable[[], None] = lambda: None
    unseated: Callable[[CampaignId], None] = lambda _: None
    rules: Callable[[Mapping[str, str], set[tuple[str, str]]], None] = lambda *_: None


class Watcher(ABC):
    """A watcher of a store: looks at it in a thread of its own, from ``start`` to ``stop``, and passes on the news."""

    def __init__(self, news: News) -> None:
        self._news = news
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)
        self._looked = float("-inf")

    @abstractmethod
    def _watch(self) -> None:
        """Watch until it is stopped."""

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, within two seconds."""
        self._stopped.set()
        self._thread.join(timeout=2)

    def silence(self) -> float:
        """Seconds since the store's last answer; infinite if there was none. May be called from any thread."""
        return time.monotonic() - self._looked

    def tail_age(self) -> float:
        """Seconds since the last moment up to which all stored entries were seen. May be called from any thread."""
        return self.silence()


EVERY = 0.1
"""Seconds between two looks; a look is one SQLite query that reads no disk."""
WHILE_GONE = 0.5
"""Seconds between two looks for a missing store."""

Ends = dict[StreamId, tuple[int, str]]


class FileWatcher(Watcher):
    """Watcher of a store in a file and of the links to its seats, which are beside its seeds."""

    def __init__(self, path: Path, seeds: Path, news: News, every: float = EVERY) -> None:
        super().__init__(news)
        self._path = path
        self._seeds = seeds
        self._every = every
        self._watched: tuple[tuple[int, int], str] | None = None
        self._known: Ends | None = None
        self._removals, self._read = 0, START

    def _watch(self) -> None:
        while not self._stopped.is_set():
            try:
                self._watch_one_file()
            except (RollbookError, sqlite3.Error, OSError):  # the store is gone or locked: it is looked for again
                self._stopped.wait(WHILE_GONE)

    def _watch_one_file(self) -> None:
        """Watch until the file is replaced, or a backup is restored into it."""
        file = self._identity()
        with closing(SQLiteEventStore(self._path, create=False)) as store, closing(Eye(self._path)) as eye:
            identity = store.identity()
            if self._watched not in (None, (file, identity)):
                self._news.replaced()
            self._watched, self._read = (file, identity), START
            with closing(Eye(links_path(self._seeds, identity))) as links:
                while not self._stopped.is_set() and self._identity() == file:
                    if eye.sees_news():
                        now = store.state()
                        if now.identity != identity:
                            return
                        self._look(store, now)
                    if links.sees_news():
                        self._news.unseated("")
                    self._looked = time.monotonic()
                    self._stopped.wait(self._every)

    def _look(self, store: SQLiteEventStore, now: StoreState) -> None:
        """Report the streams whose ends have changed. All are read only at first, and after a removal."""
        is_part = self._known is not None and self._read != START and now.removals == self._removals
        ends = {end.stream: (end.version, end.hash) for end in store.ends(self._read if is_part else START)}
        before = self._known
        self._known = {**(before or {}), **ends} if is_part else ends
        self._removals, self._read = now.removals, now.position
        if before is not None:
            for stream in ends if is_part else {*before, *ends}:
                if before.get(stream) != ends.get(stream):
                    self._news.changed(stream, ends.get(stream, (0, ""))[1])

    def _identity(self) -> tuple[int, int]:
        found = self._path.stat()
        return found.st_dev, found.st_ino


@attrs.define
class Eye:
    """Detector of writes to a SQLite file, by any program. A missing file is looked for at each look."""

    _path: Path
    _connection: sqlite3.Connection | None = None
    _version: int = -1

    def sees_news(self) -> bool:
        """True if the file is new here or was written since the last look. Raises sqlite3.Error."""
        if self._connection is None:
            if not self._path.exists():
                return False
            where = f"{self._path.absolute().as_uri()}?mode=ro"
            self._connection = sqlite3.connect(where, uri=True, isolation_level=None)
        before = self._version
        (self._version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return self._version != before

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
