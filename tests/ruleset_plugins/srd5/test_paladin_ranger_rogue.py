"""Paladins, rangers and rogues at the table: smites, auras, prey, sneak attacks."""

from __future__ import annotations

import pytest

from rollbook.plugin import SecondThought, events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.growth.levels import Choose
from rollbook.rulesets.srd5.growth.using import Use
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import condition, fight, fighter, monster, post, rolled, swing, table
from tests.support.srd5_classes import left, of, use

HURT, CHECKED, SPENT = events.DamageTaken, events.CheckResolved, events.PoolGained


@rule("R5.404", "R5.457")
def test_dash_disengage_and_dodge_as_a_bonus_action() -> None:
    scene = fight(of("monk", 2)).given(use("patient defense with focus"))
    assert scene.before.characters["kara"].has("dodging")
    rogue = fight(of("rogue", 2)).given(use("cunning action", chosen=("disengage",)))
    assert rogue.before.characters["kara"].has("disengaged")
    fight(of("rogue", 2)).when(use("cunning action")).refused("dash, disengage, hide")


@rule("R5.411")
@pytest.mark.parametrize(("face", "amount"), [(19, 0), (2, 5)])
def test_evasion_takes_nothing_or_half(face: int, amount: int) -> None:
    dragon = (fighter(name="Bo", species="dragonborn", scores=("10",) * 6),)
    scene = of("rogue", 7, *dragon).given(Choose(who="bo", choice="draconic-ancestry-1", picked="red"))
    breath = Use(who="bo", feature="breath weapon", targets=("kara",), chosen=("cone",))
    scene.when(breath).rolling(face, 10)
    assert sum(event.amount for event in scene.events(HURT)) == amount


@rule("R5.424", "R5.434")
def test_lay_on_hands_is_a_pool_of_points() -> None:
    scene = of("paladin", 2).given(Harm(who="kara", amount="10"))
    scene.when(use("lay on hands", amount=7)).then(like(events.HitPointsRestored, amount=7))
    scene.go_on().when(use("lay on hands", amount=4)).refused("3 of 10 left")
    cleansed = of("paladin", 2).given(condition("kara", "poisoned"), use("cleanse"))
    assert left(cleansed, "lay on hands") == 5


@rule("R5.426", "R5.80")
def test_a_smite_is_free_once_a_day_then_for_a_slot() -> None:
    scene = of("paladin", 2, monster("Zombie"))
    scene.when(use("paladin's smite", "post")).rolling(4, 5).then(like(HURT, amount=9, tags=("radiant",)))
    scene = scene.go_on()
    scene.when(use("paladin's smite", "post")).refused("--slot")
    scene.when(use("paladin's smite", "zombie", slot=1)).rolling(4, 5, 6).then(like(HURT, dealt=15))


@rule("R5.426")
def test_a_smite_of_2014_takes_a_slot_and_no_bonus_action() -> None:
    old = table(fighter(class_name="paladin", level=2, scores=("16",) * 6), post(), edition="2014")
    old.when(use("paladin's smite", "post")).rolling(4, 5).then(like(SPENT, pool="slots spent:1"), like(HURT, amount=9))


@rule("R5.430", "R5.432", "R5.437")
def test_auras_help_allies_within_10_feet() -> None:
    near = (fighter(name="Bo", at=("1", "0"), side="party"),)
    scene = of("paladin", 10, *near, at=("0", "0"), side="party")
    scene.when(Save(who="bo", ability="wis", dc=10)).rolling(6).then(like(CHECKED, total=6 + 1 + 3))
    far = of("paladin", 10, fighter(name="Bo", at=("9", "0"), side="party"), at=("0", "0"), side="party")
    far.when(Save(who="bo", ability="wis", dc=10)).rolling(6).then(like(CHECKED, total=7))
    assert scene.sheet("kara").amount("ac")


@rule("R5.436")
def test_a_sacred_weapon_adds_charisma_to_attacks() -> None:
    scene = of("paladin", 3).given(use("sacred weapon"))
    assert "+ 3[sacred weapon]" in rolled(scene.when(swing()).rolling(2))[0].casefold()


