"""The port to the event store: one ordered stream of events per campaign, appended to and never changed.

Whatever stands behind it (memory, SQLite, PostgreSQL) keeps the promises written here; one shared suite of tests holds
every implementation to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol


class StoredEvent(NamedTuple):
    """One event as it lies in the store: its ``version`` in the campaign's stream (1, 2, 3 …), name and bytes."""

    version: int
    name: str
    data: bytes


class Change(NamedTuple):
    """One event as the whole store saw it arrive. ``position`` rises over all campaigns and is never used twice."""

    position: int
    campaign: str
    event: StoredEvent


class EventStore(Protocol):
    """Streams of events, one per campaign. All reads are lazy and in order."""

    def append(self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]]) -> None:
        """Append ``(name, data)`` pairs after version ``expected`` (0 for a new stream): all of them, or none.

        Returns only when the events are on disk. If the store answers with a conflict although exactly these
        events already stand there (a commit whose answer was lost), that is success.

        Raises StaleHistory when the stream is not at ``expected``, and RollbookError when the store cannot be written
        (locked by another process, full, read-only): then nothing was appended.
        """

    def redact(
        self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]], instead: Mapping[int, bytes]
    ) -> None:
        """Append like ``append``, and in the same moment put other bytes in the place of earlier events, by version.

        The only change that a stored event can ever suffer: a note's words are removed for good, so the old bytes are
        wiped from the file. Both happen or neither. Raises what ``append`` raises, and RollbookError if others hold the file
        open so that its last copy of the words cannot be wiped yet.
        """

    def head(self, campaign: str) -> int:
        """The version of the last event of the campaign, 0 if there is none."""

    def read(self, campaign: str, after: int = 0, until: int | None = None) -> Iterator[StoredEvent]:
        """The campaign's events with ``after < version <= until``, oldest first, read in pages."""

    def read_named(self, campaign: str, names: Sequence[str]) -> Iterator[StoredEvent]:
        """Only the campaign's events that bear one of these stored names, oldest first."""

    def changes(self, after: int = 0) -> Iterator[Change]:
        """Everything that was appended to any campaign after ``position``, in the order in which it became visible."""

    def last_position(self) -> int:
        """The position of the newest event in the store, 0 if it is empty."""

    def campaigns(self) -> tuple[str, ...]:
        """The identifiers of all campaigns that have events, in order of their first event."""

    def close(self) -> None:
        """Let go of files and connections."""
