"""People cross into this game and out of it: modifiers, armour, weapons and hit points mean what they meant."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.rules.crossing import Passport
from rollbook.plugin import CharacterKind, events
from rollbook.rulesets.russell import RULESET
from rollbook.rulesets.russell.character.attributes import modifier
from rollbook.rulesets.russell.crossing import CROSSING, score_for
from rollbook.testing.scenarios import rule
from tests.support import arrivals

NEWCOMER = "eve"


arrived, described = partial(arrivals.arrived, RULESET), partial(arrivals.described, RULESET)


@given(
    passport=arrivals.passports(highest_level=0),
    kind=st.sampled_from(CharacterKind),
    experience=st.integers(0, 100_000),
)
def test_what_arrives_is_what_is_described(passport: Passport, kind: CharacterKind, experience: int) -> None:
    found = described(arrived(passport, kind, experience=experience))
    assert {ability: found.modifiers[ability] for ability in passport.modifiers} == passport.modifiers
    assert found.armour == passport.armour
    assert (found.worn, found.shield) == (passport.worn, passport.shield)
    assert found.weapons == passport.weapons
    assert found.is_entered == passport.is_entered
    if passport.is_entered:
        assert found.armour_class == passport.armour_class
    if passport.is_entered or kind is not CharacterKind.PLAYER_CHARACTER:
        assert found.max_hp == passport.max_hp


@rule("R3.2")
@given(amount=st.integers(-12, 20))
def test_every_modifier_has_a_score(amount: int) -> None:
    assert modifier(score_for(amount)) == amount


@rule("R3.84")
def test_armour_goes_over_by_what_it_means_and_descends(dungeon) -> None:
    mail = Passport(max_hp=9, armour="medium", worn="ring mail", shield="buckler", modifiers={"dex": 2})
    assert arrived(mail).sheet(NEWCOMER).amount("ac") == 5 - 1 - 2
    leaving = CROSSING.describe(dungeon().character("aldo"), dungeon().before)
    assert (leaving.armour, leaving.worn, leaving.shield, leaving.armour_class) == ("medium", "chain", "shield", 15)


@rule("R3.96")
def test_a_monsters_numbers_go_over_as_numbers(dungeon) -> None:
    wolf = Passport(max_hp=14, armour_class=13, is_entered=True, attack=4, speed=50)
    sheet = arrived(wolf, CharacterKind.MONSTER).sheet(NEWCOMER)
    expected = {"ac": 6, "max_hp": 14, "hit_dice": 4, "weapon_skill": 4, "movement": 20}
    assert {key: sheet.amount(key) for key in expected} == expected
    ogre = CROSSING.describe(dungeon().character("ogre"), dungeon().before)
    assert (ogre.armour_class, ogre.is_entered, ogre.max_hp, ogre.attack, ogre.speed) == (14, True, 15, 5, 22)


@rule("R3.47")
@pytest.mark.parametrize(("experience", "level"), [(0, 1), (2_000, 2), (36_000, 11)])
def test_the_level_is_that_of_this_games_table(experience: int, level: int) -> None:
    game = arrived(Passport(max_hp=30, level=7), experience=experience)
    assert game.sheet(NEWCOMER).amount("level") == level
    assert len(game.character(NEWCOMER).choices) == min(level, 4)


def test_no_dice_are_rolled_for_hit_points_and_constitution_counts() -> None:
    game = arrived(Passport(max_hp=30, modifiers={"con": 2}), experience=4_000)
    assert game.sheet(NEWCOMER).amount("max_hp") == 3 * 7 // 2 + 3 * 2


def test_a_fights_stance_does_not_cross(dungeon) -> None:
    pressing = dungeon().given(events.ConditionBegan(character="aldo", condition="pressing"))
    assert CROSSING.describe(pressing.character("aldo"), pressing.before).armour_class == 15


def test_conditions_cross_by_what_they_mean(dungeon) -> None:
    down = dungeon().given(
        events.ConditionBegan(character="cora", condition="floored"),
        events.ConditionBegan(character="cora", condition="wearied"),
    )
    assert CROSSING.describe(down.character("cora"), down.before).conditions == ("prone", "weary")


def test_things_have_no_hit_dice() -> None:
    door = arrived(Passport(max_hp=20, armour_class=10, is_entered=True), CharacterKind.THING)
    assert "hit_dice" not in door.character(NEWCOMER).stats
    assert door.sheet(NEWCOMER).amount("max_hp") == 20
