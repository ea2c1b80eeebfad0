"""The entries of an edition: each is made of the campaign's own when it is asked for, so that little is in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rollbook.application.visibility.editions.numbers import Numbers
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.entries import Outline, RecordedEntry, outline_of
from rollbook.domain.events import Event
from rollbook.domain.history.entry_index import is_plain
from rollbook.domain.history.entry_list import EntryList, Plain

Shown = Callable[[RecordedEntry], RecordedEntry]
"""An entry as the reader sees it, with the numbers that it has for the reader."""


class ShownEntries(EntryList):
    """Entries of a campaign that a reader may see, with the reader's ``numbers``; ``whole`` are all that the campaign has.

    Those that were added last are in memory until they are let go.
    """

    def __init__(
        self,
        whole: Sequence[RecordedEntry],
        shown: Shown,
        numbers: Numbers,
        noted: Iterable[Outline] = (),
        length: int = 0,
    ) -> None:
        self._whole = whole
        self._shown = shown
        self._numbers = numbers
        self._noted = list(noted)
        self._length = length
        self._fresh: list[RecordedEntry] = []

    def __len__(self) -> int:
        return self._length

    def entry(self, number: EntryNumber) -> RecordedEntry:
        if number > self._length - len(self._fresh):
            return self._fresh[number - self._length - 1]
        return self._shown(self._whole[self._numbers.entries.at(number) - 1])

    def append(self, entry: RecordedEntry) -> None:
        self._length += 1
        self._fresh.append(entry)
        if not is_plain(entry):
            self._noted.append(outline_of(entry))

    def let_go(self) -> None:
        """Keep the last one in memory and none before it: what was added was folded."""
        del self._fresh[:-1]

    def until(self, number: EntryNumber) -> ShownEntries:
        length = min(number, len(self))
        noted = (outline for outline in self._noted if outline.number <= length)
        return ShownEntries(self._whole, self._shown, self._numbers, noted, length)

    def outlines(self) -> Iterator[Outline | Plain]:
        for outline in self._noted:
            yield Plain(outline.number - 1)
            yield outline
        yield Plain(len(self))

    def changes(self, number: EntryNumber) -> Iterable[Event]:
        return self[number - 1].events
