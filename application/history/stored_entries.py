"""The entries of a history as they lie in the store: each is decoded when it is asked for, and kept from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rollbook.application.encoding.codec import Codec
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.entries import Outline, RecordedEntry, outline_of
from rollbook.domain.history.entry_list import EntryList
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.state.fold.draft import FoldedEvent


class StoredEntries(EntryList):
    """Entries of which most are bytes. ``read`` decodes one; it and what is decoded later raise HistoryDamaged."""

    def __init__(
        self, stored: Iterable[StoredEntry | RecordedEntry], codec: Codec, read: Callable[[StoredEntry], RecordedEntry]
    ) -> None:
        self._entries = list(stored)
        self._codec = codec
        self._read = read

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, number: EntryNumber) -> RecordedEntry:
        entry = self._entries[number - 1]
        if isinstance(entry, StoredEntry):
            self._entries[number - 1] = entry = self._read(entry)
        return entry

    def append(self, entry: RecordedEntry) -> None:
        self._entries.append(entry)

    def until(self, number: EntryNumber) -> StoredEntries:
        return StoredEntries(self._entries[:number], self._codec, self._read)

    def outlines(self) -> Iterator[Outline]:
        outline = self._codec.outline
        return (outline(entry) if isinstance(entry, StoredEntry) else outline_of(entry) for entry in self._entries)

    def changes(self, number: EntryNumber) -> Iterable[FoldedEvent]:
        entry = self._entries[number - 1]
        return self._codec.changes(entry) if isinstance(entry, StoredEntry) else entry.events
