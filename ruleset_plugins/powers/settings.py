"""The house rules of powers: matters that its rulebook leaves to a table, each with the ruling that settles it."""

import attrs

from rollbook.kit.settings import HouseRules, one_of
from rollbook.plugin import setting

MAIN_AND_FREE, ANY_NUMBER, ONE = "main_and_free", "any_number", "one"
THIS_ROUND, NEXT_ROUND = "this_round", "next_round"


@attrs.frozen(kw_only=True)
class Settings(HouseRules):
    """House rules that a campaign may change; the chosen values are recorded in its first entry."""

    crit_fail_margin: int = setting(11, "how far below the DC a failure is a critical one: 11, or 10 (Q2.1)", minimum=1)
    power_cost: str = one_of(
        "what a turn holds: one main power and any number of free ones, any number of all, or just one (Q2.5)",
        MAIN_AND_FREE,
        ANY_NUMBER,
        ONE,
        means=(
            "A turn holds one main power and any number of free ones.",
            "A turn holds any number of powers.",
            "A turn holds one power.",
        ),
    )
    strike_damage: str = setting(
        "1d6",
        "the dice of a Strike, to which Strength is added (Q2.10)",
        choices=("1d4", "1d6", "1d8", "1d10", "1d12", "2d4", "2d6"),
    )
    attr_dc_base: int = setting(10, "what is added to an attribute to make it a DC (Q2.10)")
    min_damage_on_hit: int = setting(1, "the least damage of a success (QG.2)", minimum=0)
    interrupt_across_rounds: bool = setting(
        default=True, text="who was attacked in the last turn of a round may still interrupt (Q2.8)"
    )
    late_joiner: str = one_of(
        "when latecomers may act (Q2.15)",
        THIS_ROUND,
        NEXT_ROUND,
        means=("Latecomers act in this round.", "Latecomers act from the next round on."),
    )
    round_seconds: int = setting(0, "how long a round is, in seconds; 0 leaves it open (QG.13)", minimum=0)
