"""russell: old-school d20 rules of torches, tired feet and treasure."""

from rollbook.kit import counters, verbs, vocabulary
from rollbook.plugin import Character, Ruleset
from rollbook.rulesets.russell.board import board
from rollbook.rulesets.russell.character import attributes, creation, experience, skills, stat_line, templates
from rollbook.rulesets.russell.crossing import CROSSING
from rollbook.rulesets.russell.delve import (
    chase,
    encumbrance,
    exploration,
    fire,
    lanterns,
    light,
    lighting,
    meeting,
    rest,
    usage_dice,
)
from rollbook.rulesets.russell.fight import (
    arms,
    attack,
    bleeding,
    encounter,
    hit_points,
    manoeuvres,
    movement,
    rolls,
    wounds,
)
from rollbook.rulesets.russell.fight.criticals import Choose
from rollbook.rulesets.russell.gear import BY_KEY, GEM, TREASURE, USAGE
from rollbook.rulesets.russell.settings import Settings
from rollbook.rulesets.russell.sheet import sheet
from rollbook.rulesets.russell.wealth import downtime, handover, hirelings, treasure
from rollbook.rulesets.russell.words_of_conditions import condition_words

__all__ = ["RULESET"]

TESTS = (skills.Check, rolls.Save)
DEEDS = (attack.Attack, manoeuvres.Stunt, manoeuvres.Defend, manoeuvres.Brace, manoeuvres.Stand, bleeding.Stabilise)
INJURY = (hit_points.Harm, hit_points.Heal, bleeding.Bleed, bleeding.SetCondition)
FIGHT = (
    *(encounter.BeginEncounter, encounter.JoinEncounter, movement.Move, movement.Block),
    *(encounter.EndTurn, verbs.ReorderAction, encounter.EndEncounter),
)
EXPLORING = (lighting.Place, exploration.Explore)
LIGHT = (
    *(lighting.Light, lighting.Douse, lighting.ShareLight, lanterns.Refill, lanterns.Clip),
    *(lanterns.ThrowLantern, lighting.Hold),
)
FIRE = (lighting.SetAlight, fire.Smother, bleeding.Burn)
TURNS = (exploration.Ongoing, rest.Rest, rest.Meal, rest.Sleep, usage_dice.UseUp, usage_dice.Fill)
MEETING = (meeting.Surprise, meeting.React, meeting.Morale, chase.Chase, chase.RandomTurn, chase.DropBehind)
HIRELINGS = (hirelings.Hire, hirelings.Dismiss)
WEALTH = (treasure.PocketChange, treasure.FindLair, handover.Loot, handover.HandOver, handover.PickUp)
EXPERIENCE = (experience.BringHome, experience.AwardKills, experience.Fulfil)
DOWNTIME = (downtime.TakeDowntime, downtime.LevelUp, templates.OwnTemplate, skills.Learn, skills.Practise)


def _skills(who: Character) -> tuple[str, ...]:
    return (*who.traits_of(skills.SKILL), *(name for name, _ in counters.counted(who.stats, skills.RANK)))


def _use_fault(words: tuple[str, ...]) -> str:
    """A usage die is a die: a number alone is none (R3.42)."""
    if words[:1] == (USAGE,) and not any("d" in word for word in words[1:]):
        number = next((word for word in words[1:] if word.isdecimal()), "8")
        return f"No rule reads the use {':'.join(words)!r}, because a usage die has a d: {USAGE}:d{number}."
    return ""


VOCABULARY = vocabulary.of_game(
    uses=(TREASURE, USAGE, GEM, *BY_KEY, *arms.KINDS, *arms.ARMOURS),
    conditions=(
        *(wounds.FLOORED, wounds.SCREENED, wounds.WOUNDED, encumbrance.WEARIED, fire.ON_FIRE),
        *(light.DIM, light.DARK, light.APART, light.STEADY, light.PANICKING, chase.STOPPED),
        *(arms.PRESSING, arms.DEFENDING, "hidden"),
    ),
    damages=("unarmed",),
    traits=(light.DIM_SIGHT, light.DARK_SIGHT, *templates.CLASSES),
    kinds=(
        *(light.DIM_SIGHT, light.DARK_SIGHT, skills.SKILL, encounter.GROUP, experience.QUEST, chase.WANTS),
        *(templates.TEMPLATE, templates.PRIMARY, templates.CLASS, meeting.REACTION),
        *(hirelings.HIRELING, *hirelings.OF_A_PERSON, meeting.EMPLOYER),
    ),
    stats=(
        *(*attributes.ATTRIBUTES, *stat_line.PRINTED, *stat_line.SAVE_OF.values(), stat_line.HIT_DICE_MORE),
        *(arms.DAMAGE, meeting.SURPRISE, light.SEES_IN_DARK),
    ),
    use_fault=_use_fault,
    more={
        vocabulary.SKILL: vocabulary.coined(_skills, tuple(skills.KNOWN)),
        vocabulary.RANGE: vocabulary.Words(at_hand=lambda campaign: Settings.of(campaign).ranges),
        vocabulary.GROUP: vocabulary.coined(lambda who: who.traits_of(encounter.GROUP)),
        vocabulary.QUEST: vocabulary.coined(lambda who: who.traits_of(experience.QUEST)),
        "effect": vocabulary.Words(known=tuple(templates.EFFECTS)),
        "ongoing": vocabulary.Words(
            bears=lambda who: (name for name, _ in counters.counted(who.pools, exploration.ONGOING)),
            at_hand=lambda campaign: (name for name, _ in counters.counted(campaign.pools, exploration.ONGOING)),
            unknown=vocabulary.Unknown.COINED,
        ),
    },
)
"""The words that the rules of this game compare."""

RULESET = Ruleset(
    key="russell",
    title="Russell House Rules",
    version="2",
    summary="Old-school d20 rules: torches, tired feet, treasure brought home, and two Wounds to the grave.",
    actions=(
        *(creation.Join, *TESTS, *DEEDS, *INJURY, *FIGHT, *EXPLORING, *LIGHT, *FIRE, *TURNS, *MEETING),
        *(*HIRELINGS, *WEALTH, *EXPERIENCE, *DOWNTIME, Choose),
    ),
    sheet=sheet,
    settings=Settings,
    time_passed=rest.time_passed,
    character_changed=hit_points.character_changed,
    crossing=CROSSING,
    entered_as={"ac": "armour_class"},
    round_seconds=lambda table: Settings.of(table).round_seconds,
    board=board,
    vocabulary=VOCABULARY,
    condition_words=condition_words,
)
