"""Watcher of a store on a PostgreSQL server: hears its bell, and looks every second for entries it did not hear of."""

import logging
import random
import time
from collections.abc import Iterable
from contextlib import closing

from rollbook.adapters.storage.postgres.bell import SEATS, End, Listening, TailAge, heard
from rollbook.adapters.storage.postgres.failures import FAILURES, sentence
from rollbook.adapters.storage.postgres.recorder import as_name
from rollbook.adapters.storage.postgres.store import agreed_in
from rollbook.adapters.web.logs import note
from rollbook.adapters.web.watching.watcher import News, Watcher
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.base.identifiers import StreamId

EVERY = 1.0
"""Seconds between two looks for what the bell did not say."""
AFTER_A_RING = 0.25
"""Least seconds between two looks while the bell rings for too many campaigns to name them."""
LISTENED = 0.25
"""Seconds of listening to the bell between two checks whether to stop."""
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
"""Seconds before the first attempt to reconnect, and before any at most."""


class ServerWatcher(Watcher):
    """Watcher of the store at an address, over one connection, which is renewed when it is lost."""

    def __init__(self, where: ServerAddress, news: News) -> None:
        super().__init__(news)
        self._where = where
        self._store: tuple[str, int] | None = None
        self._place: tuple[str, int] | None = None
        self._removal = 0
        self._known: dict[StreamId, str] = {}
        self._tail_age = TailAge()

    def tail_age(self) -> float:
        return self._tail_age()

    def _watch(self) -> None:
        wait, lost = FIRST_WAIT, 0.0
        while not self._stopped.is_set():
            try:
                with closing(Listening(self._where.given)) as listening:
                    self._look(listening)
                    self._news.unseated("")  # the bell may have rung before this connection
                    if lost:
                        note(
                            logging.WARNING,
                            "store_back",
                            "The store answers again.",
                            after=round(time.monotonic() - lost, 1),
                        )
                    wait, lost = FIRST_WAIT, 0.0
                    self._listen(listening)
            except FAILURES as failure:
                if not lost:
                    lost = time.monotonic()
                    said = str(sentence(self._where.given, failure, "it is asked again"))
                    note(logging.WARNING, "store_lost", said, why=type(failure).__name__)
                self._stopped.wait(wait * random.uniform(0.5, 1))  # noqa: S311 - so that not all nodes come back at once
                wait = min(wait * 2, LONGEST_WAIT)

    def _listen(self, listening: Listening) -> None:
        """Pass on the bell's news at once, and look every so often."""
        is_unnamed = False
        while not self._stopped.is_set():
            for channel, said in listening.rings(LISTENED):
                if channel == SEATS:
                    self._news.unseated(as_name(said))
                    continue
                ends = heard(said)
                is_unnamed = is_unnamed or ends is None
                self._tell(ends or ())
            since = self.silence()
            if since >= EVERY or (is_unnamed and since >= AFTER_A_RING):
                self._look(listening)
                is_unnamed = False

    def _look(self, listening: Listening) -> None:
        """Find news that was not heard: in followed campaigns by their names, in all others by the tail."""
        store = listening.store()
        if self._store not in (None, store):
            self._place, self._removal = None, 0
            self._known.clear()
            self._news.replaced()
        self._store = store
        self._news.rules(listening.rules(), agreed_in(store[0]))
        followed = self._news.followed()
        self._tell(listening.ends_of(followed))
        removed = listening.removed(self._removal)
        if removed:
            self._news.removed()
        if self._place is not None:
            self._tell((stream, "") for _, stream in removed)
        self._removal = max((number for number, _ in removed), default=self._removal)
        moment, place = listening.moment(), listening.last()
        if self._place is not None:
            self._tell(listening.ends_after(self._place))
        self._place = place
        self._tail_age.looked(*moment)
        self._looked = time.monotonic()
        self._known = {stream: self._known[stream] for stream in followed if stream in self._known}

    def _tell(self, ends: Iterable[End]) -> None:
        followed = frozenset(self._news.followed())
        for stream, last in ends:
            if stream in followed and (not last or self._known.get(stream) != last):
                self._known[stream] = last
                self._news.changed(stream, last)
