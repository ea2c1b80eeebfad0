"""How far long work is: said every few items to anybody who wants to know, never more than is worth saying.

Who wants to know says so around the work (``telling``), so that what lies between need not pass it on.
"""

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


@contextmanager
def telling(progress: Progress | None) -> Iterator[None]:
    """What is worked through inside says to ``progress`` how far it is."""
    before = _listener.set(progress)
    try:
        yield
    finally:
        _listener.reset(before)


def told(
    items: Iterable[_Item], total: Callable[[], int], progress: Progress | None = None, *, before: int = 0
) -> Iterator[_Item]:
    """The items as they come; ``progress`` hears how many there were, after as many ``before``, of the ``total``.

    Without one of its own it is said to who asked around the work.
    """
    progress = progress or _listener.get()
    if progress is None:
        return iter(items)
    return _told(items, progress, total(), before)


def _told(items: Iterable[_Item], progress: Progress, whole: int, done: int) -> Iterator[_Item]:
    for item in items:
        yield item
        done += 1
        if not done % EVERY:
            progress(done, max(done, whole))
