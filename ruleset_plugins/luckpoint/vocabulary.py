"""The words that the rules of this game compare."""

from rollbook.kit import fields, vocabulary
from rollbook.plugin import ABILITIES, Character
from rollbook.rulesets.luckpoint import conditions
from rollbook.rulesets.luckpoint.abilities import SKILLS, SPECIAL, SPECIALS
from rollbook.rulesets.luckpoint.arms import ARMOURS, CLASSES
from rollbook.rulesets.luckpoint.checks import TARGETS, TASK
from rollbook.rulesets.luckpoint.creation import AS_ENTERED
from rollbook.rulesets.luckpoint.encounter import FOES, PARTY, side_of
from rollbook.rulesets.luckpoint.hit_points import HEALING


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