@rule("R5.455")
def test_a_sneak_attack_takes_advantage_or_an_ally_and_comes_once_a_turn() -> None:
    def rogue() -> Scenario:
        return fight(of("rogue", 5, weapons=("shortsword",)))

    rogue().when(swing(ally=True)).rolling(15, 3, 6, 6, 6).then(like(HURT, amount=3 + 3 + 18))
    rogue().when(swing(advantage=("hidden",))).rolling(15, 9, 3, 6, 6, 6).then(like(HURT, amount=24))
    rogue().when(swing()).rolling(15, 3).then(like(HURT, amount=6))
    rogue().when(swing(ally=True, disadvantage=("fog",))).rolling(15, 14, 3).then(like(HURT, amount=6))
    twice = rogue().given(with_dice(swing(ally=True), 15, 3, 6, 6, 6))
    twice.when(swing(ally=True, out_of_turn=True)).rolling(15, 3).then(like(HURT, amount=6))


@rule("R5.459", "R5.462")
def test_a_cunning_strike_gives_up_a_die() -> None:
    scene = fight(of("rogue", 5, weapons=("shortsword",)))
    scene.when(swing(ally=True, features=("trip",))).rolling(15, 3, 6, 6, 2).then(
        like(HURT, amount=3 + 3 + 12), like(events.ConditionBegan, character="post", condition="prone")
    )
    scene = fight(of("rogue", 5, weapons=("shortsword",)))
    scene.when(swing(ally=True, features=("trip", "poison"))).refused("1 of its effects")


@rule("R5.461", "R5.463", "R5.464", "R5.465", "R5.292")
def test_a_rogue_is_reliable_and_elusive() -> None:
    reliable = of("rogue", 7, skills=("stealth",)).when(Check(who="kara", skill="stealth", dc="15")).rolling(2)
    reliable.then(like(CHECKED, total=10 + 3 + 3))
    elusive = of("rogue", 18).given(condition("kara", "prone"))
    assert rolled(elusive.when(swing("kara", "post")).rolling(2))[0].startswith("1d20")
    assert of("rogue", 15).sheet("kara").amount("save:wis") == 8
    stroke = of("rogue", 20).when(
        Check(who="kara", skill="str", dc="15"), SecondThought(kind="stroke-of-luck", character="kara")
    )
    stroke.rolling(2).then(like(CHECKED, total=23))
    lucky = table(fighter(species="halfling")).when(Check(who="kara", skill="int", dc="10")).rolling(1, 15)
    lucky.then(like(CHECKED, total=15))


@rule("R5.458")
def test_a_steady_aim_has_advantage_and_no_speed() -> None:
    scene = fight(of("rogue", 3)).given(use("steady aim"))
    assert scene.sheet("kara").amount("speed") == 0
    assert rolled(scene.when(swing()).rolling(2, 3))[0].startswith("2d20kh1")


@rule("R5.444", "R5.446")
def test_a_ranger_is_tireless_and_unseen() -> None:
    scene = of("ranger", 10).given(with_dice(use("tireless"), 5))
    assert scene.sheet("kara").amount("temporary") == 8
    assert fight(of("ranger", 14)).given(use("nature's veil")).before.characters["kara"].has("invisible")


@rule("R5.451")
def test_a_colossus_slayer_hits_the_wounded_harder() -> None:
    scene = of("ranger", 3).given(Choose(who="kara", choice="hunters-prey-1", picked="colossus-slayer"))
    hurt = fight(scene.given(Harm(who="post", amount="1")))
    hurt.when(swing()).rolling(15, 8, 6).then(like(HURT, amount=17))


@rule("R5.470")
def test_the_second_turn_has_an_action_of_its_own() -> None:
    scene = fight(of("rogue", 17)).given(with_dice(swing(), 2), EndTurn(), EndTurn())
    scene.when(swing()).rolling(2).then(like(CHECKED))
