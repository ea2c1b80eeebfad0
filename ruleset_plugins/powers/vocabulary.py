"""The words that the rules of this game compare; most of its words are the table's own."""

from ruleset_plugins import ABILITIES
from ruleset_plugins.kit import vocabulary
from ruleset_plugins.powers.checks import LADDER
from ruleset_plugins.powers.conditions import DEFEATED
from ruleset_plugins.powers.powers import POWER, POWERS
from ruleset_plugins.powers.stats import DEFENSE, INITIATIVE, MAX_HP

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
