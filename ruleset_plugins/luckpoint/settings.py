"""The house rules of luckpoint: every switch that the rulings leave to a table, with the ruling's number."""

import attrs

from rollbook.kit.settings import RoundedHouseRules, one_of
from rollbook.plugin import setting

SIDE, INDIVIDUAL = "side", "individual"
ROUND_END, OWN_TURN = "round_end", "own_turn"
ABILITY, MANEUVERS_RATING = "ability", "maneuvers"
CAP, NO_LUCK = "cap", "0"
FAILS, TRIES = "fails", "tries"
HALF, NO_DAMAGE = "half", "none"


@attrs.frozen(kw_only=True)
class Settings(RoundedHouseRules):
    """House rules that a campaign may change; the chosen values are recorded in its first entry."""

    # Numbers and time.
    min_damage_on_hit: int = setting(1, "the least damage of a hit (QG.2)", minimum=0)
    round_seconds: int = setting(6, "how long a combat round is, in seconds (QG.13)", minimum=1)

    # Luck.
    luck_start: str = one_of(
        "whether newcomers hold all luck they can, or none (Q1.8)",
        CAP,
        NO_LUCK,
        means=("Newcomers hold all the luck that they can.", "Newcomers begin without luck."),
    )

    # Fighting.
    initiative_mode: str = one_of(
        "whether initiative is rolled for each side, or by everybody (Q1.6)",
        SIDE,
        INDIVIDUAL,
        means=("Each side rolls initiative once.", "Everybody rolls initiative."),
    )
    light_penalty: int = setting(-2, "what a light weapon adds to its die; 0 as for the printed fighter (Q1.3)")
    damage_adder: str = one_of(
        "what heavy melee weapons add: Strength, or all of Maneuvers (Q1.4)",
        ABILITY,
        MANEUVERS_RATING,
        means=("Heavy melee weapons add Strength to damage.", "Heavy melee weapons add all of Maneuvers to damage."),
    )
    explosion_save: int = setting(15, "what a Maneuvers save against an explosion must reach (Q1.20)", minimum=1)
    explosion_on_success: str = one_of(
        "how much a save lets through (Q1.20)",
        HALF,
        NO_DAMAGE,
        means=("A save against an explosion halves the damage.", "A save against an explosion lets no damage through."),
    )

    # Wounds.
    medical_untrained: str = one_of(
        "whether medical aid without points in Medical always fails, or is tried like any hard task (Q1.11)",
        FAILS,
        TRIES,
        means=(
            "Medical aid without points in Medical always fails.",
            "Medical aid without points in Medical is tried like any hard task.",
        ),
    )
    bleed_at: str = one_of(
        "whether critical wounds bleed at the end of the round, or of one's own turn (Q1.12)",
        ROUND_END,
        OWN_TURN,
        means=("Critical wounds bleed at the end of the round.", "Critical wounds bleed at the end of one's own turn."),
    )

    # Characters.
    special_abilities_max: int = setting(1, "how many special abilities may be bought at creation (Q1.23)", minimum=0)
    level_cap: int = setting(10, "the highest level there is, up to 10 (Q1.30)", minimum=1)
