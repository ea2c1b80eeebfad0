"""Verified ranges: a history read a stretch at a time, checked against the chain, with little of it in memory.

A stretch lies between two entries whose hashes were noted when everything up to there had been checked. So a stretch
that is read is what it was then, or it is damaged; the others are not read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.domain.base.errors import HistoryDamaged, damaged_entry
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.entries import Outline, RecordedEntry, outline_of
from rollbook.domain.history.checkpoints import CHECKPOINT_EVERY, Checkpoint
from rollbook.domain.history.entry_index import is_plain
from rollbook.domain.history.entry_list import EntryList, Plain
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.state.fold.draft import FoldedEvent

if TYPE_CHECKING:
    from rollbook.domain.audit.chain_audit import Removals

KEPT = 4
"""Most stretches in memory: the one that is read, and some that have the corrections of its actions."""


@attrs.frozen
class VerifiedEntry(Record):
    """An entry up to which everything was checked, with the hash that it had."""

    entry: EntryNumber
    hash: str


@attrs.frozen
class Past(Record):
    """Stored notes on a campaign's past: outlines of its first ``known`` entries, and some states as ``marks``."""

    known: EntryNumber
    outlines: Sequence[Outline]
    places: Sequence[VerifiedEntry]
    marks: list[Checkpoint]


@attrs.define
class VerifiedRanges(Changeable):
    """The entries between ``places``, of which the first is the beginning of the history, read from the store in stretches.

    ``removed`` gives the entries whose words were removed on record.
    """

    places: list[VerifiedEntry]
    stored: Callable[[EntryNumber, EntryNumber], Iterable[StoredEntry]]
    removed: Callable[[], Iterable[EntryNumber]]
    _read: OrderedDict[EntryNumber, list[RecordedEntry]] = attrs.field(factory=OrderedDict)

    def entry(self, number: EntryNumber) -> RecordedEntry:
        """An entry. Raises HistoryDamaged if its stretch is not what it was when it was checked."""
        at = bisect_left(self.places, number, key=lambda place: place.entry)
        since, until = self.places[at - 1], self.places[at]
        if since.entry not in self._read:
            self._remember(since, self._checked(since, until))
        self._read.move_to_end(since.entry)
        return self._read[since.entry][number - since.entry - 1]

    def add(self, entries: list[RecordedEntry]) -> None:
        """Add a stretch of entries that are stored and were checked as they came; drop earlier ones from memory."""
        self._read.clear()
        self._remember(self.places[-1], entries)
        self.places.append(VerifiedEntry(entries[-1].number, entries[-1].hash))

    def until(self, number: EntryNumber) -> VerifiedRanges:
        """The stretches that have the entries up to a number, to be read and added to apart."""
        last = bisect_left(self.places, number, key=lambda place: place.entry)
        return attrs.evolve(self, places=self.places[: last + 1], read=OrderedDict())

    def _remember(self, since: VerifiedEntry, entries: list[RecordedEntry]) -> None:
        self._read[since.entry] = entries
        if len(self._read) > KEPT:
            self._read.popitem(last=False)

    def _checked(self, since: VerifiedEntry, until: VerifiedEntry) -> list[RecordedEntry]:
        from rollbook.domain.audit.chain_audit import Removals, check_entry

        found: list[RecordedEntry] = []
        removals = Removals()
        last = since.hash
        for stored in self.stored(since.entry, until.entry):
            due = since.entry + len(found) + 1
            try:
                if stored.version != due:
                    raise HistoryDamaged(f"entry @{due} is missing")
                entry = check_entry(stored, last, CODEC.read)
                removals.follow(stored, entry)
            except HistoryDamaged as damage:
                raise damaged_entry(due, damage) from None
            found.append(entry)
            last = entry.hash
        if last != until.hash or since.entry + len(found) != until.entry:
            raise damaged_entry(until.entry, "it is not the entry that was seen here before")
        self._check_removals(removals)
        return found

    def _check_removals(self, removals: Removals) -> None:
        from rollbook.domain.audit.chain_audit import UNRECORDED

        if removals.gone:
            removals.recorded.update(self.removed())
        for gone in removals.unrecorded():
            raise damaged_entry(gone, UNRECORDED)


class NotedEntries(EntryList):
    """Entries of which the outlines of all that are not plain are ``noted``, up to the entry ``known``; the rest is read."""

    def __init__(self, noted: Iterable[Outline], known: EntryNumber) -> None:
        self._known = known
        self._noted = [outline for outline in noted if outline.number <= known]

    def _note(self, entry: RecordedEntry) -> None:
        """Note an entry that is about to be added."""
        if self._known == len(self):
            self._known += 1
            if not is_plain(entry):
                self._noted.append(outline_of(entry))

    def outlines(self) -> Iterator[Outline | Plain]:
        for outline in self._noted:
            yield Plain(outline.number - 1)
            yield outline
        yield Plain(self._known)
        yield from (outline_of(self[at]) for at in range(self._known, len(self)))


class EntriesInRanges(NotedEntries):
    """The first entries of a history out of its stretches, and those that were added since, until they are a stretch.

    What is added is in the store already.
    """

    def __init__(
        self,
        stretches: VerifiedRanges,
        length: int,
        noted: Iterable[Outline] = (),
        known: EntryNumber = 0,
        more: Iterable[RecordedEntry] = (),
        every: int = CHECKPOINT_EVERY,
    ) -> None:
        """``every``: the number of added entries that become a stretch."""
        self._stretches = stretches
        self._length = length
        self._more = list(more)
        self._every = every
        super().__init__(noted, min(known, len(self)))

    def __len__(self) -> int:
        return self._length + len(self._more)

    def entry(self, number: EntryNumber) -> RecordedEntry:
        return self._stretches.entry(number) if number <= self._length else self._more[number - self._length - 1]

    def append(self, entry: RecordedEntry) -> None:
        self._note(entry)
        self._more.append(entry)
        if len(self._more) >= self._every and self._stretches.places[-1].entry == self._length:
            self._stretches.add(self._more)
            self._length += len(self._more)
            self._more = []

    def until(self, number: EntryNumber) -> EntriesInRanges:
        length = min(number, self._length)
        stretches, more = self._stretches.until(length), self._more[: number - length]
        return EntriesInRanges(stretches, length, self._noted, self._known, more, self._every)


class StoredEntries(EntryList):
    """Entries of which most are bytes. ``read`` decodes one; it and what is decoded later raise HistoryDamaged."""

    def __init__(
        self, stored: Iterable[StoredEntry | RecordedEntry], read: Callable[[StoredEntry], RecordedEntry]
    ) -> None:
        self._entries = list(stored)
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
        return StoredEntries(self._entries[:number], self._read)

    def outlines(self) -> Iterator[Outline]:
        outline = CODEC.outline
        return (outline(entry) if isinstance(entry, StoredEntry) else outline_of(entry) for entry in self._entries)

    def changes(self, number: EntryNumber) -> Iterable[FoldedEvent]:
        entry = self._entries[number - 1]
        return CODEC.changes(entry) if isinstance(entry, StoredEntry) else entry.events
