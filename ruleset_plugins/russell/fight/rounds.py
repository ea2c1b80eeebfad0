"""A Round passes for somebody, in a fight and outside: fire burns, a stun wears off, wounds bleed (R3.70, R3.92, Q3.13)."""

from rollbook.kit import conditions
from rollbook.plugin import DiceStep, Table
from rollbook.rulesets.russell.delve import fire
from rollbook.rulesets.russell.fight import wounds
from rollbook.rulesets.russell.fight.bleeding import bleed
from rollbook.rulesets.russell.fight.conditions import wear_off
from rollbook.rulesets.russell.fight.turns import another_round_verb, end_free_attacks

ENDING = (
    DiceStep(
        tests={"the d20 of each who bleeds": conditions.BLEEDING}, effects={"the d6 of each who burns": fire.FIRE}
    ),
    wounds.WOUNDING,
    wounds.STUNNING,
)
"""The dice at the end of a Round."""


def pass_round(table: Table, *names: str) -> None:
    """A Round is over for these, and all that goes by Rounds with it; saves come before what else falls (QG.5)."""
    for name in names:
        end_free_attacks(table, name)
        bleed(table, name)
    for name in names:
        fire.burn(table, name)
        wear_off(table, name)


Bleed = another_round_verb(
    "bleed",
    peril=conditions.BLEEDING,
    passes=pass_round,
    in_a_fight="those who bleed save",
    help="Outside a fight: another Round passes for somebody who bleeds.",
    dice=ENDING,
)

Burn = another_round_verb(
    "burn",
    peril=fire.ON_FIRE,
    passes=pass_round,
    in_a_fight="fire burns",
    help="Outside a fight: another Round passes for somebody who burns (R3.70).",
    dice=ENDING,
)
