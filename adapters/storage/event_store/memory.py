"""Campaigns that last as long as the program: for tests, trials and tables that want no file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eventsourcing.persistence import IntegrityError
from eventsourcing.persistence import StoredEvent as Row
from eventsourcing.popo import POPOApplicationRecorder

from adapters.storage.event_store.conflict import settle
from domain.event_store import Change, StoredEvent

PAGE = 5000


class MemoryEventStore:
    """An event store without a file. Several threads may share it."""

    def __init__(self) -> None:
        self._recorder = POPOApplicationRecorder()

    def append(self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]]) -> None:
        """Append ``(name, data)`` pairs after version ``expected``: all of them, or none.

        Raises StaleHistory when the stream is not at ``expected``, unless exactly these events already stand there.
        """
        head = self.head(campaign)
        if head == expected:
            rows = [Row(campaign, version, *event) for version, event in enumerate(events, expected + 1)]
            try:
                self._recorder.insert_events(rows)
            except IntegrityError:
                head = self.head(campaign)
            else:
                return
        settle(self, campaign, expected, head, events)

    def redact(
        self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]], instead: Mapping[int, bytes]
    ) -> None:
        """Append, and put other bytes in the place of earlier events. Raises StaleHistory like ``append``."""
        head = self.head(campaign)
        if head != expected:
            settle(self, campaign, expected, head, events)
        self.append(campaign, expected, events)
        kept = POPOApplicationRecorder()
        for change in list(self.changes()):
            event = change.event
            data = instead.get(event.version, event.data) if change.campaign == campaign else event.data
            kept.insert_events([Row(change.campaign, event.version, event.name, data)])
        self._recorder = kept

    def head(self, campaign: str) -> int:
        """The version of the last event of the campaign, 0 if there is none."""
        newest = self._recorder.select_events(campaign, desc=True, limit=1)
        return newest[0].originator_version if newest else 0

    def read(self, campaign: str, after: int = 0, until: int | None = None) -> Iterator[StoredEvent]:
        """The campaign's events with ``after < version <= until``, oldest first; ends at the head of the first look."""
        until = self.head(campaign) if until is None else min(until, self.head(campaign))
        while after < until:
            rows = self._recorder.select_events(campaign, gt=after, lte=until, limit=PAGE)
            yield from (StoredEvent(row.originator_version, row.topic, row.state) for row in rows)
            after = rows[-1].originator_version

    def read_named(self, campaign: str, names: Sequence[str]) -> Iterator[StoredEvent]:
        """Only the campaign's events that bear one of these stored names, oldest first."""
        wanted = frozenset(names)
        return (event for event in self.read(campaign) if event.name in wanted)

    def changes(self, after: int = 0) -> Iterator[Change]:
        """Everything appended to any campaign after position ``after``, up to the newest event of the first look."""
        last = self.last_position()
        while after < last:
            rows = self._recorder.select_notifications(after, PAGE, last, inclusive_of_start=False)
            for row in rows:
                event = StoredEvent(row.originator_version, row.topic, row.state)
                yield Change(row.id, str(row.originator_id), event)
            after = rows[-1].id

    def last_position(self) -> int:
        """The position of the newest event in the store, 0 if it is empty."""
        return self._recorder.max_notification_id() or 0

    def campaigns(self) -> tuple[str, ...]:
        """The identifiers of all campaigns that have events, in order of their first event."""
        return tuple(change.campaign for change in self.changes() if change.event.version == 1)

    def close(self) -> None:
        """Nothing is held open; the events go when the store does."""
