"""A timeline as if it were one stream: its parent's events up to the fork, then its own. Nothing of the parent is copied.

Versions go on without a gap, so whatever reads or writes a campaign reads and writes a timeline too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from adapters.timelines.marker import Marker, stored
from domain.errors import Refused, RollbookError, StaleHistory
from domain.event_store import Change, EventStore, StoredEvent


class TimelineView:
    """One timeline, behind the port of the event store. It keeps that port's promises for the one stream that it has.

    ``parent`` answers for the stream that the timeline leaves. A timeline that ``is_new`` is in the store once something is
    appended to it: its marker goes in with that, all or nothing.
    """

    def __init__(
        self, store: EventStore, stream: str, marker: Marker, parent: EventStore, *, is_new: bool = False
    ) -> None:
        self.stream = stream
        self.marker = marker
        self.parent = parent
        self._store = store
        self._is_new = is_new

    def begin(self) -> None:
        """Store the timeline without anything of its own. Raises RollbookError if its number was taken meanwhile."""
        self._append_first(())

    def append(self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]]) -> None:
        """Append to the timeline's own stream; the parent is never written to."""
        if campaign != self.stream or expected < self.marker.version:
            raise StaleHistory(
                f"Timeline {self.stream} begins after event {self.marker.version}, so nothing can follow event {expected}. "
                f"Nothing was recorded."
            )
        if self._is_new:
            self._append_first(events)
        else:
            self._store.append(self.stream, expected - self.marker.version + 1, events)

    def redact(
        self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]], instead: Mapping[int, bytes]
    ) -> None:
        """The same for what the timeline itself holds. Raises Refused for what its parent holds."""
        base = self.marker.version
        if campaign != self.stream or any(version <= base for version in instead):
            raise Refused(f"These words were written before the fork. Remove them there: -c {self.marker.parent}")
        shifted = {version - base + 1: data for version, data in instead.items()}
        self._store.redact(self.stream, expected - base + 1, events, shifted)

    def _append_first(self, events: Sequence[tuple[str, bytes]]) -> None:
        try:
            self._store.append(self.stream, 0, [stored(self.marker), *events])
        except StaleHistory:
            raise RollbookError(
                f"Somebody else has just made timeline {self.marker.number}. Nothing was recorded; try again."
            ) from None
        self._is_new = False

    def head(self, campaign: str) -> int:
        """The version of the last event, counted over the parent's and its own."""
        if campaign != self.stream:
            return 0
        return self.marker.version + max(self._store.head(self.stream) - 1, 0)

    def read(self, campaign: str, after: int = 0, until: int | None = None) -> Iterator[StoredEvent]:
        """The parent's events up to the fork, then its own."""
        if campaign != self.stream:
            return
        base = self.marker.version
        if after < base:
            yield from self.parent.read(self.marker.parent, after, base if until is None else min(until, base))
        if until is None or until > base:
            own = self._store.read(self.stream, max(after - base, 0) + 1, None if until is None else until - base + 1)
            for event in own:
                yield event._replace(version=event.version - 1 + base)

    def read_named(self, campaign: str, names: Sequence[str]) -> Iterator[StoredEvent]:
        """The same, only events of these names."""
        if campaign != self.stream:
            return
        base = self.marker.version
        if base:
            known = self.parent.read_named(self.marker.parent, names)
            yield from takewhile(lambda event: event.version <= base, known)
        for event in self._store.read_named(self.stream, names):
            if event.version > 1:
                yield event._replace(version=event.version - 1 + base)

    def changes(self, after: int = 0) -> Iterator[Change]:
        """Everything in the timeline; its positions are its versions."""
        for event in self.read(self.stream, after):
            yield Change(event.version, self.stream, event)

    def last_position(self) -> int:
        """The version of the last event."""
        return self.head(self.stream)

    def campaigns(self) -> tuple[str, ...]:
        """The timeline alone."""
        return (self.stream,) if self.head(self.stream) else ()

    def close(self) -> None:
        """The store is somebody else's to close."""
