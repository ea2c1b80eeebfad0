"""The house rules of russell: every switch that the rulings leave to a table, with the ruling's number."""

import attrs

from rollbook.kit.settings import RoundedHouseRules, one_of
from rollbook.plugin import setting

PARTY, EVERYBODY = "party", "everybody"
"""The characters whom the dark hinders."""


@attrs.frozen(kw_only=True)
class Settings(RoundedHouseRules):
    """House rules that a campaign may change; the chosen values are recorded in its first entry."""

    # Numbers and time.
    min_damage_on_hit: int = setting(1, "the least damage of a hit (QG.2)", minimum=0)
    round_seconds: int = setting(
        0, "seconds in a combat round; 0: rounds have no length of their own, a fight is a Turn (QG.13)", minimum=0
    )
    turn_minutes: int = setting(10, "minutes in a Turn, of exploring or of fighting (QG.13)", minimum=1)
    adv_clamp: int = setting(2, "how far advantages and disadvantages add up (Q3.19)", minimum=1)

    # Experience and levels.
    xp_per_coin: str = one_of(
        "the coin that is worth one point of experience (Q3.1)",
        "silver",
        "copper",
        means=("A silver coin is worth one point of experience.", "A copper coin is worth one point of experience."),
    )
    coin_ratio: int = setting(10, "copper to the silver, and silver to the gold (Q3.1)", minimum=1)
    kill_xp: str = one_of(
        "experience for the slain is shared, or everybody gets all of it (Q3.45)",
        "split",
        "each",
        means=("Experience for the slain is shared.", "Everybody gets all the experience for the slain."),
    )
    avoided_xp: bool = setting(
        default=False,
        text="foes who were avoided or won over are worth experience, shared like that for the slain (Q3.45)",
    )
    level_zero: bool = setting(default=False, text="newcomers begin at level 0 and earn the first level (Q3.2)")
    levels_per_week: str = one_of(
        "levels that one week of downtime is good for: one, or all that are due (Q3.46)",
        "1",
        "all",
        means=("A week of downtime is good for one level.", "A week of downtime is good for all levels that are due."),
    )
    ws_after_10: str = one_of(
        "past level 10 Weapon Skill still grows at even levels, or stops (Q3.5)",
        "even",
        "none",
        means=(
            "Past level 10 Weapon Skill goes on growing at even levels.",
            "Past level 10 Weapon Skill stops growing.",
        ),
    )
    min_hp_gain: int = setting(1, "the least hit points of a level that rolls a die (Q3.7)", minimum=0)
    attr_gen: str = one_of(
        "how attributes are rolled, and whether the order may be changed (Q3.48)",
        "3d6_in_order",
        "3d6_arranged",
        "4d6_arranged",
        means=(
            "Attributes are 3d6 each, in order.",
            "Attributes are 3d6 each, in an order of one's choice.",
            "Attributes are 4d6 each, in an order of one's choice.",
        ),
    )
    monster_hp: str = one_of(
        "hit points of monsters: rolled, or 3.5 a hit die in the party's or their favour (R3.97)",
        "roll",
        "soft",
        "hard",
        means=(
            "Hit points of monsters are rolled.",
            "Monsters have 3.5 hit points a die, rounded in the party's favour.",
            "Monsters have 3.5 hit points a die, rounded in their own favour.",
        ),
    )

    # Wounds.
    npc_wounds: str = one_of(
        "others than player characters fall at 0 hit points, or are wounded like them (Q3.11)",
        "none",
        "as_pc",
        means=("Others than player characters fall at 0 hit points.", "Everybody is wounded as player characters are."),
    )

    # Skills.
    skill_marks_needed: int = setting(3, "marks that a skill needs before a week's practice (Q3.16)", minimum=0)

    # Meeting and fighting.
    bands: str = setting("engaged,close,medium,far", "the ranges of a fight, nearest first (Q3.24)")
    stunt_target: int = setting(20, "what the attack of a stunt must reach (Q3.29)", minimum=1)
    surprise: str = one_of(
        "in good light the party surprises others only through a door, or as usual (Q3.21)",
        "by_light",
        "general",
        means=("In good light the party surprises others only through a door.", "Surprise in good light is as usual."),
    )
    cha_morale: str = one_of(
        "an employer's Charisma is added to a hireling's Morale, or to the roll (Q3.30)",
        "rating",
        "roll",
        means=(
            "An employer's Charisma is added to a hireling's Morale.",
            "An employer's Charisma is added to the roll for Morale.",
        ),
    )

    # Exploring.
    dark_listen: str = one_of(
        "after a Turn in the dark, listening simply has Advantage, or counts it against the dark (Q3.38)",
        "advantage",
        "net",
        means=(
            "After a Turn in the dark, listening has Advantage.",
            "After a Turn in the dark, the Advantage of listening counts against the dark.",
        ),
    )
    dark_hinders: str = one_of(
        "whom dim light and darkness hinder: the party alone, as the text has it, or everybody (QG.10, R3.62, R3.65)",
        PARTY,
        EVERYBODY,
        before=EVERYBODY,
        means=("Dim light and darkness hinder the party alone.", "Dim light and darkness hinder everybody."),
    )
    exploration_roll_after_combat: bool = setting(
        default=True, text="after a fight in a dangerous place the Exploration Die is rolled (Q3.54)"
    )

    @property
    def turn_seconds(self) -> int:
        """The seconds in a Turn."""
        return self.turn_minutes * 60

    @property
    def ranges(self) -> tuple[str, ...]:
        """The ranges of a fight, nearest first."""
        return tuple(name.strip() for name in self.bands.split(",") if name.strip()) or ("engaged",)


house = Settings.of
