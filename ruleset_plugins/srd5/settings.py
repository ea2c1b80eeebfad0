"""The house rules: the edition, and what the text leaves to a table."""

import attrs

from rollbook.kit.settings import HouseRules, one_of
from rollbook.plugin import setting

NEW, OLD = "2024", "2014"
FIXED, ROLLED, AVERAGE = "fixed", "rolled", "average"
EXPERIENCE, MILESTONES = "experience", "milestones"


@attrs.frozen(kw_only=True)
class Settings(HouseRules):
    """House rules that a campaign may change; the chosen values are recorded in its first entry."""

    edition: str = one_of("the edition of fights: SRD 5.2.1 (2024) or SRD 5.1 (2014) (Q5.1)", NEW, OLD)
    hit_points: str = one_of("whether a level gives the fixed hit points of its class or a roll (Q5.2)", FIXED, ROLLED)
    advancement: str = one_of("whether a level takes experience, or the GM's word (Q5.40)", EXPERIENCE, MILESTONES)
    initiative: str = one_of("whether initiative is rolled, or the score of each counts (Q5.3)", ROLLED, FIXED)
    group_initiative: bool = setting(default=True, text="monsters of one stat block share a roll of initiative (Q5.4)")
    monster_damage: str = one_of("whether a stat block's damage is rolled or the average (Q5.52)", ROLLED, AVERAGE)
    monsters_die: bool = setting(default=True, text="monsters and NPCs die at 0 hit points (Q5.5)")

    @property
    def is_old(self) -> bool:
        """True if fights follow the edition of 2014."""
        return self.edition == OLD
