"""powers: one d20, four levels of success, and turns that are handed on; everything else is a power, and powers are data."""

from rollbook.kit import vocabulary
from rollbook.plugin import ABILITIES, Ruleset
from rollbook.rulesets.powers.attack import Attack, UsePower
from rollbook.rulesets.powers.checks import LADDER, SECOND_THOUGHTS, Check
from rollbook.rulesets.powers.creation import Join
from rollbook.rulesets.powers.crossing import CROSSING
from rollbook.rulesets.powers.define_power import DefinePower
from rollbook.rulesets.powers.encounter import BeginEncounter, EndEncounter, EndTurn, Interrupt, JoinEncounter
from rollbook.rulesets.powers.hit_points import DEFEATED, Harm, Heal, SetCondition, character_changed
from rollbook.rulesets.powers.powers import POWER, POWERS
from rollbook.rulesets.powers.settings import Settings
from rollbook.rulesets.powers.sheet import board, sheet
from rollbook.rulesets.powers.stats import DEFENSE, INITIATIVE, MAX_HP

__all__ = ["RULESET"]

FIGHT = (BeginEncounter, JoinEncounter, EndTurn, Interrupt, EndEncounter)

VOCABULARY = vocabulary.of_game(
    uses=("light", "medium", "heavy", "ranged"),
    conditions=(DEFEATED,),
    damages=[tag for power in POWERS.values() for tag in power.tags],
    traits=POWERS,
    kinds=(POWER,),
    stats=(*ABILITIES, DEFENSE, INITIATIVE, MAX_HP),
    ladder=LADDER,
    more={vocabulary.POWER: vocabulary.Words(known=tuple(POWERS))},
)
"""The words that the rules of this game compare; most of its words are the table's own."""

RULESET = Ruleset(
    key="powers",
    title="Powers",
    version="2",
    summary="Four levels of success, stats of your own naming, powers as data, and turns that are picked and interrupted.",
    actions=(Join, DefinePower, Check, Attack, UsePower, Harm, Heal, SetCondition, *FIGHT),
    sheet=sheet,
    settings=Settings,
    second_thoughts=SECOND_THOUGHTS,
    character_changed=character_changed,
    crossing=CROSSING,
    entered_as={"ac": DEFENSE},
    round_seconds=lambda table: Settings.of(table).round_seconds,
    board=board,
    vocabulary=VOCABULARY,
    overview=("hp", "ac", "xp", "rerolls", "Status", "Conditions"),
)
