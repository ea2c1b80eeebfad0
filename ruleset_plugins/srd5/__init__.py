"""srd5: fifth edition, by its open SRD 5.2.1 or, in what differs in a fight, SRD 5.1.

Modules without verbs are imported to register effects and what follows from others, which are asked in the order of imports.
"""

from pkgutil import get_data

from rollbook.kit import sides, verbs, vocabulary
from rollbook.plugin import ABILITIES, Ruleset
from rollbook.rulesets.srd5 import catalogue, words_of
from rollbook.rulesets.srd5.board import board
from rollbook.rulesets.srd5.character import abilities, classes, joining
from rollbook.rulesets.srd5.crossing import CROSSING
from rollbook.rulesets.srd5.effects import creatures, fates, laying, rolls  # noqa: F401
from rollbook.rulesets.srd5.fight import (  # noqa: F401
    actions,
    armour,
    attack,
    attack_edges,
    damage,
    donning,
    durations,
    dying,
    encounter,
    grapple,
    hit_points,
    masteries,
    mounts,
    movement,
    places,
    reactions,
    states,
    turns,
    weapons,
)
from rollbook.rulesets.srd5.growth import (  # noqa: F401
    blows,
    heroes,
    levels,
    purse,
    rests,
    special_rules,
    trade,
    turning_points,
    using,
)
from rollbook.rulesets.srd5.magic import casting, concentration, features_and_things, ongoing, spells  # noqa: F401
from rollbook.rulesets.srd5.monsters import act, traits, uses
from rollbook.rulesets.srd5.planned_moves import SQUARES
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.sheet import KINDS, sheet
from rollbook.rulesets.srd5.tasks import checks, d20_tests, saves
from rollbook.rulesets.srd5.time import journeys, perils, surroundings
from rollbook.rulesets.srd5.words_of_conditions import CONDITIONS, condition_words

__all__ = ["RULESET"]

EQUIPMENT_KEYS = tuple(catalogue.equipment())
"""Keys of all that can be bought, by which a use says what a thing is."""

VOCABULARY = vocabulary.of_game(
    uses=("+1", "+2", "+3", donning.CARRIED, weapons.ENTERED, *EQUIPMENT_KEYS),
    conditions=CONDITIONS,
    damages=damage.TYPES,
    traits=(
        *(attack.CRITICAL_HITS, actions.FRIENDLY, actions.INDIFFERENT, actions.HOSTILE),
        *(*classes.CLASSES, *abilities.SKILLS, *damage.TYPES, *places.SIZES),
    ),
    kinds=tuple(KINDS),
    stats=(
        *(*ABILITIES, *(abilities.stat_of(key) for key in abilities.SKILLS)),
        *(f"save_{ability}" for ability in ABILITIES),
        *("ac_bonus", "proficiency", "to_hit", "damage", "speed", damage.THRESHOLD),
        *(encounter.INITIATIVE, hit_points.DICE_TOTAL, hit_points.REDUCED, armour.ARMOUR_CLASS, hit_points.MAX_HP),
        *(*map(classes.levels_stat, classes.CLASSES), spells.DC, spells.ATTACK),
    ),
    ladder=checks.LADDER,
    more=words_of.MORE,
)
"""The words that the rules of this game compare."""

RULESET = Ruleset(
    key="srd5",
    title="fifth edition (SRD 5.2.1)",
    version="1",
    summary="Compatible with fifth edition: the open rules of 2024 or of 2014, with their spells, monsters and classes.",
    notice=(get_data(__name__, "data/notice.txt") or b"").decode(),
    actions=(
        *verbs.defined_in(
            *(joining, checks, saves, d20_tests),
            *(attack, reactions, grapple, actions, mounts, weapons, donning, damage, hit_points, dying),
            *(movement, places, sides, encounter),
            *(casting, ongoing, concentration, act, uses, perils, journeys, surroundings),
            *(heroes, levels, using, rests, purse, trade),
        ),
        verbs.ReorderAction,
    ),
    sheet=sheet,
    settings=Settings,
    second_thoughts={
        d20_tests.INSPIRATION: "heroic inspiration rolls a d20 again, and the new roll counts",
        **turning_points.SECOND_THOUGHTS,
        traits.RESISTANCE: "legendary resistance makes a failed save",
    },
    time_passed=encounter.time_passed,
    character_changed=hit_points.character_changed,
    crossing=CROSSING,
    entered_as={
        "ac": "ac_bonus",
        "passive_perception": "perception",
        **{f"save:{ability}": f"save_{ability}" for ability in ABILITIES},
    },
    round_seconds=lambda _: durations.ROUND,
    side=lambda _, who: sides.side_of(who),
    board=board,
    squares=SQUARES,
    vocabulary=VOCABULARY,
    condition_words=condition_words,
)
