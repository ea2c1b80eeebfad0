"""People cross into this game and out of it: modifiers, armour, weapons and hit points mean what they meant."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.domain.rules.crossing import ABILITIES, MEANINGS
from rollbook.kit import conditions
from rollbook.plugin import CharacterKind, Passport, events
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.crossing import CROSSING, LOCALLY
from rollbook.rulesets.luckpoint.levels import Choose
from rollbook.testing.scenarios import rule
from tests.support import arrivals
from tests.support.luckpoint import HOUR, at_table, with_damage

NEWCOMER = "eve"
STRANGER = Passport(
    max_hp=17, level=3, modifiers=dict(zip(ABILITIES, (-3, 0, 2, 5, -1, 9), strict=True)), armour_class=14, armour="light",
    worn="leather coat", shield="buckler", weapons={"dirk": "light", "spear": "medium", "maul": "heavy", "sling": "ranged"},
    attack=4, luck=2,
)  # fmt: skip
ORC = Passport(max_hp=9, armour_class=13, is_entered=True, weapons={"axe": "medium"}, attack=3, speed=60)


arrived, described = partial(arrivals.arrived, RULESET), partial(arrivals.described, RULESET)


@pytest.mark.slow
@given(passport=arrivals.passports(), kind=st.sampled_from(CharacterKind), experience=st.integers(0, 100_000))
def test_what_arrives_is_what_is_described(passport: Passport, kind: CharacterKind, experience: int) -> None:
    found = described(arrived(passport, kind, experience=experience))
    assert {ability: found.modifiers[ability] for ability in passport.modifiers} == passport.modifiers
    assert (found.armour, found.worn, found.shield) == (passport.armour, passport.worn, passport.shield)
    assert found.weapons == passport.weapons
    assert found.is_entered == passport.is_entered
    if passport.is_entered:
        assert found.armour_class == passport.armour_class
    if kind is not CharacterKind.PLAYER_CHARACTER:
        assert (found.max_hp, found.attack) == (passport.max_hp, passport.attack)


@rule("R1.35", "R1.42", "R1.23", "R1.24")
def test_modifiers_come_as_they_are_and_hit_points_and_armour_class_follow_from_them() -> None:
    sheet = arrived(STRANGER).sheet(NEWCOMER)
    assert {ability: sheet.amount(ability) for ability in ABILITIES} == dict(STRANGER.modifiers)
    assert (sheet.amount("max_hp"), sheet.amount("ac")) == (10, 12 + 0 + 2)


@rule("R1.26", "R1.27", "R1.28")
def test_weapons_are_taken_for_what_they_mean() -> None:
    sheet = arrived(STRANGER).sheet(NEWCOMER)
    shown = {item: str(sheet.value(f"damage:{item}")) for item in STRANGER.weapons}
    assert shown == {"dirk": "1d6-2", "spear": "1d6-3", "maul": "2d6-3", "sling": "1d6"}


@rule("R1.60")
@pytest.mark.parametrize(("experience", "level"), [(0, 1), (400, 3), (90_000, 10)])
def test_the_level_is_that_of_this_games_table_and_its_skills_wait_to_be_chosen(experience: int, level: int) -> None:
    game = arrived(STRANGER, experience=experience)
    assert game.sheet(NEWCOMER).amount("level") == level
    offered = tuple(game.character(NEWCOMER).choices)
    assert len(offered) == 2 * level
    assert not [choice for choice in offered if choice.endswith("ability")]
    game.given(Choose(who=NEWCOMER, choice="creation-skill-1", picked="endurance"))
    assert game.sheet(NEWCOMER).amount("max_hp") == 15


def test_monsters_keep_the_numbers_that_were_written_down() -> None:
    sheet = arrived(ORC, CharacterKind.MONSTER).sheet(NEWCOMER)
    expected = {"max_hp": 9, "ac": 13, "to_hit": 3}
    assert {key: sheet.amount(key) for key in expected} == expected
    assert str(sheet.value("speed")) == "18 m (60 ft)"
    assert sheet.value("level") is None
    assert not arrived(ORC, CharacterKind.MONSTER).character(NEWCOMER).choices


@rule("R1.13", "R1.55")
def test_luck_crosses_up_to_what_one_can_hold_here() -> None:
    game = arrived(STRANGER)
    who = game.character(NEWCOMER)
    assert CROSSING.luck == "luck"
    assert CROSSING.luck_cap(who, game.after) == 2
    game.given(events.TraitGained(character=NEWCOMER, trait="lucky", kind="special"))
    assert CROSSING.luck_cap(game.character(NEWCOMER), game.after) == 4
    monster = arrived(ORC, CharacterKind.MONSTER)
    assert CROSSING.luck_cap(monster.character(NEWCOMER), monster.after) == 0


@rule("Q1.9", "R1.12")
def test_hours_are_counted_from_the_moment_of_crossing() -> None:
    game = arrived(STRANGER, clock=HOUR // 2).given(PassTime(amount=59, unit="minutes"))
    assert not game.character(NEWCOMER).pools
    game.given(PassTime(amount=1, unit="minutes"))
    assert game.character(NEWCOMER).pools["luck"] == 1


@rule("R1.46", "R1.48")
def test_being_down_dying_and_dead_cross_by_what_they_mean() -> None:
    game = with_damage(at_table(), "ada", 20)
    passport = CROSSING.describe(game.character("ada"), game.after)
    assert set(passport.conditions) == {"unconscious", "prone", "bleeding"}
    assert (passport.max_hp, passport.dies_at, passport.armour_class, passport.speed) == (15, -15, 12, 30)
    dead = with_damage(game, "ada", 10)
    assert "dead" in CROSSING.describe(dead.character("ada"), dead.after).conditions
    assert LOCALLY["dead"] == conditions.DEAD
    assert set(LOCALLY) <= set(MEANINGS)


def test_cover_does_not_cross_and_a_ruling_on_armour_does() -> None:
    game = at_table().given(events.StatChanged(character="ben", stat="ac", amount=2))
    assert CROSSING.describe(game.character("ben"), game.after).armour_class == 15
