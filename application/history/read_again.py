"""The entries of a history that are not kept: each is read from the store again when it is asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator

from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.entries import Outline, RecordedEntry, outline_of
from rollbook.domain.history.entry_list import EntryList
from rollbook.domain.state.fold.draft import FoldedEvent

PAGE, PAGES = 64, 16
"""So many entries are read at once, and so many times that many are kept."""


class EntriesReadAgain(EntryList):
    """The first entries of a stream. ``read`` reads those after a number and up to another one."""

    def __init__(self, read: Callable[[int, int], Iterable[RecordedEntry]], length: int = 0) -> None:
        self._read = read
        self._length = length
        self._pages: OrderedDict[int, list[RecordedEntry]] = OrderedDict()

    def __len__(self) -> int:
        return self._length

    def entry(self, number: EntryNumber) -> RecordedEntry:
        return self._page((number - 1) // PAGE)[(number - 1) % PAGE]

    def _page(self, number: int) -> list[RecordedEntry]:
        page = self._pages.get(number, [])
        first, last = number * PAGE, min((number + 1) * PAGE, self._length)
        if len(page) < last - first:  # entries were added to it since
            page = self._pages[number] = list(self._read(first, last))
            if len(self._pages) > PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(number)
        return page

    def append(self, entry: RecordedEntry) -> None:
        """One more, which is in the store already."""
        self._length = entry.number

    def until(self, number: EntryNumber) -> EntriesReadAgain:
        return EntriesReadAgain(self._read, number)

    def outlines(self) -> Iterator[Outline]:
        return map(outline_of, self._read(0, self._length))

    def changes(self, number: EntryNumber) -> Iterable[FoldedEvent]:
        return self[number - 1].events
