"""Progress of long work, reported every few items to a listener.

A listener is set around the work (``telling``), so that the calls between need not pass it on. Python's garbage
collector can be paused around work that makes many objects which stay.
"""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, TypeVar

Progress: TypeAlias = Callable[[int, int], None]
"""A listener: takes the number of items done, and their total."""

EVERY = 64
"""Number of items between two reports."""

_Item = TypeVar("_Item")
_listener: ContextVar[Progress | None] = ContextVar("progress", default=None)


def is_asked() -> bool:
    """True if a listener is set around this work."""
    return _listener.get() is not None


def say(done: int, total: int) -> None:
    """Report to the listener around this work how much is done, of how much."""
    progress = _listener.get()
    if progress is not None:
        progress(done, total)


@contextmanager
def telling(progress: Progress | None) -> Iterator[None]:
    """Report the work inside to ``progress``."""
    before = _listener.set(progress)
    try:
        yield
    finally:
        _listener.reset(before)


def told(items: Iterable[_Item], total: Callable[[], int], *, before: int = 0) -> Iterator[_Item]:
    """Yield the items and report to the listener how many of the ``total`` are done, counted on from ``before``."""
    progress = _listener.get()
    if progress is None:
        return iter(items)
    return _told(items, progress, total(), before)


def _told(items: Iterable[_Item], progress: Progress, whole: int, done: int) -> Iterator[_Item]:
    for item in items:
        yield item
        done += 1
        if not done % EVERY:
            progress(done, max(done, whole))


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection: a history that is read or played again is next to no garbage, and slow to walk over."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
