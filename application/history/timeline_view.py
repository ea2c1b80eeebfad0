"""A timeline as if it were one stream: its parent's entries up to the fork, then its own. Nothing of the parent is copied.

Versions go on without a gap, so what reads or writes a campaign reads and writes a timeline too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from rollbook.application.history.timeline_marker import Marker, is_timeline, packed, read_marker
from rollbook.domain.base.errors import HistoryDamaged, NotFound, Refused, RollbookError, StaleHistory
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history import event_store
from rollbook.domain.history.chain import hash_in


class TimelineView:
    """One timeline, behind the port of the event store. It keeps that port's promises for the one stream that it has.

    ``parent`` answers for the stream that the timeline leaves. A timeline that ``is_new`` is in the store once something is
    appended to it: its marker goes in with that, all or nothing. In the store its own entries are counted from the fork.
    """

    def __init__(
        self,
        store: event_store.EventStore,
        stream: StreamId,
        marker: Marker,
        parent: event_store.EventStore,
        *,
        is_new: bool = False,
    ) -> None:
        self.stream = stream
        self.origin = marker
        self.parent = parent
        self.underlying = store
        self._is_new = is_new
        self.file, self.lasts = store.file, store.lasts

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[event_store.NewEntry]) -> None:  # noqa: ARG002 - as the port has it
        """Raises Refused: a timeline begins where it was forked, see ``store``."""
        raise Refused(f"{self.stream} has begun; {stream} is another timeline.")

    def store(self, entries: Sequence[event_store.NewEntry] = ()) -> None:
        """Store a new timeline, with its first entries. Raises RollbookError if its number was taken meanwhile."""
        try:
            self.underlying.begin(self.stream, packed(self.origin), entries)
        except StaleHistory:
            raise RollbookError(
                f"Somebody else has just made timeline {self.origin.number}. Nothing was recorded; try again."
            ) from None
        self._is_new = False

    def append(self, stream: StreamId, expected: int, entries: Sequence[event_store.NewEntry]) -> None:
        """Append to the timeline's own stream; the parent is never written to."""
        if stream != self.stream or expected < self.origin.entry:
            raise StaleHistory(
                f"Timeline {self.stream} begins after entry @{self.origin.entry}, so nothing can follow entry @{expected}. "
                f"Nothing was recorded."
            )
        if self._is_new:
            self.store(entries)
        else:
            self.underlying.append(self.stream, expected - self.origin.entry, entries)

    def redact(
        self, stream: StreamId, expected: int, entries: Sequence[event_store.NewEntry], instead: Mapping[int, bytes]
    ) -> None:
        """Redact entries of the timeline itself. Raises Refused for entries of its parent."""
        if stream != self.stream:
            raise Refused(f"{stream} is not the timeline {self.stream}.")
        self.check_its_own(instead)
        base = self.origin.entry
        shifted = {version - base: data for version, data in instead.items()}
        self.underlying.redact(self.stream, expected - base, entries, shifted)

    def check_its_own(self, versions: Iterable[int]) -> None:
        """Raise Refused unless all of these entries were written after the fork."""
        if any(version <= self.origin.entry for version in versions):
            raise Refused(f"These words were written before the fork. Remove them there: -c {self.origin.parent}")

    def delete(self, streams: Sequence[StreamId], stone: event_store.Tombstone) -> None:  # noqa: ARG002 - as the port has it
        """Raises Refused: a timeline goes with its campaign."""
        raise Refused(f"{self.stream} is a timeline; it goes when its campaign is deleted.")

    def tombstones(self) -> tuple[event_store.Tombstone, ...]:
        return self.underlying.tombstones()

    def removals(self) -> int:
        """The removals of the whole store, because a timeline begins with its parent's entries."""
        return self.underlying.removals()

    def is_wiped(self) -> bool:
        return self.underlying.is_wiped()

    def wipe(self) -> None:
        self.underlying.wipe()

    def marker(self, stream: StreamId) -> bytes | None:
        return packed(self.origin) if stream == self.stream else None

    def head(self, stream: StreamId) -> int:
        """The version of the last entry, counted over the parent's and its own."""
        return self.origin.entry + self.underlying.head(self.stream) if stream == self.stream else 0

    def read(self, stream: StreamId, after: int = 0, until: int | None = None) -> Iterator[event_store.StoredEntry]:
        """The parent's entries up to the fork, then its own."""
        if stream != self.stream:
            return
        base = self.origin.entry
        if after < base:
            yield from self.parent.read(self.origin.parent, after, base if until is None else min(until, base))
        if until is None or until > base:
            own = self.underlying.read(self.stream, max(after - base, 0), None if until is None else until - base)
            yield from map(self._shifted, own)

    def read_kinds(self, stream: StreamId, kinds: Sequence[str], after: int = 0) -> Iterator[event_store.StoredEntry]:
        """The same, only entries of these kinds."""
        if stream != self.stream:
            return
        base = self.origin.entry
        if after < base:
            known = self.parent.read_kinds(self.origin.parent, kinds, after)
            yield from takewhile(lambda entry: entry.version <= base, known)
        yield from map(self._shifted, self.underlying.read_kinds(self.stream, kinds, max(after - base, 0)))

    def by_command(self, stream: StreamId, command: str) -> tuple[int, ...]:
        """The versions of what was stored under this key, before the fork and since."""
        if stream != self.stream:
            return ()
        base = self.origin.entry
        known = (version for version in self.parent.by_command(self.origin.parent, command) if version <= base)
        return (*known, *(version + base for version in self.underlying.by_command(self.stream, command)))

    def changes(self, after: event_store.Cursor = event_store.START) -> Iterator[event_store.StoredChange]:
        """Everything in the timeline; its positions are its versions."""
        for entry in self.read(self.stream, int(after or 0)):
            yield event_store.StoredChange(event_store.Cursor(str(entry.version)), self.stream, entry)

    def state(self, cursor: event_store.Cursor = event_store.START) -> event_store.StoreState:
        position = self.last_position()
        ends = (self._before(position), self._before(cursor))
        return event_store.StoreState(self.identity(), self.removals(), position, *ends)

    def _before(self, cursor: event_store.Cursor) -> event_store.StreamEnd | None:
        place = int(cursor or 0)
        entry = next(self.read(self.stream, place - 1, place), None) if place else None
        return event_store.StreamEnd(self.stream, place, hash_in(entry.data)) if entry else None

    def stream_state(self, stream: StreamId, version: int = 0) -> event_store.StreamState:
        base = self.origin.entry
        own = self.underlying.stream_state(self.stream, max(version - base, 0))
        if stream != self.stream:
            return own._replace(head=0, known=(version, ""))
        hash_ = own.known[1] if version > base else event_store.hash_at(self, stream, version)
        return own._replace(head=base + own.head, known=(version, hash_))

    def count(self, after: event_store.Cursor = event_store.START) -> int:
        return self.head(self.stream) - int(after or 0)

    def ends(self, after: event_store.Cursor = event_store.START) -> Iterator[event_store.StreamEnd]:
        head = self.head(self.stream)
        for entry in self.read(self.stream, max(head - 1, int(after or 0)), head):
            yield event_store.StreamEnd(self.stream, entry.version, hash_in(entry.data))

    def last_position(self) -> event_store.Cursor:
        head = self.head(self.stream)
        return event_store.Cursor(str(head)) if head else event_store.START

    def is_set_back_since(self, cursor: event_store.Cursor) -> bool:  # noqa: ARG002 - its canon is asked
        return False

    def campaigns(self) -> tuple[str, ...]:
        return (self.stream,) if self.head(self.stream) else ()

    def keep_picture(self, campaign: StreamId, digest: str, data: bytes) -> None:
        self.underlying.keep_picture(campaign, digest, data)

    def picture(self, campaign: StreamId, digest: str) -> bytes | None:
        return self.underlying.picture(campaign, digest)

    def pictures(self, campaign: StreamId) -> tuple[str, ...]:
        return self.underlying.pictures(campaign)

    def drop_pictures(self, campaign: StreamId, digests: Sequence[str]) -> None:
        self.underlying.drop_pictures(campaign, digests)

    def identity(self) -> str:
        """The identity of the store which the timeline is in."""
        return self.underlying.identity()

    def close(self) -> None:
        """Do nothing: the book closes the store."""

    def _shifted(self, own: event_store.StoredEntry) -> event_store.StoredEntry:
        return event_store.StoredEntry(own.version + self.origin.entry, own.kind, own.data)


def stored_view(store: event_store.EventStore, stream: StreamId) -> TimelineView:
    """A timeline that is in the store. Raises NotFound, and HistoryDamaged if it does not fit what it was forked from."""
    view = _unchecked(store, stream)
    parent, marker = view.parent, view.origin
    found = event_store.hash_at(parent, marker.parent, marker.entry)
    if parent.head(marker.parent) < marker.entry or found not in ("", marker.hash):
        raise HistoryDamaged(
            f"Timeline {stream} was forked from {marker.parent} at entry @{marker.entry}, and {marker.parent} has another "
            f"history now: what the timeline begins with is gone."
        )
    return view


def _unchecked(store: event_store.EventStore, stream: StreamId) -> TimelineView:
    marker = read_marker(store, stream)
    if marker is None:
        raise NotFound(f"There is no timeline {stream}.")
    parent = _unchecked(store, marker.parent) if is_timeline(marker.parent) else store
    return TimelineView(store, stream, marker, parent)
