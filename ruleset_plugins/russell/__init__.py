"""russell: old-school d20 rules of torches, tired feet and treasure."""

from rollbook.plugin import Ruleset
from rollbook.rulesets.russell import crossing, vocabulary
from rollbook.rulesets.russell.board import board
from rollbook.rulesets.russell.character import creation, experience, skills, templates
from rollbook.rulesets.russell.delve import chase, exploration, fire, lanterns, lighting, meeting, rest, usage_dice
from rollbook.rulesets.russell.fight import attack, bleeding, encounter, hit_points, manoeuvres, movement, rolls
from rollbook.rulesets.russell.fight.criticals import Choose
from rollbook.rulesets.russell.settings import Settings
from rollbook.rulesets.russell.sheet import sheet
from rollbook.rulesets.russell.wealth import downtime, handover, hirelings, treasure

__all__ = ["RULESET"]

TESTS = (skills.Check, rolls.Save)
DEEDS = (attack.Attack, manoeuvres.Stunt, manoeuvres.Defend, manoeuvres.Brace, manoeuvres.Stand, bleeding.Stabilise)
INJURY = (hit_points.Harm, hit_points.Heal, bleeding.Bleed, bleeding.SetCondition)
FIGHT = (
    *(encounter.BeginEncounter, encounter.JoinEncounter, movement.Move, movement.Block),
    *(encounter.EndTurn, encounter.EndEncounter),
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
TREASURE = (treasure.PocketChange, treasure.FindLair, handover.Loot, handover.HandOver, handover.PickUp)
EXPERIENCE = (experience.BringHome, experience.AwardKills, experience.Fulfil)
DOWNTIME = (downtime.TakeDowntime, downtime.LevelUp, templates.OwnTemplate, skills.Learn, skills.Practise)

RULESET = Ruleset(
    key="russell",
    title="Russell House Rules",
    version="2",
    summary="Old-school d20 rules: torches, tired feet, treasure brought home, and two Wounds to the grave.",
    actions=(
        *(creation.Join, *TESTS, *DEEDS, *INJURY, *FIGHT, *EXPLORING, *LIGHT, *FIRE, *TURNS, *MEETING),
        *(*HIRELINGS, *TREASURE, *EXPERIENCE, *DOWNTIME, Choose),
    ),
    sheet=sheet,
    settings=Settings,
    time_passed=rest.time_passed,
    character_changed=hit_points.character_changed,
    crossing=crossing.CROSSING,
    entered_as={"ac": "armour_class"},
    round_seconds=lambda table: Settings.of(table).round_seconds,
    board=board,
    vocabulary=vocabulary.VOCABULARY,
)
