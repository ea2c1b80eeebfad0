"""The words that the rules of this game compare; most of its words are the table's own."""

from rollbook.kit import vocabulary
from rollbook.plugin import ABILITIES
from rollbook.rulesets.powers.checks import LADDER
from rollbook.rulesets.powers.conditions import DEFEATED
from rollbook.rulesets.powers.powers import POWER, POWERS
from rollbook.rulesets.powers.stats import DEFENSE, INITIATIVE, MAX_HP

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
