"""The entries of a history in their order: all in memory, or each read when it is asked for.

A long history is opened for its state and a few of its entries. The state needs little of most events, and nothing else needs
an entry before it is looked at.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.progress import gc_paused
from rollbook.domain.entries import Outline, RecordedEntry, outline_of
from rollbook.domain.state.fold.draft import FoldedEvent

PAGE = 512
"""Entries that are read at once where all of them are gone through."""


class Plain(NamedTuple):
    """Entries up to a number that an index need not note: each is the next action, and no more."""

    until: EntryNumber


class EntryList(Sequence[RecordedEntry]):
    """The entries of one history: the entry of number n is at n - 1. Nothing but ``append`` changes it."""

    @overload
    def __getitem__(self, at: int) -> RecordedEntry: ...

    @overload
    def __getitem__(self, at: slice) -> list[RecordedEntry]: ...

    def __getitem__(self, at: int | slice) -> RecordedEntry | list[RecordedEntry]:
        places = range(len(self))[at]
        return self.entry(places + 1) if isinstance(places, int) else [self.entry(place + 1) for place in places]

    def __iter__(self) -> Iterator[RecordedEntry]:
        first = 0
        while first < len(self):
            with gc_paused():  # what is read stays, and would be walked over again and again
                page = [self.entry(number) for number in range(first + 1, min(first + PAGE, len(self)) + 1)]
            yield from page
            first += PAGE

    @abstractmethod
    def entry(self, number: EntryNumber) -> RecordedEntry:
        """The entry of a number."""

    @abstractmethod
    def append(self, entry: RecordedEntry) -> None:
        """Append an entry."""

    @abstractmethod
    def until(self, number: EntryNumber) -> EntryList:
        """A new list with the entries up to a number."""

    @abstractmethod
    def outlines(self) -> Iterator[Outline | Plain]:
        """The outlines of the entries, in order. Those that are known to be plain may be in one."""

    def changes(self, number: EntryNumber) -> Iterable[FoldedEvent]:
        """The events of an entry as the fold needs them: some may be in brief (see ``fold.short_events``)."""
        return self.entry(number).events


class EntriesInMemory(EntryList):
    """Entries that are all in memory."""

    def __init__(self, entries: Iterable[RecordedEntry] = ()) -> None:
        self._entries = list(entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[RecordedEntry]:
        return iter(self._entries)

    def entry(self, number: EntryNumber) -> RecordedEntry:
        return self._entries[number - 1]

    def append(self, entry: RecordedEntry) -> None:
        self._entries.append(entry)

    def until(self, number: EntryNumber) -> EntriesInMemory:
        return EntriesInMemory(self._entries[:number])

    def outlines(self) -> Iterator[Outline]:
        return map(outline_of, self._entries)
