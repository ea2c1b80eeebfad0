"""luckpoint: quick d20 rules without scores, with skills, luck points and five tiers of wounds.

An ability is its modifier, a skill is the best of its abilities and the points put into it, and a luck point helps before a
roll or after it. Sides take turns, explosions are dodged, and whoever is down bleeds until somebody who has learned it helps.
"""

from __future__ import annotations

from ruleset_plugins import Ruleset
from ruleset_plugins.luckpoint.checks import Check
from ruleset_plugins.luckpoint.choices import Choose
from ruleset_plugins.luckpoint.combat import Attack
from ruleset_plugins.luckpoint.contests import Oppose
from ruleset_plugins.luckpoint.creation import Join
from ruleset_plugins.luckpoint.crossing import CROSSING
from ruleset_plugins.luckpoint.explosions import Explode
from ruleset_plugins.luckpoint.harm import GiveAid, Harm, Heal
from ruleset_plugins.luckpoint.initiative import BeginEncounter, EndEncounter, EndTurn, GiveWay, JoinEncounter
from ruleset_plugins.luckpoint.levels import experience_awarded
from ruleset_plugins.luckpoint.luck import SECOND_THOUGHTS
from ruleset_plugins.luckpoint.moving import Move
from ruleset_plugins.luckpoint.passing_time import time_passed
from ruleset_plugins.luckpoint.published import BringIn
from ruleset_plugins.luckpoint.saves import Hazard, Save
from ruleset_plugins.luckpoint.settings import Settings
from ruleset_plugins.luckpoint.sheet import sheet
from ruleset_plugins.luckpoint.wounds import after_change

RULESET = Ruleset(
    key="luckpoint",
    title="Luck Point",
    version="1",
    summary="Quick d20 rules without scores: skills, luck before and after the roll, and five tiers of wounds.",
    actions=(
        BringIn,
        Join,
        Check,
        Save,
        Oppose,
        Attack,
        Explode,
        GiveAid,
        Harm,
        Heal,
        Hazard,
        BeginEncounter,
        JoinEncounter,
        Move,
        EndTurn,
        GiveWay,
        EndEncounter,
        Choose,
    ),
    sheet=sheet,
    settings=Settings,
    second_thoughts=SECOND_THOUGHTS,
    time_passed=time_passed,
    experience_awarded=experience_awarded,
    character_changed=after_change,
    crossing=CROSSING,
)

__all__ = ["RULESET"]
