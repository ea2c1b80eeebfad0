"""What happens to a writer who comes too late, comes twice, or speaks of a history that is not there."""

from __future__ import annotations

from collections.abc import Sequence

from domain.errors import StaleHistory
from domain.event_store import EventStore


def settle(store: EventStore, campaign: str, expected: int, head: int, events: Sequence[tuple[str, bytes]]) -> None:
    """Settle an append after version ``expected`` that found the campaign at ``head``. Nothing was inserted.

    If exactly these events stand there already, an earlier commit has only lost its answer. Else raises StaleHistory.
    """
    if head < expected:
        raise _stale(f"Campaign {campaign!r} stands at event {head}, so nothing can follow event {expected}.")
    if expected < 0 or not events or not _stand(store, campaign, expected, events):
        raise _stale(f"Someone else wrote to campaign {campaign!r} first: it stands at event {head}, not {expected}.")


def _stand(store: EventStore, campaign: str, expected: int, events: Sequence[tuple[str, bytes]]) -> bool:
    standing = store.read(campaign, expected, expected + len(events))
    return [(name, data) for _, name, data in standing] == [(name, data) for name, data in events]


def _stale(what: str) -> StaleHistory:
    return StaleHistory(f"{what} Nothing was recorded; read it again and decide again.")
