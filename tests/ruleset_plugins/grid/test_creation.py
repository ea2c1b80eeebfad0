"""A class decides attack, saves, hit points, training and gear; monsters have entered numbers; examples are as printed."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.checks import Check
from rollbook.rulesets.grid.creation import BringIn, Choose, Join
from rollbook.rulesets.grid.hands import Wield
from rollbook.rulesets.grid.stats import CLASSES, ROWS, SKILLS
from rollbook.testing.scenarios import like, rule, scenario


def sheet_of(join: Join, **settings):
    scene = scenario(RULESET, **settings).given(join)
    return scene.sheet(join.id or join.name.casefold())


@rule("R4.4", "R4.7", "Q4.1")
@pytest.mark.parametrize(
    ("name", "attack", "saves", "hp"),
    [
        ("fighter", 5, (4, 1, 1), 32),
        ("rogue", 3, (1, 4, 1), 20),
        ("wizard", 2, (1, 1, 4), 14),
        ("cleric", 3, (4, 1, 4), 26),
    ],
)
def test_each_class_has_its_numbers_and_constitution_counts_five_times(name, attack, saves, hp) -> None:
    plain = sheet_of(Join(name="Ann", class_name=name, scores=("0",) * 6))
    assert plain.amount("to_hit") == attack
    assert tuple(plain.amount(f"save:{save}") for save in ("fort", "ref", "will")) == saves
    assert (plain.amount("max_hp"), plain.amount("level")) == (hp, 5)
    tough = sheet_of(Join(name="Ann", class_name=name, scores=("0", "0", "3", "0", "0", "0")))
    assert tough.amount("max_hp") == hp + 15


@rule("Q4.1")
def test_a_table_may_play_with_the_numbers_of_the_first_level() -> None:
    ann = Join(name="Ann", class_name="fighter", scores=("0",) * 6)
    low = sheet_of(ann, class_table="level-1")
    assert (low.amount("to_hit"), low.amount("max_hp"), low.amount("level"), low.amount("intimidate")) == (1, 10, 1, 4)
    high = sheet_of(ann, class_table="level-5")
    assert (high.amount("to_hit"), high.amount("max_hp"), high.amount("level"), high.amount("intimidate")) == (
        5,
        32,
        5,
        8,
    )
    assert {row.table for row in ROWS.values()} == {"level-1", "level-5"}


@rule("R4.5", "R4.4")
def test_six_stats_are_bonuses_given_or_usual_for_the_class() -> None:
    given = sheet_of(Join(name="Ann", class_name="rogue", scores=("-1", "4", "0", "2", "1", "3")))
    assert [given.amount(stat) for stat in ("str", "dex", "con", "int", "wis", "cha")] == [-1, 4, 0, 2, 1, 3]
    usual = sheet_of(Join(name="Ann", class_name="wizard"))
    assert (usual.amount("str"), usual.amount("int")) == (-1, 3)
    scenario(RULESET).when(Join(name="Ann", scores=("1", "2"))).refused("Bonuses are 6 numbers")


@rule("R4.6")
def test_a_skill_is_a_stat_and_what_the_class_is_trained_in() -> None:
    assert set(SKILLS) == {"intimidate", "concentration", "hide", "heal"}
    wizard = sheet_of(Join(name="Ann", class_name="wizard", scores=("0", "3", "2", "0", "1", "0")))
    assert (wizard.amount("concentration"), wizard.amount("hide"), wizard.amount("heal")) == (10, 3, 1)
    taught = sheet_of(Join(name="Ann", class_name="wizard", scores=("0",) * 6, skills=("hide",)))
    assert taught.amount("hide") == 8
    untrained = sheet_of(Join(name="Ann", kind="npc", hp=3, skills=("heal",), stats={"hide": 2}))
    assert (untrained.amount("heal"), untrained.amount("hide")) == (8, 2)


@rule("R4.6", "Q4.4", "R4.11")
def test_a_check_is_a_d20_and_the_skill_and_no_face_decides_by_itself() -> None:
    scene = scenario(RULESET).given(Join(name="Ann", class_name="rogue", scores=("0", "3", "0", "0", "0", "0")))
    scene.when(Check(who="ann", skill="Hide", target=12)).rolling(1).then(
        like(events.DiceRolled, expression="1d20 + 3[Dexterity] + 8[trained rogue]"),
        like(events.CheckResolved, check="Hide check", total=12, success=True),
    )
    scene.when(Check(who="ann", skill="strength", target=21)).rolling(20).then(
        like(events.CheckResolved, check="Strength check", total=20, success=False)
    )
    scene.when(Check(who="ann", skill="juggling")).refused("juggling")


@rule("R4.10", "Q4.1", "Q4.2", "Q4.46")
def test_steve_and_jeff_come_as_in_the_rulebook() -> None:
    scene = scenario(RULESET).given(
        BringIn(who="steve"), BringIn(who="jeff"), BringIn(who="jeff", id="jeffrey", by_formula=True)
    )
    steve, jeff, jeffrey = (scene.sheet(who) for who in ("steve", "jeff", "jeffrey"))
    assert [steve.amount(key) for key in ("ac", "touch_ac", "flanked_ac", "to_hit", "save:ref", "save:str")] == [
        *(21, 11, 20),
        *(8, 3, 3),
    ]
    assert (jeff.amount("ac"), jeffrey.amount("ac"), jeff.amount("ranged")) == (10, 13, 5)
    assert dict(steve.words)["Weapons"].startswith("sword in the main hand")
    assert dict(steve.words)["Worn"] == "full plate, shield"
    assert dict(jeff.words)["Weapons"].startswith("staff in both hands (1d6")
    proned = scene.given(events.ConditionBegan(character="steve", condition="prone")).sheet("steve")
    assert proned.amount("ac") == 16


@rule("R4.4")
def test_a_class_may_be_chosen_later_and_brings_what_it_brings() -> None:
    scene = scenario(RULESET).given(Join(name="Ann"))
    assert scene.character("ann").choices["class"].keys == CLASSES
    assert dict(scene.sheet("ann").words)["Open choices"] == "class"
    scene.when(Choose(who="ann", choice="class", picked="bard")).refused("bard")
    scene.when(Choose(who="ann", choice="name", picked="fighter")).refused("no open choice", "class")
    chosen = scene.when(Choose(who="ann", choice="class", picked="cleric")).go_on()
    assert (chosen.sheet("ann").amount("max_hp"), chosen.sheet("ann").amount("wis")) == (36, 3)


@rule("R4.4", "Q4.45")
def test_monsters_have_the_numbers_that_were_entered_and_nobody_gains_levels() -> None:
    wolf = sheet_of(Join(name="Wolf", kind="monster", hp=11, ac=13, attack=3, damage=2, speed=40, stats={"ref": 4}))
    assert [wolf.amount(key) for key in ("max_hp", "ac", "to_hit", "damage", "speed", "save:ref")] == [
        11,
        13,
        3,
        2,
        40,
        4,
    ]
    assert wolf.value("level") is None
    scenario(RULESET).when(Join(name="Wolf", kind="monster")).refused("needs hit points")


@rule("R4.53", "R4.15", "Q4.15", "R4.29")
@pytest.mark.parametrize(
    ("armour", "shield", "dex", "ac", "touch", "speed"),
    [
        ("none", "", 4, 14, 14, 30),
        ("none", "", 12, 20, 20, 30),
        ("leather", "", 7, 17, 16, 30),
        ("brigandine", "", 4, 17, 13, 20),
        ("plate", "", 4, 18, 11, 20),
        ("none", "buckler", 4, 15, 14, 30),
        ("plate", "shield", 4, 21, 11, 20),
        ("plate", "shield", -2, 18, 8, 20),
    ],
)
def test_armour_limits_dexterity_and_shields_do_not(armour, shield, dex, ac, touch, speed) -> None:
    ann = sheet_of(
        Join(name="Ann", class_name="fighter", scores=("0", str(dex), "0", "0", "0", "0"), armour=armour, shield=shield)
    )
    assert (ann.amount("ac"), ann.amount("touch_ac"), ann.amount("speed")) == (ac, touch, speed)


@rule("R4.51")
def test_archers_begin_with_five_arrows_and_slingers_with_eight_rocks() -> None:
    scene = scenario(RULESET).given(
        Join(name="Ann", class_name="fighter", weapon="longbow"),
        Join(name="Bob", class_name="cleric", weapon="sling"),
        Join(name="Cid", class_name="rogue", weapon="sword", sheath="dagger"),
    )
    assert scene.character("ann").gear["arrows"].count == 5
    assert scene.character("bob").gear["rocks"].count == 8
    assert set(scene.character("cid").gear) == {"sword", "dagger"}


@rule("Q4.14", "R4.48")
def test_gear_of_other_classes_is_noted_refused_or_nobodys_business() -> None:
    ann = Join(name="Ann", class_name="wizard", weapon="greatsword", armour="plate")
    assert dict(sheet_of(ann).words)["Not of the class"] == "greatsword, full plate"
    assert "Not of the class" not in dict(sheet_of(ann, enforce_class_gear="off").words)
    strict = scenario(RULESET, enforce_class_gear="error")
    strict.when(ann).refused("Ann is a wizard", "fighter")
    strict.given(Join(name="Ann", class_name="wizard", weapon="staff"), events.GearGained(character="ann", item="axe"))
    strict.when(Wield(who="ann", weapon="axe", out_of_turn=True)).refused("hand")
    strict.given(events.GearLost(character="ann", item="staff"))
    strict.when(Wield(who="ann", weapon="axe", out_of_turn=True)).refused("wizard", "axe is for fighter")


def test_a_shield_and_a_second_weapon_want_the_same_hand() -> None:
    both = Join(name="Ann", class_name="fighter", weapon="sword", off_hand="dagger", shield="shield")
    scenario(RULESET).when(both).refused("same hand")
    two = Join(name="Ann", class_name="fighter", weapon="greatsword", shield="shield")
    scenario(RULESET).when(two).refused("in that hand already")


def test_what_a_person_is_asked_depends_on_the_kind_of_newcomer() -> None:
    known = {field.name for field in Join.__attrs_attrs__}
    assert set(Join.questions) == {"pc", "npc", "monster", "hireling", "thing"}
    for asked in Join.questions.values():
        assert asked[0] == "name"
        assert set(asked) <= known


@rule("R4.40", "Q4.38")
def test_nobody_is_so_sickly_as_to_be_made_without_a_hit_point() -> None:
    frail = Join(name="Frail", class_name="wizard", scores=("0", "0", "-5", "0", "0", "0"))
    value = scenario(RULESET).given(frail).sheet("frail").value("max_hp")
    assert value is not None
    assert [term.amount for term in value.terms] == [14, -25, 12]
    assert value.amount == 1
