"""luckpoint: fast d20 rules with luck before and after the roll, initiative by sides, and five tiers of wounds."""

from rollbook.kit import vocabulary
from rollbook.plugin import ABILITIES, Ruleset
from rollbook.rulesets.luckpoint import abilities, arms, checks, creation, encounter, hit_points
from rollbook.rulesets.luckpoint.attack import Attack, Explode
from rollbook.rulesets.luckpoint.board import board
from rollbook.rulesets.luckpoint.checks import Check, GiveAid, Oppose
from rollbook.rulesets.luckpoint.creation import BringIn, Join
from rollbook.rulesets.luckpoint.crossing import CROSSING
from rollbook.rulesets.luckpoint.encounter import BeginEncounter, EndEncounter, EndTurn, GiveWay, JoinEncounter
from rollbook.rulesets.luckpoint.hit_points import Harm, Heal, SetCondition, character_changed, time_passed
from rollbook.rulesets.luckpoint.levels import Choose, experience_awarded
from rollbook.rulesets.luckpoint.luck import SECOND_THOUGHTS
from rollbook.rulesets.luckpoint.movement import Move
from rollbook.rulesets.luckpoint.saves import Hazard, Save
from rollbook.rulesets.luckpoint.settings import Settings
from rollbook.rulesets.luckpoint.sheet import sheet

__all__ = ["RULESET"]

TASKS = (Check, Save, Oppose)
INJURY = (Attack, Explode, Hazard, Harm, Heal, SetCondition, GiveAid)
FIGHT = (BeginEncounter, JoinEncounter, Move, GiveWay, EndTurn, EndEncounter)


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
        vocabulary.TASK: vocabulary.coined(lambda who: (task for task, _ in checks.tasks_of(who))),
    },
)
"""The words that the rules of this game compare."""

RULESET = Ruleset(
    key="luckpoint",
    title="Luck Point",
    version="2",
    summary="Fast d20 rules for any age: six modifiers, skills, luck by the hour, fights by sides, wounds in five tiers.",
    actions=(BringIn, Join, *TASKS, *INJURY, *FIGHT, Choose),
    sheet=sheet,
    settings=Settings,
    second_thoughts=SECOND_THOUGHTS,
    time_passed=time_passed,
    experience_awarded=experience_awarded,
    character_changed=character_changed,
    crossing=CROSSING,
    round_seconds=lambda table: Settings.of(table).round_seconds,
    side=lambda _, who: encounter.side_of(who),
    board=board,
    vocabulary=VOCABULARY,
    overview=("hp", "ac", "xp", "luck", "Wounds", "Conditions"),
)
