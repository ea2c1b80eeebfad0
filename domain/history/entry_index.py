"""Index of a history's entries: the exceptions among them, and the outcome that counts for each action.

Most entries are the next action, public, and never corrected. So the entry of an action follows from its number and the
corrections before it, and nothing has to be kept for each entry.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Generic, TypeVar

from rollbook.domain.base.errors import HistoryDamaged, damaged_entry
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.entries import EntryKind, Outline, RecordedEntry, known_fingerprint
from rollbook.domain.history.checkpoints import Checkpoint
from rollbook.domain.history.drawn_dice import DRAW
from rollbook.domain.history.entry_list import Plain
from rollbook.domain.history.numbering import ActionCount
from rollbook.domain.history.play_order import PlayOrder

Outcome = TypeVar("Outcome")
"""The part of an outcome that is kept: the entry itself, or only its events."""

NO_REVISION = 0
"""The revision that counts of an action that was undone."""


class Revisions(Generic[Outcome]):
    """The outcomes of the actions that were added, by revision, and the revision that counts for each."""

    def __init__(self) -> None:
        self._outcomes: dict[tuple[ActionNumber, int], Outcome] = {}
        self._counting: dict[ActionNumber, int] = {}

    def __contains__(self, action: ActionNumber) -> bool:
        return action in self._counting

    def take(self, action: ActionNumber, outcome: Outcome) -> None:
        """Add an action as it was taken, which is its first revision."""
        self._counting[action] = 1
        self._outcomes[action, 1] = outcome

    def add(self, entry: RecordedEntry | Outline, outcome: Outcome) -> None:
        """Add an entry about an action and keep its ``outcome``, unless it undoes or redoes the action."""
        if entry.kind is EntryKind.UNDONE:
            self._counting[entry.action] = NO_REVISION
        elif entry.kind is EntryKind.REDONE:
            self._counting[entry.action] = entry.restores
        else:
            self._counting[entry.action] = entry.revision
            self._outcomes[entry.action, entry.revision] = outcome

    def replace(self, entry: RecordedEntry | Outline, outcome: Outcome) -> tuple[Outcome | None, Outcome | None]:
        """Add an entry; returns what counted of the action before it and what counts since (None: nothing)."""
        before = self.effective(entry.action)
        self.add(entry, outcome)
        return before, self.effective(entry.action)

    def counting(self, action: ActionNumber) -> int:
        """The revision that counts, ``NO_REVISION`` for none of them. Raises KeyError for an action that was never added."""
        return self._counting[action]

    def effective(self, action: ActionNumber) -> Outcome | None:
        """The outcome that counts; None if the action was undone or never added."""
        return self._outcomes.get((action, self._counting.get(action, NO_REVISION)))

    def all_effective(self) -> Iterator[Outcome]:
        """The outcomes that count, in the order in which their actions were added."""
        return (self._outcomes[which] for which in self._counting.items() if which in self._outcomes)


def is_plain(entry: Outline | RecordedEntry) -> bool:
    """True if an entry is only the next action, with nothing that a history would have to note."""
    more = entry.hidden_events or entry.fingerprint or entry.visibility or entry.intent.verb == DRAW
    return entry.kind is EntryKind.TAKEN and not more


class EntryIndex:
    """The numbers of entries, and which of them counts for each action."""

    def __init__(self) -> None:
        self._count = ActionCount()
        self.last_shown: EntryNumber = 0
        self.shown_entries = self.shown_actions = 0
        self.has_secrets = False
        self.draws: list[EntryNumber] = []
        self.corrections: dict[str, list[EntryNumber]] = {}
        self.corrections_of: dict[ActionNumber, list[EntryNumber]] = {}
        self.order = PlayOrder()
        self._changes: list[EntryNumber] = []  # of the corrections and insertions, in order
        self._places: list[int] = []  # the place, at the time, of the action that each of them corrects or inserts
        self._entries: list[EntryNumber] = []  # of the corrections of actions that were there, in order
        self._before: list[int] = []  # how many actions had been taken before each of them
        self._hidden: list[ActionNumber] = []
        self._effective: dict[ActionNumber, EntryNumber] = {}
        self._outcomes = Revisions[EntryNumber]()
        self._fingerprints: list[tuple[EntryNumber, str]] = [(0, "")]
        self._left: list[tuple[EntryNumber, ActionNumber]] = []

    @property
    def entries(self) -> int:
        """Number of entries."""
        return self._count.entries

    @property
    def actions(self) -> int:
        """Number of actions taken."""
        return self._count.actions

    def skip(self, plain: Plain) -> None:
        """Count entries up to a number, all of them plain."""
        more = plain.until - self.entries
        if more <= 0:
            return
        self._count.entries += more
        self._count.actions += more
        self.shown_entries += more
        self.shown_actions += more
        self.last_shown = plain.until

    def add(self, outline: Outline) -> tuple[EntryNumber, EntryNumber]:
        """One more entry. Returns which one counted for its action before it and which one counts now (0: none).

        Raises HistoryDamaged if it is not the next one.
        """
        number, kind, _, hidden_events, _, _, fingerprint, _, _, _, visibility, intent = outline
        try:
            self._count.add(outline)
        except HistoryDamaged as damage:
            raise damaged_entry(number, damage) from None
        before, after = 0, number
        if kind is EntryKind.TAKEN or kind is EntryKind.INSERTED:
            if kind is EntryKind.INSERTED:
                self._change(outline, self.order.insert(outline.action, outline.before))
            self.shown_actions += not visibility
            if visibility:
                self._hidden.append(self.actions)
            if intent.verb == DRAW:
                self.draws.append(number)
        else:
            before, after = self._correct(outline)
        if visibility:
            self.has_secrets = True
        else:
            self.last_shown = number
            self.shown_entries += 1
            self.has_secrets |= bool(hidden_events)
        if fingerprint:
            self._fingerprints.append((number, known_fingerprint(fingerprint)))
        return before, after

    def _correct(self, outline: Outline) -> tuple[EntryNumber, EntryNumber]:
        number, action = outline.number, outline.action
        if action not in self._outcomes:
            self._outcomes.take(action, self.taken(action))
        before, after = self._outcomes.replace(outline, number)
        self._change(outline, self.order.place(action))
        self.corrections_of.setdefault(action, []).append(number)
        self._entries.append(number)
        self._before.append(self.actions)
        self._effective[action] = after or 0
        return before or 0, after or 0

    def _change(self, outline: Outline, place: int) -> None:
        """Note an entry after which what was played from a place on may be otherwise."""
        self._changes.append(outline.number)
        self._places.append(place)
        if outline.stand:
            self._left.append((outline.number, outline.action))
        if outline.correction:
            self.corrections.setdefault(outline.correction, []).append(outline.number)

    def taken(self, action: ActionNumber) -> EntryNumber:
        """The entry that took an action: its number is higher by the corrections that were stored before it."""
        return action + bisect_left(self._before, action)

    def effective(self, action: ActionNumber) -> EntryNumber:
        """The entry that counts for an action, 0 if none does."""
        known = self._effective.get(action)
        return self.taken(action) if known is None else known

    def counting(self, first: int) -> int:
        """The number of actions from the place ``first`` on that count."""
        place = self.order.place
        undone = sum(not number and place(action) >= first for action, number in self._effective.items())
        return max(0, self.actions - first + 1) - undone

    def place_of(self, action: ActionNumber) -> int:
        """The action's number among those that the whole table saw, 0 if it was not one of them."""
        hidden = bisect_left(self._hidden, action)
        return 0 if self._hidden[hidden : hidden + 1] == [action] else action - hidden

    def actions_at(self, entry: EntryNumber) -> int:
        """The number of actions that had been taken when an entry was stored."""
        return entry - bisect_right(self._entries, entry)

    def corrections_backwards(self) -> Iterator[EntryNumber]:
        """The entries that corrected an action, newest first."""
        return reversed(self._entries)

    def first_changed_after(self, entry: EntryNumber) -> int:
        """The first place at which an action was corrected or inserted after an entry, 0 if none was."""
        return min(self._places[bisect_right(self._changes, entry) :], default=0)

    def fingerprint_at(self, entry: EntryNumber) -> str:
        """The fingerprint of the rules that an entry was decided by; "" if it is not known."""
        return self._fingerprints[bisect_right(self._fingerprints, entry, key=lambda known: known[0]) - 1][1]

    def is_left(self, action: ActionNumber, since: EntryNumber) -> bool:
        """True if a correction since an entry left an action standing that it could have changed."""
        place = self.order.place
        return any(since < entry and place(corrected) <= place(action) for entry, corrected in self._left)

    def is_of(self, checkpoint: Checkpoint, entry: EntryNumber) -> bool:
        """True if a checkpoint is of the course as it was at an entry: nothing up to it was corrected or inserted between."""
        low, high = sorted((checkpoint.course, entry))
        between = self._places[bisect_right(self._changes, low) : bisect_right(self._changes, high)]
        return min(between, default=checkpoint.actions + 1) > checkpoint.actions
