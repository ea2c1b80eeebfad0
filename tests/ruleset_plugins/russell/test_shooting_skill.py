"""Shooting Skill: 1 to begin with, raised by templates alone, and added to what is shot, thrown or tried from afar (R3.24)."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.character.templates import OwnTemplate
from rollbook.rulesets.russell.delve.lanterns import ThrowLantern
from rollbook.rulesets.russell.delve.lighting import Light
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.encounter import BeginEncounter
from rollbook.rulesets.russell.fight.manoeuvres import Stunt
from rollbook.rulesets.russell.wealth.downtime import LevelUp, TakeDowntime
from rollbook.testing.scenarios import like, rule, with_dice

ROLLED = events.DiceRolled
ARCHER = Join(name="Eve", scores=("10",) * 6, level=4, hit_dice=("6",) * 4, templates=("delver",) * 4, weapon="light")
"""Weapon Skill 3, Shooting Skill 3."""


@pytest.fixture
def fight(nobody):
    """Eve and an ogre, so many bands apart."""

    def begin(band: str, *gear: str):
        things = [events.GearGained(character="eve", item=item, count=1) for item in gear]
        bow = events.GearGained(character="eve", item="bow", count=1, use=("weapon", "ranged"))
        ogre = Join(name="Ogre", kind="monster", profile="HD 4 AC 5", hp=15)
        lit = [Light(who="eve", item=item) for item in gear if item == "lantern"]
        begun = with_dice(BeginEncounter(participants=("eve", "ogre"), range=band), 6, 1)
        return nobody().given(ARCHER, ogre, bow, *things, *lit, begun)

    return begin


@rule("R3.24")
def test_it_does_not_rise_with_levels_however_they_are_gained(nobody) -> None:
    eve = Join(name="Eve", scores=("10",) * 6, hit_dice=("6",))
    scene = nobody().given(eve, events.ExperienceAwarded(character="eve", amount=20_000))
    assert scene.sheet("eve").amount("shooting_skill") == 1
    for _ in range(4):
        scene = scene.given(TakeDowntime(who=("eve",)), with_dice(LevelUp(who="eve"), 4))
    assert scene.character("eve").level == 5
    assert (scene.sheet("eve").amount("weapon_skill"), scene.sheet("eve").amount("shooting_skill")) == (3, 1)


@rule("R3.24", "Q3.47")
def test_templates_raise_it_also_those_of_the_tables_own(nobody) -> None:
    eve = Join(name="Eve", scores=("10",) * 6, hit_dice=("6",))
    ranger = OwnTemplate(who="eve", name="ranger", effects={"ss": 2})
    terms = nobody().given(eve, ranger).sheet("eve").value("shooting_skill").terms
    assert [term.amount for term in terms] == [1, 2]


@rule("R3.24", "R3.80")
@pytest.mark.parametrize(
    ("band", "weapon", "skill"),
    [
        ("engaged", "light weapon", "Weapon Skill"),
        ("close", "light weapon", "Shooting Skill"),
        ("medium", "bow", "Shooting Skill"),
    ],
)
def test_it_is_added_to_what_is_shot_or_thrown_and_to_nothing_hand_to_hand(fight, band, weapon, skill) -> None:
    played = fight(band).when(Attack(attacker="eve", target="ogre", weapon=weapon)).rolling(2)
    played.then(like(ROLLED, expression=f"1d20 + 3[{skill}] + 5[armour class]"))


@rule("R3.24", "R3.70")
def test_it_is_added_to_a_thrown_lantern(fight) -> None:
    played = fight("close", "lantern", "oil").when(ThrowLantern(who="eve", item="lantern", target="ogre")).rolling(2)
    played.then(like(ROLLED, expression="1d20 + 3[Shooting Skill] + 5[armour class]"))


@rule("R3.24", "R3.82")
def test_a_stunt_from_afar_is_a_shot_and_one_within_reach_a_blow(fight) -> None:
    afar = fight("close").when(Stunt(who="eve", target="ogre", from_afar=True)).rolling(2)
    afar.then(like(ROLLED, expression="1d20 + 3[Shooting Skill]"))
    near = fight("engaged").when(Stunt(who="eve", target="ogre", from_afar=True)).rolling(2)
    near.then(like(ROLLED, expression="1d20 + 3[Weapon Skill]"))


@rule("R3.24")
def test_the_sheet_says_what_a_weapon_is_thrown_with(nobody) -> None:
    def of(weapon: str):
        ann = Join(name="Ann", scores=("10",) * 6, level=9, hit_dice=("6",) * 9, weapon=weapon)
        return nobody().given(ann).sheet("ann")

    assert (of("light").amount("to_hit"), of("light").amount("thrown")) == (5, 1)
    for weapon in ("melee", "ranged"):
        assert "thrown" not in [value.key for value in of(weapon).values]
