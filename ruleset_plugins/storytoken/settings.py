"""The house rules of storytoken: every switch that the rulings leave to a table, with the ruling's number."""

import attrs

from rollbook.kit import clock
from rollbook.kit.settings import RoundedHouseRules, one_of
from rollbook.plugin import setting


@attrs.frozen(kw_only=True, unsafe_hash=True, cache_hash=True)
class Settings(RoundedHouseRules):
    """House rules that a campaign may change; the chosen values are recorded in its first entry."""

    # Numbers and time.
    min_damage_on_hit: int = setting(1, "the least damage of a hit (QG.2)", minimum=0)
    round_seconds: int = setting(10, "how long a combat round is, in seconds (QG.13)", minimum=1)
    per_day: str = one_of(
        "once per day means 24 hours since the last use, or once in each day of the calendar (Q0.70)",
        clock.ROLLING,
        clock.CALENDAR,
        means=(
            "Once per day means that 24 hours pass between two uses.",
            "Once per day means once in each day of the calendar.",
        ),
    )
    long_rest_hours: int = setting(8, "hours of unbroken rest that make a long rest (Q0.76)", minimum=1)
    half_level_min: int = setting(0, "the least that half a level counts (Q0.77)", minimum=0)

    # Defence and movement.
    shield_and_cover_stack: bool = setting(default=False, text="a shield and partial cover add up to +2 (Q0.11)")
    base_speed_ft: int = setting(40, "feet per round before armour and traits (Q0.12)", minimum=0)
    surprise_roll: str = one_of(
        "whether those who may be surprised roll 1d6 and are on 1 or 2 (Q0.14)",
        "none",
        "2-in-6",
        means=("Nobody rolls for surprise.", "Those who may be surprised roll 1d6, and are on 1 or 2."),
    )
    late_joiner: str = one_of(
        "when a character who arrives in a fight may act (Q0.10)",
        "next_round",
        "at_once",
        means=(
            "A character who arrives in a fight acts from the next round on.",
            "A character who arrives in a fight acts at once.",
        ),
    )

    # Hit points and levels.
    hp_flat_above_9: str = one_of(
        "past level 9: +2 a level as the text says, or the table's column (Q0.15)",
        "text",
        "table",
        means=(
            "Past level 9 a level gives 2 hit points.",
            "Past level 9 a level gives the hit points of the table's column.",
        ),
    )
    hp_con_cap_level: str = one_of(
        "to which level CON counts for hit points (Q0.15)",
        "none",
        "9",
        means=("CON counts for hit points at every level.", "CON counts for hit points up to level 9."),
    )
    min_max_hp: int = setting(1, "the least maximum of hit points (Q0.17)", minimum=1)
    level_hp: str = one_of(
        "a new level adds one hit die, or all are rolled again (Q0.18)",
        "add_die",
        "reroll_all",
        means=("A new level adds one hit die.", "At a new level all hit dice are rolled again."),
    )
    assign: str = one_of(
        "the six 3d6 go to the abilities in order, or as the player likes (Q0.47)",
        "in_order",
        "free",
        means=("The six 3d6 go to the abilities in order.", "The six 3d6 go to the abilities as the player likes."),
    )
    extrapolate_levels: bool = setting(default=False, text="levels go on past 25, one per 120,000 points (Q0.48)")
    topic_bonus_stack: str = one_of(
        "of two roles that fit a roll the better counts, or both (Q0.50)",
        "highest",
        "sum",
        means=("Of two roles that fit a roll the better counts.", "Two roles that fit a roll both count."),
    )

    # Weapons.
    light_half: str = one_of(
        "how the die of a light weapon is halved (Q0.22)",
        "ceil",
        "floor",
        means=("The halved die of a light weapon is rounded up.", "The halved die of a light weapon is rounded down."),
    )
    dual_light_ability: str = one_of(
        "the ability for two light weapons (Q0.25)",
        "dex",
        "str",
        means=("Two light weapons go by DEX.", "Two light weapons go by STR."),
    )

    # Story tokens.
    token_cap: str = one_of(
        "how many tokens a character may gain up to (Q0.35)",
        "level",
        "none",
        means=("A character gains tokens up to the level.", "A character gains any number of tokens."),
    )
    token_session_start: str = one_of(
        "at the start of a session tokens become 2, or rise to 2 if they are fewer (Q0.36)",
        "set2",
        "raise_to_2",
        means=(
            "At the start of a session everybody has 2 tokens.",
            "At the start of a session those with fewer tokens get 2.",
        ),
    )
    token_revives_dead: str = one_of(
        "whether a token still saves a character who died this round (Q0.39)",
        "no",
        "same_round",
        means=("No token saves a character who is dead.", "A token still saves a character who died this round."),
    )
    extra_actions_per_turn: int = setting(1, "extra actions that tokens may buy in one turn (Q0.40)", minimum=0)

    # Heritages.
    vampire_thirst: str = one_of(
        "what a vampire's thirst took comes back by blood alone, or by any healing (Q0.55)",
        "blood_only",
        "any_healing",
        means=(
            "What a vampire's thirst took comes back by blood alone.",
            "What a vampire's thirst took comes back by any healing.",
        ),
    )
    were_ac_forms: str = one_of(
        "in which forms a werebeast is harder to hit: in all, or in hybrid and animal form (Q0.59)",
        "all",
        "hybrid_animal",
        means=(
            "A werebeast is harder to hit in every form.",
            "A werebeast is harder to hit in hybrid and animal form.",
        ),
    )

    # Conditions, rage and magic.
    condition_span: str = one_of(
        "what CON, WIS and INT mean as a stretch of time: the score, or the modifier and at least 1 (Q0.20)",
        "score",
        "modifier",
        means=(
            "CON, WIS and INT as a stretch of time mean the score.",
            "CON, WIS and INT as a stretch of time mean the modifier, and at least 1.",
        ),
    )
    rage_per_day: str = one_of(
        "how often one may rage in a day (Q0.53)",
        "unlimited",
        "once",
        means=("One may rage any number of times in a day.", "One may rage once in a day."),
    )
    cast_target: str = one_of(
        "what a casting must reach, or that it succeeds (Q0.66)",
        "15",
        "auto",
        means=("A casting must reach 15.", "A casting succeeds."),
    )
    casts_per_day: str = one_of(
        "how many spells can be cast in a day: any number, or the level (Q0.66)",
        "unlimited",
        "level",
        means=("Any number of spells can be cast in a day.", "As many spells as the level can be cast in a day."),
    )

    @property
    def by_calendar(self) -> bool:
        """Tell if once per day means once in each day of the calendar (Q0.70)."""
        return self.per_day == clock.CALENDAR

    def half_level(self, level: int) -> int:
        """Half a level, as roles count it (Q0.77)."""
        return max(self.half(level), self.half_level_min)
