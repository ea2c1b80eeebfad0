"""Following all that is stored, in an order in which nothing can come in between any more.

Positions are given out before transactions commit, so 8 may be seen before 7 is. Every row therefore carries the number of its
transaction. A reader takes only what is below the oldest transaction that is still under way, ordered by transaction and
position: whatever commits later comes after that. A writer that is slow delays the tail, and cannot tear it.
"""

from typing import NamedTuple

from rollbook.domain.history.event_store import START, Cursor


class Mark(NamedTuple):
    """A place in the tail. ``epoch`` tells places of before the store was restored on another server from those of today."""

    epoch: int
    xid: int
    position: int

    def cursor(self) -> Cursor:
        return Cursor(f"{self.epoch}.{self.xid}.{self.position}") if self.position else START


def mark_of(cursor: Cursor, epoch: int) -> Mark:
    """The place that a cursor stands for. One that is of another epoch, or of another kind of store, is the beginning."""
    try:
        mark = Mark(*map(int, cursor.split(".")))
    except (ValueError, TypeError):
        return Mark(epoch, 0, 0)
    return mark if mark.epoch == epoch and mark.xid >= 0 else Mark(epoch, 0, 0)
