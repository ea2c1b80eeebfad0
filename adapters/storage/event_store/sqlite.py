"""Campaigns in one SQLite file: durable, shared by several processes, safe against being killed at any moment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any, cast

from adapters.storage.event_store.backup import copy_whole
from adapters.storage.event_store.conflict import settle
from adapters.storage.event_store.failures import FAILURES, InWords, sentence
from adapters.storage.event_store.opening import open_recorder
from adapters.storage.event_store.recorder import CAMPAIGNS, CHANGES, HEAD, LAST, READ_ALL, READ_NAMED
from domain.errors import RollbookError
from domain.event_store import Change, StoredEvent

PAGE = 5000
END = 2**63 - 1

# Past the checks of ``__new__``: they would be a third of the time of a long read.
AS_EVENT = cast("Callable[[type[StoredEvent], tuple[Any, ...]], StoredEvent]", tuple.__new__)


class SQLiteEventStore:
    """The event store in the file at ``path``.

    ``create=False`` raises NotFound if there is no such store; otherwise the file and its folders are made. Whoever
    has to wait for another writer waits at most ``timeout`` seconds. Several threads may share one store.

    Every method raises RollbookError, and nothing else, if the file cannot be used, and HistoryDamaged if SQLite finds
    it damaged.
    """

    def __init__(self, path: Path | str, *, create: bool = True, timeout: float = 5.0) -> None:
        self._path = Path(path)
        with InWords(self._path, "it was not opened"):
            self._recorder = open_recorder(self._path, create, timeout)

    def append(self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]]) -> None:
        """Append ``(name, data)`` pairs after version ``expected``: all of them, on disk, or none.

        Raises StaleHistory when the stream is not at ``expected``, unless exactly these events already stand there.
        """
        try:
            head = self._recorder.append(campaign, expected, events)
        except FAILURES as failure:
            raise sentence(self._path, failure, "nothing was recorded") from failure
        if head != expected:
            settle(self, campaign, expected, head, events)

    def redact(
        self, campaign: str, expected: int, events: Sequence[tuple[str, bytes]], instead: Mapping[int, bytes]
    ) -> None:
        """Append, and put other bytes in the place of earlier events; the old bytes are wiped from the file and its log.

        Raises StaleHistory when the stream is not at ``expected``.
        """
        try:
            head = self._recorder.redact(campaign, expected, events, instead)
        except FAILURES as failure:
            raise sentence(self._path, failure, "nothing was recorded and nothing removed") from failure
        if head != expected:
            settle(self, campaign, expected, head, events)
        with InWords(self._path, "the removal is recorded, but the log beside the file still holds the words"):
            wiped = self._recorder.wipe()
        if not wiped:
            raise RollbookError(
                f"The words are removed, but another program is reading {self._path}, so the log beside it still holds them. "
                f"Close that program and run rollbook once more."
            )

    def head(self, campaign: str) -> int:
        """The version of the last event of the campaign, 0 if there is none."""
        [(head,)] = self._rows(HEAD, campaign)
        return int(head or 0)

    def read(self, campaign: str, after: int = 0, until: int | None = None) -> Iterator[StoredEvent]:
        """The campaign's events with ``after < version <= until``, oldest first; ends at the head of the first look."""
        return self._read(READ_ALL, campaign, after, until)

    def read_named(self, campaign: str, names: Sequence[str]) -> Iterator[StoredEvent]:
        """Only the campaign's events that bear one of these stored names, oldest first."""
        return self._read(READ_NAMED, campaign, 0, None, json.dumps(list(names)))

    def changes(self, after: int = 0) -> Iterator[Change]:
        """Everything appended to any campaign after position ``after``, up to the newest event of the first look."""
        last = self.last_position()
        while after < last:
            rows = self._rows(CHANGES, after, last, PAGE)
            for position, campaign, *event in rows:
                yield Change(position, campaign, AS_EVENT(StoredEvent, tuple(event)))
            after = rows[-1][0] if rows else last

    def last_position(self) -> int:
        """The position of the newest event in the store, 0 if it is empty."""
        [(last,)] = self._rows(LAST)
        return int(last or 0)

    def campaigns(self) -> tuple[str, ...]:
        """The identifiers of all campaigns that have events, in order of their first event."""
        return tuple(campaign for (campaign,) in self._rows(CAMPAIGNS))

    def backup(self, target: Path | str) -> None:
        """Copy the whole store, as it is at one moment, to a new file ``target``. Writers may go on meanwhile.

        A copy made by other means lacks what still lies in the log beside the file.
        """
        with InWords(self._path, "no backup was made"):
            copy_whole(self._recorder, Path(target))

    def close(self) -> None:
        """Let go of the file."""
        with InWords(self._path, "it was not closed properly"):
            self._recorder.datastore.close()

    def _read(
        self, statement: str, campaign: str, after: int, until: int | None, *also: object
    ) -> Iterator[StoredEvent]:
        after = min(max(after, 0), END)
        while True:
            rows = self._rows(statement, campaign, after, END if until is None else min(until, END), *also, PAGE)
            full = len(rows) == PAGE
            if full and until is None:
                until = self.head(campaign)
            yield from map(AS_EVENT, repeat(StoredEvent), rows)
            if not full:
                return
            after = rows[-1][0]

    def _rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        with InWords(self._path, "it could not be read"):
            return self._recorder.rows(statement, *parameters)
