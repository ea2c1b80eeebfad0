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

    edition: str = one_of(
        "the edition of fights: SRD 5.2.1 (2024) or SRD 5.1 (2014) (Q5.1)",
        NEW,
        OLD,
        means=("Fights follow the rules of 2024 (SRD 5.2.1).", "Fights follow the rules of 2014 (SRD 5.1)."),
    )
    hit_points: str = one_of(
        "whether a level gives the fixed hit points of its class or a roll (Q5.2)",
        FIXED,
        ROLLED,
        means=("A level gives the fixed hit points of its class.", "The hit points of a level are rolled."),
    )
    advancement: str = one_of(
        "whether a level takes experience, or the GM's word (Q5.40)",
        EXPERIENCE,
        MILESTONES,
        means=("A level takes experience.", "A level takes the GM's word."),
    )
    initiative: str = one_of(
        "whether initiative is rolled, or the score of each counts (Q5.3)",
        ROLLED,
        FIXED,
        means=("Initiative is rolled.", "The initiative score of each counts."),
    )
    group_initiative: bool = setting(default=True, text="monsters of one stat block share a roll of initiative (Q5.4)")
    monster_damage: str = one_of(
        "whether a stat block's damage is rolled or the average (Q5.52)",
        ROLLED,
        AVERAGE,
        means=("The damage of a stat block is rolled.", "The damage of a stat block is the average."),
    )
    monsters_die: bool = setting(default=True, text="monsters and NPCs die at 0 hit points (Q5.5)")

    @property
    def is_old(self) -> bool:
        """True if fights follow the edition of 2014."""
        return self.edition == OLD
