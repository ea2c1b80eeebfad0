"""russell: old-school d20 rules of torches, tired feet and treasure."""

from __future__ import annotations

from ruleset_plugins import Action, Ruleset
from ruleset_plugins.russell.character.creation import Join
from ruleset_plugins.russell.character.experience import AwardKills, BringHome
from ruleset_plugins.russell.character.levels import LevelUp
from ruleset_plugins.russell.character.skills import Check, Learn
from ruleset_plugins.russell.choices import Choose, OwnTemplate
from ruleset_plugins.russell.crossing import CROSSING
from ruleset_plugins.russell.delve.chase import Chase, DropBehind
from ruleset_plugins.russell.delve.exploration import Explore, Ongoing
from ruleset_plugins.russell.delve.fire import Burn, Clip, SetAlight, Smother, ThrowLantern
from ruleset_plugins.russell.delve.lighting import Douse, Light, Place, Refill, ShareLight
from ruleset_plugins.russell.delve.meeting import React, Surprise
from ruleset_plugins.russell.delve.rest import Meal, Rest, Sleep, time_passed
from ruleset_plugins.russell.delve.usage_dice import Fill, UseUp
from ruleset_plugins.russell.fight.attack import Attack
from ruleset_plugins.russell.fight.conditions import Bleed, SetCondition, Stabilise
from ruleset_plugins.russell.fight.encounter import BeginEncounter, EndEncounter, EndTurn, JoinEncounter
from ruleset_plugins.russell.fight.hit_points import Harm, Heal, character_changed
from ruleset_plugins.russell.fight.manoeuvres import Brace, Defend, Stand, Stunt
from ruleset_plugins.russell.fight.morale import Morale
from ruleset_plugins.russell.fight.movement import Move
from ruleset_plugins.russell.fight.saves import Save
from ruleset_plugins.russell.settings import Settings
from ruleset_plugins.russell.sheet import sheet
from ruleset_plugins.russell.wealth.downtime import Practise, TakeDowntime
from ruleset_plugins.russell.wealth.handover import HandOver, Loot, PickUp
from ruleset_plugins.russell.wealth.hirelings import Dismiss, Hire
from ruleset_plugins.russell.wealth.treasure import FindLair, PocketChange

__all__ = ["RULESET"]


JOURNEY: tuple[type[Action], ...] = (
    Place,
    Explore,
    Light,
    Douse,
    ShareLight,
    Refill,
    Clip,
    ThrowLantern,
    SetAlight,
    Smother,
    Burn,
    Ongoing,
    Rest,
    Meal,
    Sleep,
    UseUp,
    Fill,
    Surprise,
    React,
    Morale,
    Chase,
    DropBehind,
    Hire,
    Dismiss,
    PocketChange,
    FindLair,
    Loot,
    HandOver,
    PickUp,
)
"""The verbs of the journey, in the order in which help lists them."""


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
    round_seconds=lambda table: Settings.of(table).round_seconds,
)
