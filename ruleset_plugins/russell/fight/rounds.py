"""A Round passes for somebody, in a fight and outside: fire burns, a stun wears off, wounds bleed (R3.70, R3.92, Q3.13)."""

from ruleset_plugins import Table
from ruleset_plugins.kit import conditions
from ruleset_plugins.russell.delve import fire
from ruleset_plugins.russell.fight.bleeding import bleed
from ruleset_plugins.russell.fight.conditions import wear_off
from ruleset_plugins.russell.fight.turns import another_round_verb, end_free_attacks


def pass_round(table: Table, name: str) -> None:
    """A Round is over for somebody, and all that goes by Rounds with it."""
    end_free_attacks(table, name)
    fire.burn(table, name)
    wear_off(table, name)
    bleed(table, name)


Bleed = another_round_verb(
    "bleed",
    peril=conditions.BLEEDING,
    passes=pass_round,
    in_a_fight="those who bleed save",
    help="Outside a fight: another Round passes for somebody who bleeds.",
)

Burn = another_round_verb(
    "burn",
    peril=fire.ON_FIRE,
    passes=pass_round,
    in_a_fight="fire burns",
    help="Outside a fight: another Round passes for somebody who burns (R3.70).",
)
