"""What a level of one game is in another: a level. Points are worth what a game's own table says.

So somebody arrives at the level that they have, with the points that it takes there, and what was earned in one game counts
in another as the part of a level that it was.
"""

from bisect import bisect_right
from collections.abc import Callable

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.state.campaign_state import CampaignState

LEVEL = 1_000_000_000
"""Parts of a level in which progress is counted."""


@attrs.frozen(kw_only=True)
class Levels(Record):
    """A game's table of experience: ``experience_for`` is what a level from 1 to the ``highest`` at this table takes."""

    experience_for: Callable[[int, CampaignState], int]
    highest: Callable[[CampaignState], int]

    def level_at(self, experience: int, campaign: CampaignState) -> int:
        """The level that so much experience reaches, at least 1."""
        every = range(1, self.highest(campaign) + 1)
        return max(bisect_right(every, experience, key=lambda level: self.experience_for(level, campaign)), 1)

    def progress(self, experience: int, campaign: CampaignState) -> int:
        """How far somebody is with so much experience: their level and the part of the next one, in parts of a level."""
        level = self.level_at(experience, campaign)
        begun = experience - self.experience_for(level, campaign)
        return level * LEVEL + begun * LEVEL // self._step(level, campaign)

    def experience_at(self, progress: int, campaign: CampaignState) -> int:
        """The least experience with which somebody is so far."""
        level = min(max(progress // LEVEL, 1), self.highest(campaign))
        begun = (progress - level * LEVEL) * self._step(level, campaign)
        return self.experience_for(level, campaign) - -begun // LEVEL

    def _step(self, level: int, campaign: CampaignState) -> int:
        """The points from a level to the next; past the highest it goes on as before it."""
        last = min(level, max(self.highest(campaign) - 1, 1))
        return max(self.experience_for(last + 1, campaign) - self.experience_for(last, campaign), 1)
