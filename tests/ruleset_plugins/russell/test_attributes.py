"""Six attributes, a modifier for each, and what every one of them is good for."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.character.attributes import ATTRIBUTES, modifier
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.rolls import Save
from rollbook.testing.scenarios import like, rule

CHECKED, ROLLED = events.CheckResolved, events.DiceRolled

TABLE = {3: -3, 4: -2, 6: -2, 7: -1, 8: -1, 9: 0, 12: 0, 13: 1, 15: 1, 16: 2, 17: 2, 18: 3}


@rule("R3.1")
def test_there_are_six_attributes_and_all_stand_on_the_sheet(dungeon) -> None:
    sheet = dungeon().sheet("aldo")
    assert [sheet.amount(attribute) for attribute in ATTRIBUTES] == [13, 12, 9, 11, 10, 14]
    assert str(sheet.value("str")) == "13 (+1)"


@rule("R3.2")
@pytest.mark.parametrize(("score", "worth"), TABLE.items())
def test_the_modifier_table(score: int, worth: int) -> None:
    assert modifier(score) == worth


def test_scores_that_other_games_bring_go_on_a_point_at_a_time() -> None:
    assert [modifier(score) for score in (1, 2, 19, 21)] == [-5, -4, 4, 6]


@rule("R3.3")
def test_strength_is_added_to_damage_hand_to_hand_and_makes_gear_slots(dungeon) -> None:
    blow = Attack(attacker="aldo", target="ogre", weapon="melee")
    dungeon().when(blow).rolling(15, 4).then(like(ROLLED, expression="1d6 + 1[STR] + 1[Old Soldier]", total=6))
    assert dungeon().sheet("aldo").amount("slots") == 13
    fall = Save(who="aldo", attribute="str", against="the falling gate")
    dungeon().when(fall).rolling(13).then(like(CHECKED, check="Strength save", target=13, success=True))


@rule("R3.4", "Q3.6", "Q3.7")
def test_constitution_counts_at_every_level_even_the_first_and_a_level_brings_at_least_1(nobody) -> None:
    def hit_points(constitution: int, *dice: str) -> int:
        scores = ("10", str(constitution), "10", "10", "10", "10")
        join = Join(name="Eve", level=len(dice), scores=scores, hit_dice=dice)
        return nobody().given(join).sheet("eve").amount("max_hp")

    assert hit_points(16, "4") == 6
    assert hit_points(16, "4", "1", "6") == 17
    assert hit_points(4, "1", "5") == 1 + 3


@rule("Q3.7")
def test_a_table_may_let_a_level_bring_nothing(nobody) -> None:
    frail = Join(name="Eve", level=2, scores=("10", "3", "10", "10", "10", "10"), hit_dice=("2", "6"))
    assert nobody().given(frail).sheet("eve").amount("max_hp") == 1 + 3
    assert nobody(min_hp_gain=0).given(frail).sheet("eve").amount("max_hp") == 0 + 3


@rule("R3.4")
def test_a_save_with_constitution_is_made_against_poison(dungeon) -> None:
    drink = Save(who="aldo", attribute="con", against="poison")
    dungeon().when(drink).rolling(12).then(like(CHECKED, target=12, success=True, against="poison"))
    dungeon().when(drink).rolling(13).then(like(CHECKED, success=False, outcome="not saved"))


@rule("R3.5", "R3.80")
def test_dexterity_is_added_to_damage_from_afar_and_lowers_armour_class(dungeon) -> None:
    shot = Attack(attacker="brenna", target="ogre", weapon="bow")
    dungeon().when(shot).rolling(15, 4).then(like(ROLLED, expression="1d6 + 2[DEX]", total=6))
    value = dungeon().sheet("brenna").value("ac")
    assert [(term.amount, term.label) for term in value.terms] == [(7, "leather"), (-2, "DEX")]


@rule("R3.5")
def test_clumsiness_makes_armour_class_worse(nobody) -> None:
    clumsy = Join(name="Eve", scores=("10", "10", "5", "10", "10", "10"), hit_dice=("6",))
    assert nobody().given(clumsy).sheet("eve").amount("ac") == 11


@rule("R3.6", "R3.25")
@pytest.mark.parametrize(("intelligence", "slots"), [(3, 1), (9, 4), (13, 6), (18, 9)])
def test_half_of_intelligence_rounded_down_is_skill_slots(nobody, intelligence: int, slots: int) -> None:
    join = Join(name="Eve", scores=("10", "10", "10", str(intelligence), "10", "10"), hit_dice=("6",))
    assert nobody().given(join).sheet("eve").amount("skill_slots") == slots


@rule("R3.7")
def test_wisdom_is_added_to_initiative_and_saves_from_horror(dungeon) -> None:
    assert dungeon().sheet("brenna").amount("initiative") == 1
    horror = Save(who="brenna", attribute="wis", against="horror")
    dungeon().when(horror).rolling(13).then(like(CHECKED, check="Wisdom save", target=13, success=True))


@rule("R3.8")
def test_charisma_makes_room_for_hirelings_but_never_for_none(dungeon) -> None:
    assert dungeon().sheet("aldo").amount("most_hirelings") == 2
    assert dungeon().sheet("brenna").amount("most_hirelings") == 1
