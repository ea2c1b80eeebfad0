"""Turns of worker threads: one of them computes at a time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

TURN_SECONDS = 0.05
"""Seconds that a thread waits for the turn of another to end, before it works beside it."""


class Turns:
    """The turns of several threads.

    The interpreter runs one thread at a time. Where it changes between threads that all compute, each of them takes a third
    more of the processor for the same. So they come one after the other, but for work that takes long.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Wait for a turn, and have it until the end of the block. Beside work that takes long it begins without one."""
        has_turn = self._lock.acquire(timeout=TURN_SECONDS)
        try:
            yield
        finally:
            if has_turn:
                self._lock.release()
