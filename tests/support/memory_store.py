"""An event store without a file, as long as the program lasts: for tests that want none."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock

from rollbook.adapters.storage.conflict import moved_on, settle, taken
from rollbook.domain.base.identifiers import StreamId
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import (
    START,
    Cursor,
    NewEntry,
    StoredChange,
    StoredEntry,
    StoreState,
    StreamEnd,
    StreamState,
    Tombstone,
    hash_at,
)


def _end(change: StoredChange | None) -> StreamEnd | None:
    return change and StreamEnd(change.stream, change.entry.version, hash_in(change.entry.data))


class MemoryEventStore:
    """An event store without a file, as the port has it (``EventStore``). Several threads may share it."""

    def __init__(self) -> None:
        self._streams: dict[StreamId, list[NewEntry]] = {}
        self._markers: dict[StreamId, bytes] = {}
        self._order: list[tuple[StreamId, int]] = []
        self._turn = Lock()
        self._identity = secrets.token_hex(16)
        self._tombstones: list[Tombstone] = []
        self._removals = 0
        self._pictures: dict[StreamId, dict[str, bytes]] = {}

    file = ""
    lasts = False

    def append(self, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> None:
        self.redact(stream, expected, entries, {})

    def redact(
        self, stream: StreamId, expected: int, entries: Sequence[NewEntry], instead: Mapping[int, bytes]
    ) -> None:
        with self._turn:
            head = self.head(stream)
            if head == expected:
                self._insert(stream, entries)
                self._removals += bool(instead)
                for version, data in instead.items():
                    held = self._streams[stream]
                    held[version - 1] = held[version - 1]._replace(data=data)
                return
        settle(self, stream, expected, head, entries)

    def delete(self, streams: Sequence[StreamId], stone: Tombstone) -> None:
        with self._turn:
            head = self.head(stone.campaign)
            if head == stone.entries:
                for stream in streams:
                    self._streams.pop(stream, None)
                    self._markers.pop(stream, None)
                self._order = [(stream, version if stream not in streams else 0) for stream, version in self._order]
                self._pictures.pop(stone.campaign, None)
                self._tombstones.append(stone)
                self._removals += 1
                return
        raise moved_on(stone.campaign, head, stone.entries)

    def keep_picture(self, campaign: StreamId, digest: str, data: bytes) -> None:
        self._pictures.setdefault(campaign, {}).setdefault(digest, data)

    def picture(self, campaign: StreamId, digest: str) -> bytes | None:
        return self._pictures.get(campaign, {}).get(digest)

    def pictures(self, campaign: StreamId) -> tuple[str, ...]:
        return tuple(sorted(self._pictures.get(campaign, {})))

    def drop_pictures(self, campaign: StreamId, digests: Sequence[str]) -> None:
        for digest in digests:
            self._pictures.get(campaign, {}).pop(digest, None)

    def tombstones(self) -> tuple[Tombstone, ...]:
        return tuple(self._tombstones)

    def keep_tombstones(self, stones: Sequence[Tombstone]) -> None:
        with self._turn:
            self._tombstones += stones
            self._removals += len(stones)

    def removals(self) -> int:
        return self._removals

    def is_wiped(self) -> bool:
        return True

    def wipe(self) -> None:
        """Nothing is left anywhere: what is not in memory any more is gone."""

    def _insert(self, stream: StreamId, entries: Sequence[NewEntry]) -> None:
        held = self._streams.setdefault(stream, []) if entries else []
        for entry in entries:
            held.append(entry)
            self._order.append((stream, len(held)))

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> None:
        with self._turn:
            if stream in self._streams:
                raise taken(stream)
            self._markers[stream] = marker
            self._streams[stream] = []
            self._insert(stream, entries)

    def marker(self, stream: StreamId) -> bytes | None:
        return self._markers.get(stream)

    def head(self, stream: StreamId) -> int:
        return len(self._streams.get(stream, ()))

    def read(self, stream: StreamId, after: int = 0, until: int | None = None) -> Iterator[StoredEntry]:
        after = max(after, 0)
        held = self._streams.get(stream, [])[after : None if until is None else max(until, 0)]
        return (StoredEntry(version, entry.kind, entry.data) for version, entry in enumerate(held, after + 1))

    def read_to_copy(self, stream: StreamId, after: int = 0) -> Iterator[tuple[int, NewEntry]]:
        return enumerate(self._streams.get(stream, [])[max(after, 0) :], max(after, 0) + 1)

    def read_kinds(self, stream: StreamId, kinds: Sequence[str], after: int = 0) -> Iterator[StoredEntry]:
        wanted = frozenset(kinds)
        for stored in self.read(stream, after):
            events = self._streams[stream][stored.version - 1].events
            if not wanted.isdisjoint((stored.kind.partition("@")[0], *events)):
                yield stored

    def by_command(self, stream: StreamId, command: str) -> tuple[int, ...]:
        held = enumerate(self._streams.get(stream, ()), 1)
        return tuple(version for version, entry in held if command and entry.command == command)

    def changes(self, after: Cursor = START) -> Iterator[StoredChange]:
        at = int(after or 0)
        for position in range(at + 1, len(self._order) + 1):
            change = self.at(Cursor(str(position)))
            if change is not None:
                yield change

    def state(self, cursor: Cursor = START) -> StoreState:
        last = self.last_position()
        return StoreState(self._identity, self._removals, last, _end(self.at(last)), _end(self.at(cursor)))

    def stream_state(self, stream: StreamId, version: int = 0) -> StreamState:
        hash_ = hash_at(self, stream, version)
        return StreamState(self._identity, self._removals, self.head(stream), (version, hash_))

    def at(self, cursor: Cursor) -> StoredChange | None:
        place = int(cursor or 0)
        if not 0 < place <= len(self._order):
            return None
        stream, version = self._order[place - 1]
        if not version:
            return None  # it was deleted with its campaign
        entry = self._streams[stream][version - 1]
        return StoredChange(cursor, stream, StoredEntry(version, entry.kind, entry.data))

    def count(self, after: Cursor = START) -> int:
        return len(self._order) - int(after or 0)

    def ends(self, after: Cursor = START) -> Iterator[StreamEnd]:
        for stream in dict.fromkeys(stream for stream, version in self._order[int(after or 0) :] if version):
            held = self._streams[stream]
            yield StreamEnd(stream, len(held), hash_in(held[-1].data))

    def last_position(self) -> Cursor:
        return Cursor(str(len(self._order))) if self._order else START

    def is_set_back_since(self, cursor: Cursor) -> bool:
        return False

    def campaigns(self) -> tuple[str, ...]:
        return tuple(self._streams)

    def identity(self) -> str:
        return self._identity

    def close(self) -> None:
        """Nothing is held open; the entries go when the store does."""
