"""Numbers of entries, actions and revisions among those that a reader may see, and their numbers in the campaign."""

from __future__ import annotations

from array import array
from bisect import bisect_left

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.entries import EntryKind, RecordedEntry


class ClosedUp:
    """Numbers of a campaign that a reader knows, counted from 1 in the order in which the reader came to know them.

    Nearly all come in rising order, so that one array of them is enough to look them up both ways.
    """

    def __init__(self) -> None:
        self._highest = array("I")  # the highest number so far, by its place
        self._late: dict[int, int] = {}  # the places of those that came after a higher one
        self._late_at: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._highest)

    def add(self, number: int) -> None:
        """Add a number of the campaign, which is not known yet."""
        highest = self._highest[-1] if self._highest else 0
        if number < highest:
            self._late[number] = len(self) + 1
            self._late_at[len(self) + 1] = number
        self._highest.append(max(number, highest))

    def place(self, number: int) -> int:
        """The reader's number for a number of the campaign, 0 for one that the reader does not know."""
        if number in self._late:
            return self._late[number]
        at = bisect_left(self._highest, number)
        return at + 1 if self._highest[at : at + 1] == array("I", (number,)) else 0

    def at(self, place: int) -> int:
        """The campaign's number for a number of the reader's, 0 if there is none."""
        if not 1 <= place <= len(self):
            return 0
        return self._late_at.get(place) or self._highest[place - 1]


class Numbers:
    """The entries that a reader may see, by their numbers here and in the campaign."""

    def __init__(self) -> None:
        self.entries = ClosedUp()
        self.actions = ClosedUp()
        self._revisions: dict[ActionNumber, list[int]] = {}  # of the actions that do not have revision 1 alone

    def add(self, entry: RecordedEntry) -> bool:
        """Add an entry that may be seen. Returns False for a correction of an action or revision that is not here."""
        known = self._known(entry.action)
        if known:
            if entry.restores and entry.restores not in known:
                return False
            self._revisions[entry.action] = [*known, entry.revision]
        elif entry.is_outcome:
            self.actions.add(entry.action)
            if entry.revision != 1:
                self._revisions[entry.action] = [entry.revision]
        else:
            return False
        self.entries.add(entry.number)
        return True

    def _known(self, action: ActionNumber) -> list[int]:
        return self._revisions.get(action) or ([1] if self.actions.place(action) else [])

    def of(self, entry: RecordedEntry) -> RecordedEntry:
        """An entry that is here, with its numbers here. The first that is seen of an action counts as taking it."""
        known = self._known(entry.action)
        revision = known.index(entry.revision) + 1
        return entry._replace(
            kind=EntryKind.TAKEN if revision == 1 else entry.kind,
            number=self.entries.place(entry.number),
            action=self.actions.place(entry.action),
            revision=revision,
            restores=known.index(entry.restores) + 1 if entry.restores else 0,
        )
