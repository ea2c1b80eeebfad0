"""How far long work is: said every few items to anybody who wants to know, never more than is worth saying."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

Progress: TypeAlias = Callable[[int, int], None]
"""Told how much is done, of how much."""

EVERY = 64
"""So many items lie between two words about the progress."""

_Item = TypeVar("_Item")


def told(
    items: Iterable[_Item], progress: Progress | None, total: Callable[[], int], *, before: int = 0
) -> Iterator[_Item]:
    """The items as they come; ``progress`` hears how many there were, after as many ``before``, of the ``total``."""
    if progress is None:
        yield from items
        return
    whole, done = total(), before
    for item in items:
        yield item
        done += 1
        if not done % EVERY:
            progress(done, max(done, whole))
