"""Conflicts of writers: one is too late, repeats itself, or names a history that is not there."""

from collections.abc import Sequence

from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.event_store import EventStore, NewEntry


def settle(store: EventStore, stream: StreamId, expected: int, head: int, entries: Sequence[NewEntry]) -> None:
    """Settle an append after version ``expected`` that found the stream at ``head``. Nothing was inserted.

    If exactly these entries are there already, an earlier commit only lost its answer. Otherwise raises StaleHistory.
    """
    if head < expected:
        raise _stale(f"Campaign {stream!r} is at entry @{head}, so nothing can follow entry @{expected}.")
    if expected < 0 or not entries or not stand(store, stream, expected, entries):
        raise _stale(f"Someone else wrote to campaign {stream!r} first: it is at entry @{head}, not @{expected}.")


def moved_on(stream: StreamId, head: int, expected: int) -> StaleHistory:
    """The error of a removal from a stream that another writer has appended to since."""
    return StaleHistory(
        f"Someone else wrote to campaign {stream!r} first: it is at entry @{head}, not @{expected}. "
        f"Nothing was removed; try again."
    )


def taken(stream: StreamId) -> StaleHistory:
    """The error of a timeline whose stream already exists."""
    return _stale(f"There is already a stream {stream!r}.")


def stand(store: EventStore, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> bool:
    """True if exactly these entries are in the store after version ``expected``."""
    standing = store.read(stream, expected, expected + len(entries))
    return [(kind, data) for _, kind, data in standing] == [(entry.kind, entry.data) for entry in entries]


def _stale(what: str) -> StaleHistory:
    return StaleHistory(f"{what} Nothing was recorded; read it again and decide again.")
