"""How far long work is: said every few items to anybody who wants to know, never more than is worth saying.

Who wants to know says so around the work (``telling``), so that what lies between need not pass it on. Python's collector of
cycles can be paused around work that makes much which stays.
"""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, TypeVar

Progress: TypeAlias = Callable[[int, int], None]
"""Told how much is done, of how much."""

EVERY = 64
"""So many items lie between two words about the progress."""

_Item = TypeVar("_Item")
_listener: ContextVar[Progress | None] = ContextVar("progress", default=None)


def is_asked() -> bool:
    """True if anybody asked around this work."""
    return _listener.get() is not None


def say(done: int, total: int) -> None:
    """Say to who asked around this work how much is done, of how much."""
    progress = _listener.get()
    if progress is not None:
        progress(done, total)


@contextmanager
def telling(progress: Progress | None) -> Iterator[None]:
    """Tell ``progress`` how far the work inside is."""
    before = _listener.set(progress)
    try:
        yield
    finally:
        _listener.reset(before)


def told(items: Iterable[_Item], total: Callable[[], int], *, before: int = 0) -> Iterator[_Item]:
    """The items as they come; who asked around the work hears how many there were, after as many ``before``, of the ``total``."""
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
    """Pause it: a history that is read or played again is next to no garbage, and the collector would walk over all of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
