"""The house rules of grid: matters that its five pages leave to a table, each with the ruling that settles it."""

import attrs

from rollbook.kit.settings import RoundedHouseRules, one_of
from rollbook.plugin import setting

LEVEL_5, LEVEL_1 = "level-5", "level-1"
SKILLED, UNSKILLED = "skilled", "unskilled"
WARN, ERROR, OFF = "warn", "error", "off"
ONE, ONE_TWO_ONE = "1", "1-2-1"
BY_ACTION, HIT_SPOILS, NOTHING_SPOILS = "by-action", "hit-spoils", "nothing-spoils"
CENTER, SQUARE = "center", "square"
FOR_A_DAY, ENCOUNTER = "day", "encounter"


@attrs.frozen(kw_only=True)
class Settings(RoundedHouseRules):
    """House rules that a campaign may change; the chosen values are recorded in its first entry."""

    class_table: str = one_of(
        "which numbers the four classes have: those of level 5 or of level 1 (Q4.1)",
        LEVEL_5,
        LEVEL_1,
        means=("The four classes have the numbers of level 5.", "The four classes have the numbers of level 1."),
    )
    twf: str = one_of(
        "what two weapons cost: -4 each and -2 if the second is light, or unskilled -6 and -10, -4 and -8 (Q4.8)",
        SKILLED,
        UNSKILLED,
        means=(
            "Two weapons cost 4 on each attack, or 2 if the second is light.",
            "Two weapons cost 6 and 10, or 4 and 8 if the second is light.",
        ),
    )
    sneak_dice: int = setting(3, "how many d6 a sneak attack adds (Q4.10)", minimum=0)
    crit_multiplies_sneak: bool = setting(default=False, text="a critical hit rolls the sneak attack again, too (Q4.6)")
    thrown_bonus: int = setting(2, "what dagger, spear and axe add to the attack when they are thrown (Q4.13)")
    enforce_class_gear: str = one_of(
        "what becomes of gear without training (Q4.14)",
        WARN,
        ERROR,
        OFF,
        means=(
            "Gear without training is taken, with a warning.",
            "Gear without training is refused.",
            "Gear without training is taken without a word.",
        ),
    )
    diagonal: str = one_of(
        "what diagonal steps cost: a square each, or one and two by turns (Q4.16)",
        ONE,
        ONE_TWO_ONE,
        means=("A diagonal step costs one square.", "Diagonal steps cost one and two squares by turns."),
    )
    mover_engages: bool = setting(
        default=False, text="a character who leaves counts as the opponent that keeps an enemy busy (Q4.17)"
    )
    aoo_effect: str = one_of(
        "what an attack of opportunity spoils: what the action says, every action that is hit, or nothing (Q4.20)",
        BY_ACTION,
        HIT_SPOILS,
        NOTHING_SPOILS,
        means=(
            "An attack of opportunity that hits spoils the action where the action says so.",
            "An attack of opportunity that hits spoils every action.",
            "An attack of opportunity spoils nothing.",
        ),
    )
    flank_geometry: str = one_of(
        "where the line between two flankers runs: through the enemy's centre, or anywhere over the square (Q4.21)",
        CENTER,
        SQUARE,
        means=(
            "The line between two flankers runs through the enemy's centre.",
            "The line between two flankers runs anywhere over the enemy's square.",
        ),
    )
    cast_refresh: str = one_of(
        "when castings come back: every day, or after each encounter (Q4.30)",
        FOR_A_DAY,
        ENCOUNTER,
        means=("Castings come back every day.", "Castings come back after each encounter."),
    )
    buff_duration: str = one_of(
        "how long a helpful spell lasts: one encounter, or a whole day (Q4.30)",
        ENCOUNTER,
        FOR_A_DAY,
        means=("A helpful spell lasts for one encounter.", "A helpful spell lasts for a whole day."),
    )
    spell_crit: bool = setting(default=True, text="spells that attack are critical on a 20 (Q4.35)")
    min_damage_on_hit: int = setting(1, "the least damage of a hit (QG.2)", minimum=0)
    round_seconds: int = setting(6, "how long a round is, in seconds (QG.13)", minimum=0)
