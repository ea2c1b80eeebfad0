"""russell: old-school d20 rules of torches, tired feet and treasure."""

from __future__ import annotations

from ruleset_plugins import Ruleset
from ruleset_plugins.russell.awards import AwardKills, BringHome
from ruleset_plugins.russell.bleeding import Bleed, Stabilise
from ruleset_plugins.russell.choices import Choose
from ruleset_plugins.russell.combat import Attack
from ruleset_plugins.russell.creation import Join
from ruleset_plugins.russell.crossing import CROSSING
from ruleset_plugins.russell.downtime import Practise, TakeDowntime
from ruleset_plugins.russell.harm import Harm, Heal, Save
from ruleset_plugins.russell.injury import character_changed
from ruleset_plugins.russell.journey import JOURNEY
from ruleset_plugins.russell.levels import LevelUp
from ruleset_plugins.russell.manoeuvres import Brace, Defend, Stand, Stunt
from ruleset_plugins.russell.moving import Move
from ruleset_plugins.russell.own_templates import OwnTemplate
from ruleset_plugins.russell.passing_time import time_passed
from ruleset_plugins.russell.rounds import BeginEncounter, EndEncounter, EndTurn, JoinEncounter
from ruleset_plugins.russell.settings import Settings
from ruleset_plugins.russell.sheet import sheet
from ruleset_plugins.russell.skills import Check, Learn
from ruleset_plugins.russell.states import SetCondition

RULESET = Ruleset(
    key="russell",
    title="Russell House Rules",
    version="1",
    summary="Old-school d20 rules: torches, tired feet, treasure brought home, and two Wounds to the grave.",
    actions=(
        Join,
        Check,
        Save,
        Attack,
        Stunt,
        Defend,
        Brace,
        Stand,
        Stabilise,
        Harm,
        Heal,
        Bleed,
        SetCondition,
        BeginEncounter,
        JoinEncounter,
        Move,
        EndTurn,
        EndEncounter,
        *JOURNEY,
        BringHome,
        AwardKills,
        TakeDowntime,
        LevelUp,
        OwnTemplate,
        Learn,
        Practise,
        Choose,
    ),
    sheet=sheet,
    settings=Settings,
    time_passed=time_passed,
    character_changed=character_changed,
    crossing=CROSSING,
)

__all__ = ["RULESET"]
