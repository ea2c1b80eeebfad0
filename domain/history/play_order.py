"""The order in which actions are played: that of their numbers, but for those that were inserted before another one.

The *place* of an action is its number in the order of play, from 1. Nearly all actions were never inserted, so only those
that were are kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import attrs

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Changeable


@attrs.define
class PlayOrder(Changeable):
    """The places of actions, and the actions at them.

    Of the inserted actions, in the order of play, ``_inserted`` has the numbers, and ``_following`` says as the how-manieth of
    the others the next one that was not inserted is played: what is inserted elsewhere does not change that. ``_skipped`` has
    for each number that was inserted, in rising order, how many lower ones were not, plus 1.
    """

    _inserted: list[ActionNumber] = attrs.field(factory=list)
    _following: list[int] = attrs.field(factory=list)
    _skipped: list[int] = attrs.field(factory=list)
    _numbers: list[ActionNumber] = attrs.field(factory=list)

    def insert(self, action: ActionNumber, before: ActionNumber) -> int:
        """Insert an action, whose number is the highest so far, just before another one. Returns its place."""
        place = self.place(before)
        at = self._inserted_before(place)
        self._inserted.insert(at, action)
        self._following.insert(at, place - at)
        self._skipped.append(action - len(self._numbers))
        self._numbers.append(action)
        return place

    def place(self, action: ActionNumber) -> int:
        """The place of an action."""
        if not self._inserted:
            return action
        lower = bisect_left(self._numbers, action)
        if self._numbers[lower : lower + 1] == [action]:
            at = self._inserted.index(action)
            return self._following[at] + at
        rank = action - lower
        return rank + bisect_right(self._following, rank)

    def at(self, place: int) -> ActionNumber:
        """The action at a place."""
        if not self._inserted:
            return place
        at = self._inserted_before(place)
        if at < len(self._inserted) and self._following[at] + at == place:
            return self._inserted[at]
        rank = place - at
        return rank + bisect_right(self._skipped, rank)

    @property
    def inserted(self) -> Sequence[ActionNumber]:
        """The inserted actions, in the order of play."""
        return self._inserted

    def is_inserted(self, action: ActionNumber) -> bool:
        """True if an action was inserted."""
        return action in self._numbers

    def _inserted_before(self, place: int) -> int:
        """The number of inserted actions whose places are lower."""
        return bisect_left(range(len(self._following)), place, key=lambda at: self._following[at] + at)
