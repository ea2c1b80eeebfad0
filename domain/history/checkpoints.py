"""Marks in a history: states that are kept, so that looking back folds a stretch and not everything before it."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable

import attrs

from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.state.campaign_state import EMPTY, CampaignState

CHECKPOINT_EVERY = 512
"""After so many actions the state is kept, so that a correction folds only what follows the nearest mark."""
PEOPLE = 4
"""Of so many people an action, at most, marks hold what is on their sheets."""


def is_due(actions: ActionNumber, last: ActionNumber, state: CampaignState) -> bool:
    """Whether a state after so many actions is to be written down, where the last that was is of after ``last`` of them.

    Everybody who ever came is in it. Where these are thousands, marks are further apart, so that an action's share of all
    marks stays the same however long a campaign is.
    """
    return actions - last >= max(CHECKPOINT_EVERY, len(state.characters) // PEOPLE)


@attrs.frozen
class Checkpoint(Record):
    """The campaign after its first ``actions``, with the corrections that the first ``course`` entries hold.

    ``state`` reads it: None if it cannot be read any more.
    """

    actions: ActionNumber
    course: EntryNumber
    state: Callable[[], CampaignState | None]

    @classmethod
    def of(cls, actions: ActionNumber, course: EntryNumber, state: CampaignState) -> Checkpoint:
        """A mark of a state that is in memory."""
        return cls(actions, course, lambda: state)


BEGINNING = Checkpoint.of(0, 0, EMPTY)


def _actions(mark: Checkpoint) -> ActionNumber:
    return mark.actions


class Checkpoints:
    """The marks of one course of a history, in the order of their actions; the first is always its beginning."""

    def __init__(self, marks: Iterable[Checkpoint] = ()) -> None:
        self._marks = [BEGINNING, *sorted(marks, key=_actions)]

    def nearest(self, actions: ActionNumber) -> tuple[ActionNumber, CampaignState]:
        """The last mark that is not after so many actions, and its state. One that cannot be read is forgotten."""
        while True:
            at = bisect_right(self._marks, actions, key=_actions) - 1
            mark = self._marks[at]
            state = mark.state()
            if state is not None:
                return mark.actions, state
            del self._marks[at]

    def last(self, actions: ActionNumber) -> ActionNumber:
        """After how many actions the last mark is that is not after so many."""
        return self._marks[bisect_right(self._marks, actions, key=_actions) - 1].actions

    def add(self, mark: Checkpoint) -> None:
        insort(self._marks, mark, key=_actions)

    def forget_from(self, action: ActionNumber) -> None:
        """The outcome of an action is another one now: forget what was after it."""
        del self._marks[bisect_right(self._marks, action - 1, key=_actions) :]

    def all(self) -> list[Checkpoint]:
        """Those after the beginning."""
        return self._marks[1:]
