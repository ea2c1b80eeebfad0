"""Campaigns that last as long as the program: for tests, trials and tables that want no file."""

import secrets
from collections.abc import Iterator, Mapping, Sequence

from eventsourcing.persistence import IntegrityError
from eventsourcing.persistence import StoredEvent as Row
from eventsourcing.popo import POPOApplicationRecorder

from adapters.storage.event_store.conflict import settle, taken
from domain.event_store import START, Cursor, NewEntry, StoredChange, StoredEntry
from domain.identifiers import StreamId

PAGE = 5000
MARKER_TOPIC = "TimelineForked@1"


class MemoryEventStore:
    """An event store without a file. Several threads may share it."""

    def __init__(self) -> None:
        self._recorder = POPOApplicationRecorder()
        self._kinds: dict[tuple[str, int], frozenset[str]] = {}
        self._commands: dict[tuple[str, str], tuple[int, ...]] = {}
        self._identity = secrets.token_hex(16)

    def append(self, stream: StreamId, expected: int, entries: Sequence[NewEntry]) -> None:
        """Append entries after version ``expected``: all of them, or none.

        Raises StaleHistory when the stream is not at ``expected``, unless exactly these entries already stand there.
        """
        head = self.head(stream)
        if head == expected:
            try:
                self._insert(stream, expected, entries)
            except IntegrityError:
                head = self.head(stream)
            else:
                return
        settle(self, stream, expected, head, entries)

    def _insert(self, stream: StreamId, expected: int, entries: Sequence[NewEntry], first: Sequence[Row] = ()) -> None:
        numbered = list(enumerate(entries, expected + 1))
        self._recorder.insert_events(
            [*first, *(Row(stream, version, entry.kind, entry.data) for version, entry in numbered)]
        )
        for version, entry in numbered:
            self._kinds[stream, version] = frozenset((entry.kind.partition("@")[0], *entry.events))
            if entry.command:
                key = (stream, entry.command)
                self._commands[key] = (*self._commands.get(key, ()), version)

    def redact(
        self, stream: StreamId, expected: int, entries: Sequence[NewEntry], instead: Mapping[int, bytes]
    ) -> None:
        """Append, and put other bytes in the place of earlier entries. Raises StaleHistory like ``append``."""
        head = self.head(stream)
        if head != expected:
            settle(self, stream, expected, head, entries)
        self.append(stream, expected, entries)
        kept = POPOApplicationRecorder()
        for row in self._rows():
            is_other = str(row.originator_id) == stream and row.originator_version in instead
            data = instead[row.originator_version] if is_other else row.state
            kept.insert_events([Row(row.originator_id, row.originator_version, row.topic, data)])
        self._recorder = kept

    def begin(self, stream: StreamId, marker: bytes, entries: Sequence[NewEntry]) -> None:
        """Begin a timeline: its marker and its first entries, all of it or nothing. Raises StaleHistory if it is there."""
        try:
            if self.head(stream):
                raise taken(stream)
            self._insert(stream, 0, entries, [Row(stream, 0, MARKER_TOPIC, marker)])
        except IntegrityError:
            raise taken(stream) from None

    def marker(self, stream: StreamId) -> bytes | None:
        """The marker of a timeline; None for a stream that has none."""
        found = self._recorder.select_events(stream, lte=0)
        return found[0].state if found else None

    def head(self, stream: StreamId) -> int:
        """The version of the last entry of the stream, 0 if there is none."""
        newest = self._recorder.select_events(stream, desc=True, limit=1)
        return newest[0].originator_version if newest else 0

    def read(self, stream: StreamId, after: int = 0, until: int | None = None) -> Iterator[StoredEntry]:
        """The stream's entries with ``after < version <= until``, oldest first; ends at the head of the first look."""
        after = max(after, 0)
        until = self.head(stream) if until is None else min(until, self.head(stream))
        while after < until:
            rows = self._recorder.select_events(stream, gt=after, lte=until, limit=PAGE)
            yield from (StoredEntry(row.originator_version, row.topic, row.state) for row in rows)
            after = rows[-1].originator_version

    def read_kinds(self, stream: StreamId, kinds: Sequence[str], after: int = 0) -> Iterator[StoredEntry]:
        """Only the entries that hold an event of one of these kinds, or are of one of them, oldest first."""
        wanted = frozenset(kinds)
        for entry in self.read(stream, after):
            if not wanted.isdisjoint(self._kinds[stream, entry.version]):
                yield entry

    def by_command(self, stream: StreamId, command: str) -> tuple[int, ...]:
        """The versions of the entries that were stored under this key, oldest first."""
        return self._commands.get((stream, command), ())

    def changes(self, after: Cursor = START) -> Iterator[StoredChange]:
        """Everything appended to any stream after a cursor, up to the newest entry of the first look."""
        at, last = int(after or 0), int(self.last_position() or 0)
        while at < last:
            rows = self._recorder.select_notifications(at, PAGE, last, inclusive_of_start=False)
            for row in rows:
                if row.originator_version:
                    entry = StoredEntry(row.originator_version, row.topic, row.state)
                    yield StoredChange(Cursor(str(row.id)), str(row.originator_id), entry)
            at = rows[-1].id

    def count(self, after: Cursor = START) -> int:
        """About how many entries follow a cursor."""
        return int(self.last_position() or 0) - int(after or 0)

    def last_position(self) -> Cursor:
        """The cursor after the newest entry in the store, START if it is empty."""
        last = self._recorder.max_notification_id()
        return Cursor(str(last)) if last else START

    def campaigns(self) -> tuple[str, ...]:
        """The names of all streams, in the order in which they began."""
        return tuple(dict.fromkeys(str(row.originator_id) for row in self._rows()))

    def identity(self) -> str:
        """What tells this store from every other (hexadecimal)."""
        return self._identity

    def close(self) -> None:
        """Nothing is held open; the entries go when the store does."""

    def _rows(self) -> list[Row]:
        last = self._recorder.max_notification_id() or 0
        return list(self._recorder.select_notifications(0, last, last, inclusive_of_start=False)) if last else []
