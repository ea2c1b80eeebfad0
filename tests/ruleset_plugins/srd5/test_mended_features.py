"""Features that once broke: saves that are made again, actions named in an attack, the slot of a pearl, one smite a day."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.growth.rests import Attune
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.srd5 import again, fight, fighter, post, swing, table
from tests.support.srd5_classes import of, use


@rule("R5.459", "R5.190")
def test_the_poison_of_a_cunning_strike_is_saved_against_again_with_the_same_ability() -> None:
    scene = fight(of("rogue", 5, weapons=("shortsword",)))
    scene = scene.given(with_dice(swing(ally=True, features=("poison",)), 15, 3, 6, 6, 2), EndTurn())
    poisoned = scene.before.characters["post"].conditions["poisoned"]
    assert (poisoned.data["save"], poisoned.data["dc"]) == ("con", 8 + 3 + 3)
    over = again(scene).given(with_dice(EndTurn(), 19))
    assert not over.before.characters["post"].has("poisoned")
    assert scene.given(with_dice(EndTurn(), 2)).before.characters["post"].has("poisoned")


@rule("R5.459", "R5.366")
@pytest.mark.parametrize("feature", ["turn-undead", "divine-spark"])
def test_a_feature_with_an_action_of_its_own_does_not_go_into_an_attack(feature: str) -> None:
    of("cleric", 5).when(swing(features=(feature,))).refused("takes an action of its own", f"use kara {feature}")


@rule("R5.280", "R5.386")
def test_a_pearl_brings_one_slot_back_and_a_higher_one_as_a_third() -> None:
    pearl = events.GearGained(character="kara", item="Pearl of Power")
    scene = of("wizard", 9).given(pearl, Attune(who="kara", item="Pearl of Power"))
    scene = scene.given(*(events.PoolGained(holder="kara", pool=f"slots spent:{level}", amount=1) for level in (2, 4)))
    again(scene).when(use("regain")).refused("brings back one slot")
    again(scene).when(use("regain", chosen=("2", "4"))).refused("brings back one slot")
    again(scene).when(use("regain", chosen=("1",))).refused("has not spent a slot of level 1")
    assert again(scene).given(use("regain", chosen=("2",))).sheet("kara").amount("slots_2") == 3
    back = scene.given(use("regain", chosen=("4",))).sheet("kara")
    assert (back.amount("slots_3"), back.amount("slots_4")) == (4, 2)


@rule("R5.426")
def test_the_free_smite_of_a_day_is_one_whether_it_is_used_or_cast() -> None:
    scene = of("paladin", 2).given(with_dice(use("paladin's smite", "post"), 4, 5))
    cast = Cast(caster="kara", spell="divine-smite", targets=("post",))
    scene.when(cast).rolling(4, 5).then(like(events.PoolGained, pool="slots spent:1"))


@rule("R5.426")
def test_a_smite_of_2014_adds_no_more_than_three_dice_for_its_slot() -> None:
    old = table(fighter(class_name="paladin", level=17, scores=("16",) * 6), post(), edition="2014")
    smitten = old.when(use("paladin's smite", "post", slot=5)).rolling(1, 1, 1, 1, 1)
    smitten.then(like(events.DamageTaken, dealt=5))
