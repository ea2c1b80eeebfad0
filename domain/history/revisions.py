"""Which outcome of an action counts: every correction gives it another one, none, or an earlier one again."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.entries import EntryKind, Outline, RecordedEntry

Outcome = TypeVar("Outcome")
"""What is kept of an entry that is an outcome: the entry itself, or only its events."""

NO_REVISION = 0
"""The revision that counts of an action that was undone."""


class Revisions(Generic[Outcome]):
    """The outcomes of the actions that it was given, by revision, and the revision of each that counts."""

    def __init__(self) -> None:
        self._outcomes: dict[tuple[ActionNumber, int], Outcome] = {}
        self._counting: dict[ActionNumber, int] = {}

    def __contains__(self, action: ActionNumber) -> bool:
        return action in self._counting

    def take(self, action: ActionNumber, outcome: Outcome) -> None:
        """An action as it was taken, which is its first revision."""
        self._counting[action] = 1
        self._outcomes[action, 1] = outcome

    def add(self, entry: RecordedEntry | Outline, outcome: Outcome) -> None:
        """One more entry about an action; ``outcome`` is kept of it, unless it undoes or redoes the action."""
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
