"""The words that the rules of this game compare."""

from rollbook.kit import fields, vocabulary
from rollbook.plugin import ABILITIES, Character
from rollbook.rulesets.luckpoint import abilities, arms, checks, creation, encounter, hit_points


def _tasks(who: Character) -> tuple[str, ...]:
    return tuple(fields.text(who.trait_data.get(trait, {}), checks.TASK) for trait in who.traits_of(checks.TASK))


VOCABULARY = vocabulary.of_game(
    uses=(*arms.ARMOURS, *arms.CLASSES, hit_points.HEALING),
    conditions=(hit_points.CRITICAL, encounter.BUSY, encounter.REACTED),
    traits=abilities.SPECIALS,
    kinds=(abilities.SPECIAL, checks.TASK),
    stats=(*ABILITIES, *abilities.SKILLS, *creation.AS_ENTERED),
    ladder=checks.TARGETS,
    more={
        vocabulary.SKILL: vocabulary.Words(known=tuple(abilities.SKILLS)),
        vocabulary.SIDE: vocabulary.coined(lambda who: (encounter.side_of(who),), (encounter.PARTY, encounter.FOES)),
        vocabulary.TASK: vocabulary.coined(_tasks),
    },
)
