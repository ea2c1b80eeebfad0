"""The cast of the luckpoint tests."""

from __future__ import annotations

from rollbook.domain.actions.time_and_experience import AwardExperience, PassTime
from rollbook.plugin import SecondThought, events, second_thought
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.creation import Join
from rollbook.rulesets.luckpoint.encounter import BeginEncounter
from rollbook.rulesets.luckpoint.hit_points import Harm
from rollbook.rulesets.luckpoint.settings import INDIVIDUAL
from rollbook.testing.scenarios import Scenario, scenario, with_dice

MINUTE, HOUR = 60, 3_600
BEGAN, ENDED, HURT, CHECKED = events.ConditionBegan, events.ConditionEnded, events.DamageTaken, events.CheckResolved
HEALED, ROLLED, SPENT, GAINED = events.HitPointsRestored, events.DiceRolled, events.PoolSpent, events.PoolGained

ADA = Join(
    name="Ada", abilities=("3", "2", "2", "0", "1", "-1"), skills={"maneuvers": 1, "endurance": 1}, weapon="sword"
)
"""Maneuvers +4, Endurance +3 and so 15 hit points, armour class 12, Awareness +1, Cunning -1, initiative +2."""

BEN = Join(
    name="Ben",
    creation="alternate",
    abilities=("0", "1", "1", "3", "2", "-1"),
    skills={"medical": 1, "awareness": 1},
    armour="light",
    weapon="pistol",
)
"""Medical +4, Awareness +3, Maneuvers +1, Endurance +1 and so 5 hit points, armour class 13, initiative +3."""

UNA = Join(name="Una", creation="alternate", abilities=("2", "0", "2", "2", "0", "0"), skills={"lore": 1, "primal": 1})
"""No points in Medical, though Intelligence +2; Endurance +2 and so 10 hit points, armour class 10, initiative 0."""

GOON = Join(name="Goon", kind="monster", abilities=("2", "1", "1", "0", "0", "0"), hp=12, ac=13, weapon="club")
"""Maneuvers +2, armour class 13, 12 hit points, initiative +1."""

THUG = Join(
    name="Thug", kind="monster", abilities=("1", "0", "2", "0", "-1", "0"), hp=8, ac=11, weapon="two-handed axe"
)
"""Maneuvers +1, armour class 11, 8 hit points, initiative 0."""

CAST = (ADA, BEN, UNA, GOON, THUG)
CAST_IDS = ("ada", "ben", "una", "goon", "thug")


def at_table(**house: bool | int | str) -> Scenario:
    """A campaign with all characters in it; house rules as keywords."""
    return scenario(RULESET, **house).given(*CAST)


def in_fight(**house: bool | int | str) -> Scenario:
    """The same in a fight by sides, which the party begins: Ben, Ada and Una, then Goon and Thug."""
    return at_table(**house).given(with_dice(BeginEncounter(participants=CAST_IDS), 15, 8))


def in_rolled_order(**house: bool | int | str) -> Scenario:
    """The same with a roll for each: Goon 19, Ben 17, Thug 14, Ada 12 and Una 9."""
    return at_table(initiative_mode=INDIVIDUAL, **house).given(
        with_dice(BeginEncounter(participants=CAST_IDS), 10, 14, 9, 18, 14)
    )


def with_damage(game: Scenario, name: str, amount: int) -> Scenario:
    """Take so many hit points from a character."""
    return game.given(Harm(who=name, amount=str(amount)))


def luck_point(roll: int = 0, who: str = "", keep: str = "") -> SecondThought:
    """A point of luck, spent after a roll."""
    return second_thought("luck", who, roll=roll, keep=keep)


def hours_pass(many: int) -> PassTime:
    """Hours pass."""
    return PassTime(amount=many, unit="hours")


def award(amount: int, *who: str) -> AwardExperience:
    """Experience for these."""
    return AwardExperience(who=who or ("ada",), amount=amount)
