"""Checkpoints of a history: states that are kept, so that looking back folds on from the nearest and not from the beginning."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable
from operator import attrgetter

import attrs

from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.state.campaign_state import EMPTY, CampaignState

CHECKPOINT_EVERY = 512
"""Actions between two checkpoints, so that a correction folds only what follows the nearest one."""
PEOPLE = 4
"""Most sheets in checkpoints per action."""


def is_due(actions: ActionNumber, last: ActionNumber, state: CampaignState) -> bool:
    """True if a state after so many actions is to be stored as a checkpoint, the last one being after ``last`` actions.

    It holds every character who ever came. If these are thousands, checkpoints are further apart, so that an action's
    share of all of them stays the same however long a campaign is.
    """
    return actions - last >= max(CHECKPOINT_EVERY, len(state.characters) // PEOPLE)


@attrs.frozen
class Checkpoint(Record):
    """The campaign after its first ``actions`` in the order of play, with the corrections of the first ``course`` entries.

    ``state`` reads it: None if it cannot be read any more.
    """

    actions: ActionNumber
    course: EntryNumber
    state: Callable[[], CampaignState | None]

    @classmethod
    def of(cls, actions: ActionNumber, course: EntryNumber, state: CampaignState) -> Checkpoint:
        """A checkpoint of a state that is in memory."""
        return cls(actions, course, lambda: state)


BEGINNING = Checkpoint.of(0, 0, EMPTY)


_actions = attrgetter("actions")


class Checkpoints:
    """The checkpoints of one course of a history, in the order of their actions; the first is always its beginning."""

    def __init__(self, kept: Iterable[Checkpoint] = ()) -> None:
        self._kept = [BEGINNING, *sorted(kept, key=_actions)]

    def nearest(self, actions: ActionNumber) -> tuple[ActionNumber, CampaignState]:
        """The last checkpoint that is not after so many actions, and its state. One that cannot be read is forgotten."""
        while True:
            at = bisect_right(self._kept, actions, key=_actions) - 1
            checkpoint = self._kept[at]
            state = checkpoint.state()
            if state is not None:
                return checkpoint.actions, state
            del self._kept[at]

    def last(self, actions: ActionNumber) -> ActionNumber:
        """The number of actions at the last checkpoint that is not after so many."""
        return self._kept[bisect_right(self._kept, actions, key=_actions) - 1].actions

    def add(self, checkpoint: Checkpoint) -> None:
        insort(self._kept, checkpoint, key=_actions)

    def forget_from(self, place: int) -> None:
        """Forget the checkpoints after the action at a place, because its outcome has changed."""
        del self._kept[bisect_right(self._kept, place - 1, key=_actions) :]

    def all(self) -> list[Checkpoint]:
        """Those after the beginning."""
        return self._kept[1:]
