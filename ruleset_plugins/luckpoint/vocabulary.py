"""The words that the rules of this game compare."""

from ruleset_plugins import ABILITIES, Character
from ruleset_plugins.kit import fields, vocabulary
from ruleset_plugins.luckpoint import conditions
from ruleset_plugins.luckpoint.abilities import SPECIAL, SPECIALS
from ruleset_plugins.luckpoint.armour import ARMOURS
from ruleset_plugins.luckpoint.checks import TARGETS, TASK
from ruleset_plugins.luckpoint.creation import AS_ENTERED
from ruleset_plugins.luckpoint.encounter import FOES, PARTY, side_of
from ruleset_plugins.luckpoint.skills import SKILLS
from ruleset_plugins.luckpoint.time_passing import HEALING
from ruleset_plugins.luckpoint.weapons import CLASSES


def _tasks(who: Character) -> tuple[str, ...]:
    """The extended tasks that somebody is at."""
    return tuple(fields.text(who.trait_data.get(trait, {}), TASK) for trait in who.traits_of(TASK))


VOCABULARY = vocabulary.of_game(
    uses=(*ARMOURS, *CLASSES, HEALING),
    conditions=(conditions.CRITICAL, conditions.BUSY, conditions.REACTED),
    traits=SPECIALS,
    kinds=(SPECIAL, TASK),
    stats=(*ABILITIES, *SKILLS, *AS_ENTERED),
    ladder=TARGETS,
    more={
        vocabulary.SKILL: vocabulary.Words(known=tuple(SKILLS)),
        vocabulary.SIDE: vocabulary.coined(lambda who: (side_of(who),), (PARTY, FOES)),
        vocabulary.TASK: vocabulary.coined(_tasks),
    },
)
