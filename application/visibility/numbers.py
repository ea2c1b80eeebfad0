"""Numbers of entries, actions and revisions among those that a reader may see, and their numbers in the campaign."""

from __future__ import annotations

from array import array
from bisect import bisect_left

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.domain.history.play_order import PlayOrder


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
        self._order, self._taken = PlayOrder(), 0  # of all that the campaign has, seen or not
        self._revisions: dict[ActionNumber, list[int]] = {}  # of the actions that do not have revision 1 alone

    def follow(self, entry: RecordedEntry) -> None:
        """Note where in the order of play an entry puts its action, whether it may be seen or not."""
        self._taken += entry.is_first
        if entry.kind is EntryKind.INSERTED:
            self._order.insert(entry.action, entry.before)

    def _before(self, entry: RecordedEntry) -> ActionNumber:
        """The reader's number of the action before which an entry inserts its own: the next that the reader has, 0 for none."""
        following = map(self._order.at, range(self._order.place(entry.before), self._taken + 1))
        return next(filter(None, (self.actions.place(action) for action in following if action < entry.action)), 0)

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
        before = self._before(entry) if entry.kind is EntryKind.INSERTED else 0
        first = EntryKind.INSERTED if before else EntryKind.TAKEN
        return entry._replace(
            kind=first if revision == 1 else entry.kind,
            before=before,
            number=self.entries.place(entry.number),
            action=self.actions.place(entry.action),
            revision=revision,
            restores=known.index(entry.restores) + 1 if entry.restores else 0,
        )
