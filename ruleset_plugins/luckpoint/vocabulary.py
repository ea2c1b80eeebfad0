"""The words that the rules of this game compare."""

from rollbook.kit import fields, vocabulary
from rollbook.plugin import ABILITIES, Character
from rollbook.rulesets.luckpoint import conditions
from rollbook.rulesets.luckpoint.abilities import SPECIAL, SPECIALS
from rollbook.rulesets.luckpoint.armour import ARMOURS
from rollbook.rulesets.luckpoint.checks import TARGETS, TASK
from rollbook.rulesets.luckpoint.creation import AS_ENTERED
from rollbook.rulesets.luckpoint.encounter import FOES, PARTY, side_of
from rollbook.rulesets.luckpoint.skills import SKILLS
from rollbook.rulesets.luckpoint.time_passing import HEALING
from rollbook.rulesets.luckpoint.weapons import CLASSES


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
