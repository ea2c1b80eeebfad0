"""The journey: everything between one fight and the next, as verbs, and as lines of the sheet."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset_plugins import Action, Character, Value
from ruleset_plugins.russell.chase import Chase, DropBehind
from ruleset_plugins.russell.exploration import Explore
from ruleset_plugins.russell.fire import ON_FIRE, Burn, SetAlight, Smother
from ruleset_plugins.russell.handing import HandOver, Loot, PickUp
from ruleset_plugins.russell.hirelings import Dismiss, Hire, hireling_values, hireling_words
from ruleset_plugins.russell.hoards import FindLair, PocketChange
from ruleset_plugins.russell.lanterns import Clip, ThrowLantern
from ruleset_plugins.russell.light import light_words
from ruleset_plugins.russell.lighting import Douse, Light, Place, Refill, ShareLight
from ruleset_plugins.russell.load import load_values, load_words
from ruleset_plugins.russell.meeting import REACTION, React, Surprise
from ruleset_plugins.russell.morale import Morale
from ruleset_plugins.russell.movement import movement_values
from ruleset_plugins.russell.ongoing import Ongoing, ongoing_words
from ruleset_plugins.russell.rest import Meal, Rest, Sleep
from ruleset_plugins.russell.settings import Settings
from ruleset_plugins.russell.treasure import wealth_values
from ruleset_plugins.russell.usage_dice import Fill, UseUp, usage_values
from ruleset_plugins.russell.weariness import weariness_values, weariness_words

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


def journey_values(who: Character, settings: Settings) -> Iterator[Value]:
    """The numbers of a journey, for the sheet."""
    yield from movement_values(who, settings)
    yield from load_values(who, settings)
    yield from weariness_values(who)
    yield from usage_values(who)
    yield from hireling_values(who)
    yield from wealth_values(who, settings)


def journey_words(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    """The lines of a journey that are not numbers, for the sheet."""
    yield from load_words(who, settings)
    yield from weariness_words(who)
    yield from light_words(who)
    yield from ongoing_words(who)
    yield from hireling_words(who)
    if who.traits_of(REACTION):
        yield "Reaction", who.traits_of(REACTION)[-1]
    if who.has(ON_FIRE):
        yield "Burns", "1d6 at the end of every Round, until a 1 or somebody puts it out (R3.70)"
