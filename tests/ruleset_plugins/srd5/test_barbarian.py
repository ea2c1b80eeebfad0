"""Barbarians at the table: rages, reckless attacks, what keeps them up."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.growth.rests import ShortRest
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.srd5 import again, condition, fight, fighter, hp, monster, rolled, swing, table
from tests.support.srd5_classes import left, of, use

HURT, CHECKED = events.DamageTaken, events.CheckResolved


@rule("R5.331", "R5.334", "R5.84")
def test_a_rage_resists_and_hits_harder_by_strength() -> None:
    scene = fight(of("barbarian")).given(use("rage"))
    assert left(scene, "rage") == 1
    scene.when(swing()).rolling(15, 8).then(like(HURT, amount=8 + 3 + 2))
    scene.go_on().when(Harm(who="kara", amount="9", tags=("slashing",))).then(like(HURT, amount=4))


@rule("R5.331", "R5.15")
def test_a_rage_has_advantage_on_checks_and_saves_of_strength() -> None:
    scene = of("barbarian").given(use("rage"))
    assert rolled(scene.when(Check(who="kara", skill="str", dc="10")).rolling(9, 9))[0].startswith("2d20kh1")
    assert rolled(scene.when(Save(who="kara", ability="str", dc=10)).rolling(9, 9))[0].startswith("2d20kh1")


@rule("R5.333", "R5.28")
def test_a_rage_ends_with_the_next_turn_unless_an_attack_or_a_bonus_action_keeps_it_up() -> None:
    scene = fight(of("barbarian")).given(use("rage"), EndTurn(), EndTurn())
    assert not again(scene).given(EndTurn()).before.characters["kara"].has("rage")
    kept = again(scene).given(with_dice(swing(), 2), EndTurn(), EndTurn())
    assert kept.before.characters["kara"].has("rage")
    renewed = again(scene).given(use("rage"), EndTurn(), EndTurn())
    assert renewed.before.characters["kara"].has("rage") and left(renewed, "rage") == 1


@rule("R5.332", "R5.333")
def test_a_rage_ends_when_the_barbarian_falls() -> None:
    scene = of("barbarian").given(use("rage"), Harm(who="kara", amount="100", tags=("force",)))
    assert not scene.before.characters["kara"].has("rage")


@rule("R5.334", "R5.206")
def test_rages_run_out_and_one_comes_back_with_a_short_rest() -> None:
    scene = fight(of("barbarian")).given(use("rage", out_of_turn=True))
    scene = scene.given(condition("kara", "x"), events.ConditionEnded(character="kara", condition="rage"))
    scene = scene.given(use("rage", out_of_turn=True), events.ConditionEnded(character="kara", condition="rage"))
    scene.when(use("rage", out_of_turn=True)).refused("0 of 2 left of Rage")
    rested = of("barbarian").given(use("rage"), ShortRest(who=("kara",)))
    assert left(rested, "rage") == 2


@rule("R5.335", "R5.402", "R5.480")
@pytest.mark.parametrize(
    ("key", "level", "ac"), [("barbarian", 1, 16), ("monk", 1, 16), ("sorcerer", 3, 16), ("rogue", 1, 13)]
)
def test_some_classes_need_no_armour(key: str, level: int, ac: int) -> None:
    assert of(key, level).sheet("kara").amount("ac") == ac


@rule("R5.336")
def test_danger_sense_is_lost_with_incapacity() -> None:
    scene = of("barbarian", 2)
    assert rolled(scene.when(Save(who="kara", ability="dex", dc=10)).rolling(9, 9))[0].startswith("2d20kh1")
    dazed = scene.given(condition("kara", "incapacitated"))
    assert rolled(dazed.when(Save(who="kara", ability="dex", dc=10)).rolling(9))[0].startswith("1d20")


@rule("R5.337", "R5.342", "R5.347")
def test_a_reckless_attack_has_advantage_and_gives_it() -> None:
    scene = fight(of("barbarian", 3)).given(use("rage"), use("reckless attack"))
    scene.when(swing()).rolling(9, 15, 8, 3, 4)
    assert rolled(scene)[0].startswith("2d20kh1")
    scene.then(like(HURT, amount=8 + 3 + 2 + 3 + 4))
    back = fight(of("barbarian", 2, monster("Ogre")), "kara", "ogre").given(use("reckless attack"), EndTurn())
    assert rolled(back.when(swing("kara", "ogre")).rolling(2, 2))[0].startswith("2d20kh1")


@rule("R5.342")
def test_a_brutal_strike_adds_a_die_and_pushes_when_it_is_named() -> None:
    scene = fight(of("barbarian", 9, skills=("athletics",)), dice=(20, 19, 16)).given(use("reckless attack"))
    scene.when(swing(features=("hamstring blow",))).rolling(9, 15, 8, 7).then(like(HURT, amount=8 + 3 + 7))


@rule("R5.343", "R5.294")
def test_a_relentless_rage_saves_from_falling_and_an_orc_stays_at_1() -> None:
    scene = of("barbarian", 11).given(use("rage"))
    scene.when(Harm(who="kara", amount="130", tags=("force",))).rolling(9)
    assert hp(scene, "kara") == 22
    orc = table(fighter(species="orc")).given(Harm(who="kara", amount="12"))
    assert hp(orc, "kara") == 1
    assert hp(orc.given(Harm(who="kara", amount="1")), "kara") == 0


@rule("R5.345")
def test_indomitable_might_is_at_least_the_score() -> None:
    scene = of("barbarian", 18).when(Check(who="kara", skill="str", dc="15")).rolling(2)
    scene.then(like(CHECKED, total=16, success=True))
