"""The house rules of grid: what its five pages leave to a table, each with the ruling that settles it."""

import attrs

from rollbook.kit import settings
from rollbook.plugin import setting

LEVEL_5, LEVEL_1 = "level-5", "level-1"
SKILLED, UNSKILLED = "skilled", "unskilled"
WARN, ERROR, OFF = "warn", "error", "off"
ONE, ONE_TWO_ONE = "1", "1-2-1"
BY_ACTION, HIT_SPOILS, NOTHING_SPOILS = "by-action", "hit-spoils", "nothing-spoils"
CENTER, SQUARE = "center", "square"
FOR_A_DAY, ENCOUNTER = "day", "encounter"


@attrs.frozen(kw_only=True)
class Settings(settings.RoundedHouseRules):
    """What a campaign may play differently; the chosen values are recorded in its first entry."""

    class_table: str = setting(
        LEVEL_5,
        "which numbers the four classes have: those of level 5 or of level 1 (Q4.1)",
        choices=(LEVEL_5, LEVEL_1),
    )
    twf: str = setting(
        SKILLED,
        "what two weapons cost: -4 each and -2 if the second is light, or unskilled -6 and -10, -4 and -8 (Q4.8)",
        choices=(SKILLED, UNSKILLED),
    )
    sneak_dice: int = setting(3, "how many d6 a sneak attack adds (Q4.10)", minimum=0)
    crit_multiplies_sneak: bool = setting(default=False, text="a critical hit rolls the sneak attack again, too (Q4.6)")
    thrown_bonus: int = setting(2, "what dagger, spear and axe add to the attack when they are thrown (Q4.13)")
    enforce_class_gear: str = setting(WARN, "what becomes of gear without training (Q4.14)", choices=(WARN, ERROR, OFF))
    diagonal: str = setting(
        ONE, "what diagonal steps cost: a square each, or one and two by turns (Q4.16)", choices=(ONE, ONE_TWO_ONE)
    )
    mover_engages: bool = setting(
        default=False, text="a character who leaves counts as the opponent that keeps an enemy busy (Q4.17)"
    )
    aoo_effect: str = setting(
        BY_ACTION,
        "what an attack of opportunity spoils: what the action says, every action that is hit, or nothing (Q4.20)",
        choices=(BY_ACTION, HIT_SPOILS, NOTHING_SPOILS),
    )
    flank_geometry: str = setting(
        CENTER,
        "where the line between two flankers runs: through the enemy's centre, or anywhere over the square (Q4.21)",
        choices=(CENTER, SQUARE),
    )
    cast_refresh: str = setting(
        FOR_A_DAY, "when castings come back: every day, or after each encounter (Q4.30)", choices=(FOR_A_DAY, ENCOUNTER)
    )
    buff_duration: str = setting(
        ENCOUNTER,
        "how long a helpful spell lasts: one encounter, or a whole day (Q4.30)",
        choices=(ENCOUNTER, FOR_A_DAY),
    )
    spell_crit: bool = setting(default=True, text="spells that attack are critical on a 20 (Q4.35)")
    min_damage_on_hit: int = setting(1, "the least damage of a hit (QG.2)", minimum=0)
    round_seconds: int = setting(6, "how long a round is, in seconds (QG.13)", minimum=0)
