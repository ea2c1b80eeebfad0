"""A watcher, which notices what other programs store, and the news that it tells."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import attrs

from rollbook.domain.base.identifiers import CampaignId, StreamId


@attrs.frozen
class News:
    """What a watcher asks and tells; all of it is called from the watcher's own thread.

    ``changed`` is called with each stream that has another end, and the hash of its last entry, "" if that is not known or it was
    deleted. ``replaced`` is called when another store is in the place of the one that was there, and ``removed`` when another
    computer has removed something, of whatever campaign. ``followed`` are the streams of which something is kept here: a watcher
    may say nothing of others. ``unseated`` is called with a campaign in which somebody may have lost a seat by no entry, as
    when a link is revoked, or with "" for any.
    """

    changed: Callable[[StreamId, str], None]
    replaced: Callable[[], None] = lambda: None
    followed: Callable[[], Sequence[StreamId]] = tuple
    removed: Callable[[], None] = lambda: None
    unseated: Callable[[CampaignId], None] = lambda _: None


class Watcher(ABC):
    """Looks at a store in a thread of its own, from ``start`` to ``stop``, and tells the news."""

    def __init__(self, news: News) -> None:
        self._news = news
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)
        self._looked = float("-inf")

    @abstractmethod
    def _watch(self) -> None:
        """Watch until it is stopped."""

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, within two seconds."""
        self._stopped.set()
        self._thread.join(timeout=2)

    def silence(self) -> float:
        """For how many seconds the store has not answered; infinite if it never has. May be asked from any thread."""
        return time.monotonic() - self._looked

    def tail_age(self) -> float:
        """How many seconds ago all that was stored by then was seen here. May be asked from any thread."""
        return self.silence()
