"""luckpoint: fast d20 rules with luck before and after the roll, initiative by sides, and five tiers of wounds."""

from ruleset_plugins import Ruleset
from ruleset_plugins.luckpoint.attack import Attack, Explode
from ruleset_plugins.luckpoint.board import board
from ruleset_plugins.luckpoint.checks import Check, Oppose
from ruleset_plugins.luckpoint.choices import Choose
from ruleset_plugins.luckpoint.creation import BringIn, Join
from ruleset_plugins.luckpoint.crossing import CROSSING
from ruleset_plugins.luckpoint.encounter import BeginEncounter, EndEncounter, EndTurn, GiveWay, JoinEncounter
from ruleset_plugins.luckpoint.hit_points import Harm, Heal, character_changed
from ruleset_plugins.luckpoint.levels import experience_awarded
from ruleset_plugins.luckpoint.luck import SECOND_THOUGHTS
from ruleset_plugins.luckpoint.medical_aid import GiveAid
from ruleset_plugins.luckpoint.movement import Move
from ruleset_plugins.luckpoint.saves import Hazard, Save
from ruleset_plugins.luckpoint.settings import Settings
from ruleset_plugins.luckpoint.sheet import sheet
from ruleset_plugins.luckpoint.time_passing import time_passed
from ruleset_plugins.luckpoint.vocabulary import VOCABULARY

__all__ = ["RULESET"]

TASKS = (Check, Save, Oppose)
INJURY = (Attack, Explode, Hazard, Harm, Heal, GiveAid)
FIGHT = (BeginEncounter, JoinEncounter, Move, GiveWay, EndTurn, EndEncounter)

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
    board=board,
    vocabulary=VOCABULARY,
    overview=("hp", "ac", "xp", "luck", "Wounds", "Conditions"),
)
