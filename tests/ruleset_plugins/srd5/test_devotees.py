"""Bards, clerics, druids and paladins at the table: what each of their features does."""

from __future__ import annotations

from typing import Any

import pytest

from rollbook.plugin import SecondThought, events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.fight.movement import Move
from rollbook.rulesets.srd5.growth.rests import LongRest
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.srd5 import again, fight, fighter, hp, monster, swing
from tests.support.srd5_classes import choose, left, of, use

HURT, CHECKED, BEGAN, HEALED = events.DamageTaken, events.CheckResolved, events.ConditionBegan, events.HitPointsRestored


def spell(name: str, *targets: str, **more: Any) -> Cast:
    """A spell of Kara's."""
    return Cast(caster="kara", spell=name, targets=targets, **more)


def spent(feature: str, many: int) -> events.PoolGained:
    """Uses of a feature that Kara has spent."""
    return events.PoolGained(holder="kara", pool=f"used:{feature}", amount=many)


@rule("R5.355")
def test_a_countercharm_has_a_save_made_again_with_advantage() -> None:
    scene = fight(of("bard", 7, fighter(name="Bo")), "kara", "bo")
    save = Save(who="bo", ability="wis", dc=15, versus=("charmed",))
    charmed = again(scene).when(save, SecondThought(kind="countercharm", character="kara")).rolling(2, 3, 14)
    charmed.then(like(CHECKED, total=15, success=True))
    stern = scene.when(Save(who="bo", ability="wis", dc=15), SecondThought(kind="countercharm", character="kara"))
    stern.rolling(2).refused("charmed, frightened")


@rule("R5.357")
def test_a_superior_inspiration_has_two_uses_when_initiative_is_rolled() -> None:
    assert left(fight(of("bard", 18).given(spent("bardic inspiration", 3))), "bardic inspiration") == 2
    assert left(fight(of("bard", 17).given(spent("bardic inspiration", 3))), "bardic inspiration") == 0


@rule("R5.358")
def test_words_of_creation_reach_a_second_target() -> None:
    bo, al = fighter(name="Bo"), fighter(name="Al")
    scene = of("bard", 20, bo, al).given(Harm(who="bo", amount="5"), Harm(who="al", amount="5"))
    again(scene).when(spell("power word heal", "bo", "al", "post")).refused("3 are named")
    healed = scene.given(spell("power word heal", "bo", "al"))
    assert hp(healed, "bo") == hp(healed, "al") == 12


@rule("R5.360")
def test_cutting_words_take_the_die_off_an_enemys_roll_by_reaction() -> None:
    scene = fight(of("bard", 5, monster("Ogre")), "ogre", "kara", dice=(20, 5))
    cut = again(scene).when(swing("kara", "ogre"), SecondThought(kind="cutting-words", character="kara"))
    cut.rolling(9, 6).then(like(CHECKED, total=9 + 6 - 6))
    assert cut.after.characters["kara"].has("reaction used")
    assert cut.after.characters["kara"].pools["used:bardic inspiration"] == 1


@rule("R5.362", "Q5.42")
def test_a_peerless_skill_adds_the_die_to_ones_own_test() -> None:
    scene = of("bard", 14)
    helped = again(scene).when(
        Check(who="kara", skill="str", dc="15"), SecondThought(kind="peerless-skill", character="kara")
    )
    helped.rolling(8, 6).then(like(CHECKED, total=8 + 3 + 2 + 6, success=True))
    assert helped.after.characters["kara"].pools["used:bardic inspiration"] == 1
    back = helped.go_on().given(events.PoolSpent(holder="kara", pool="used:bardic inspiration", amount=1))
    assert left(back, "bardic inspiration") == 3


@rule("R5.369")
def test_an_intervention_casts_a_clerics_spell_without_slot_once_a_long_rest() -> None:
    scene = of("cleric", 10, fighter(name="Bo"))
    scene = scene.given(use("divine intervention", "bo", chosen=("greater restoration",)))
    assert scene.sheet("kara").amount("slots_5") == 2
    assert left(scene, "divine intervention") == 0
    fresh = of("cleric", 10)
    again(fresh).when(use("divine intervention", chosen=("heal",))).refused("level 5")
    again(fresh).when(use("divine intervention", chosen=("fireball",))).refused("cleric")
    fresh.when(use("divine intervention")).refused("--chosen")


@rule("R5.370")
def test_a_wish_rests_for_several_long_rests() -> None:
    scene = of("cleric", 20).given(with_dice(use("divine intervention", chosen=("wish",)), 1, 2))
    for _ in range(3):
        assert left(scene, "divine intervention") == 0
        scene = scene.given(LongRest(who=("kara",), again=True))
    assert left(scene, "divine intervention") == 1


@rule("R5.371", "R5.373", "R5.374")
@pytest.mark.parametrize(
    ("level", "faces", "healed", "healer"),
    [(1, (3, 4), 10, 0), (3, (3, 4), 10 + 3, 0), (6, (3, 4), 10 + 3, 3), (17, (), 16 + 3 + 3, 3)],
)
def test_a_disciple_of_life_heals_more_and_is_healed(
    level: int, faces: tuple[int, ...], healed: int, healer: int
) -> None:
    scene = of("cleric", level, fighter(name="Bo", hp=60)).given(
        Harm(who="bo", amount="50"), Harm(who="kara", amount="5")
    )
    before = hp(scene, "bo"), hp(scene, "kara")
    scene = scene.given(with_dice(spell("cure wounds", "bo", slot=1), *faces))
    assert (hp(scene, "bo") - before[0], hp(scene, "kara") - before[1]) == (healed, healer)


@rule("R5.375")
def test_a_druid_knows_druidic_and_speaks_with_animals() -> None:
    scene = of("druid", 1)
    assert "Druidic" in scene.before.characters["kara"].traits_of("language")
    scene.given(spell("speak with animals"))


@rule("R5.379")
def test_a_wild_companion_costs_a_shape_or_a_slot() -> None:
    scene = of("druid", 2)
    shape = again(scene).given(use("wild companion", chosen=("cat",)))
    assert left(shape, "wild shape") == 1 and "cat-1" in shape.before.characters
    slot = scene.given(use("wild companion", chosen=("cat",), slot=1))
    assert left(slot, "wild shape") == 2 and slot.sheet("kara").amount("slots_1") == 2


@rule("R5.380")
def test_a_slot_brings_a_shape_and_a_shape_a_slot() -> None:
    scene = fight(of("druid", 5))
    again(scene).when(use("wild resurgence", slot=1)).refused("no uses left")
    out = again(scene).given(spent("wild shape", 2), use("wild resurgence", slot=1))
    assert left(out, "wild shape") == 1 and out.sheet("kara").amount("slots_1") == 3
    out.when(use("wild resurgence", slot=1)).refused("in this turn already")
    slot = scene.given(use("a slot for a shape"))
    assert left(slot, "wild shape") == 1 and slot.sheet("kara").amount("slots_1") == 5
    slot.when(use("a slot for a shape")).refused("0 of 1 left")


@rule("R5.382")
def test_beast_spells_are_cast_in_a_form() -> None:
    of("druid", 17).given(use("wild shape", chosen=("wolf",))).when(spell("cure wounds", "kara")).refused("wild shape")
    bowl = events.GearGained(character="kara", item="gem-encrusted bowl")
    beast = of("druid", 18).given(bowl, use("wild shape", chosen=("wolf",)))
    again(beast).when(spell("cure wounds", "kara")).rolling(1, 1).then(like(events.PowerUsed, power="cure-wounds"))
    beast.when(spell("heroes' feast", "kara", allowed=("unprepared", "no slot"))).refused("form")


@rule("R5.383")
def test_an_archdruid_has_a_shape_at_initiative_and_turns_shapes_into_a_slot() -> None:
    assert left(fight(of("druid", 20).given(spent("wild shape", 4))), "wild shape") == 1
    assert left(fight(of("druid", 19).given(spent("wild shape", 4))), "wild shape") == 0
    scene = of("druid", 20).given(use("nature magician", amount=2))
    assert left(scene, "wild shape") == 2 and scene.sheet("kara").amount("slots_4") == 4
    scene.when(use("nature magician")).refused("0 of 1 left")


@rule("R5.384")
@pytest.mark.parametrize(("land", "has", "lacks"), [("arid", "fireball", "web"), ("tropical", "web", "fireball")])
def test_the_land_that_is_chosen_prepares_its_spells(land: str, has: str, lacks: str) -> None:
    scene = of("druid", 5).given(choose("land-1", land))
    again(scene).when(spell(lacks, "post")).refused("prepared")
    scene.when(spell(has, "post")).rolling(*((2, *(3,) * 8) if has == "fireball" else ()))
    scene.then(like(events.PowerUsed, power=has))


@rule("R5.385")
@pytest.mark.parametrize(("level", "many"), [(3, 2), (10, 3), (14, 4)])
def test_lands_aid_harms_some_and_heals_one(level: int, many: int) -> None:
    scene = of("druid", level, fighter(name="Bo", hp=60)).given(Harm(who="bo", amount="50"))
    before = hp(scene, "bo")
    scene = scene.when(use("land's aid", "post", heals=("bo",))).rolling(2, *(3,) * many, *(4,) * many)
    scene.then(like(HURT, character="post", amount=3 * many))
    assert hp(scene.go_on(), "bo") == before + 4 * many


@rule("R5.387")
def test_natures_ward_resists_by_land_and_is_never_poisoned() -> None:
    scene = of("druid", 10).given(choose("land-1", "polar"))
    again(scene).when(Harm(who="kara", amount="9", tags=("cold",))).then(like(HURT, amount=4))
    again(scene).when(Harm(who="kara", amount="9", tags=("fire",))).then(like(HURT, amount=9))


@rule("R5.388")
def test_natures_sanctuary_is_kept_for_a_minute_for_the_gm_to_apply() -> None:
    scene = of("druid", 14).given(use("nature's sanctuary"))
    held = scene.before.characters["kara"].conditions["nature's sanctuary"]
    assert held.until == 60 and "half" in held.detail and left(scene, "wild shape") == 2
    scene = scene.given(Harm(who="kara", amount="200", tags=("force",)))
    assert not scene.before.characters["kara"].has("nature's sanctuary")


@rule("R5.428")
def test_a_divine_sense_lasts_ten_minutes_by_a_bonus_action() -> None:
    scene = fight(of("paladin", 3)).given(use("divine sense"))
    held = scene.before.characters["kara"].conditions["divine sense"]
    assert held.until - scene.before.clock == 600 and "undead" in held.detail and "60" in held.detail
    assert left(scene, "channel divinity") == 1
    scene.when(use("divine sense")).refused("bonus action")


@rule("R5.429")
def test_a_faithful_steed_comes_without_a_slot_once_a_day() -> None:
    scene = of("paladin", 5)
    came = scene.given(spell("find steed", allowed=("time",)))
    assert came.sheet("kara").amount("slots_2") == 2
    twice = came.given(spell("find steed", allowed=("time",)))
    assert twice.sheet("kara").amount("slots_2") == 1


@rule("R5.431")
def test_abjured_foes_fear_until_hurt_and_do_one_thing_a_turn() -> None:
    scene = fight(of("paladin", 9, monster("Ogre")), "kara", "ogre", dice=(20, 5))
    scene = scene.given(with_dice(use("abjure foes", "ogre"), 2))
    ogre = scene.before.characters["ogre"]
    assert ogre.has("frightened") and "abjure foes" in ogre.conditions and left(scene, "channel divinity") == 1
    again(scene).given(EndTurn(), Move(who="ogre", feet=10)).when(swing("kara", "ogre")).refused("one of these")
    acts = scene.given(EndTurn(), with_dice(swing("kara", "ogre"), 2, 2))
    again(acts).when(Move(who="ogre", feet=10)).refused("one of these")
    hurt = acts.given(Harm(who="ogre", amount="1"))
    again(hurt).given(Move(who="ogre", feet=10))
    assert not hurt.before.characters["ogre"].has("frightened")


@rule("R5.431")
def test_abjured_foes_are_as_many_as_charisma() -> None:
    scene = of("paladin", 9, monster("Ogre"), monster("Wolf"), monster("Goblin Warrior"))
    scene.when(use("abjure foes", "ogre", "wolf", "goblin-warrior", "post")).refused("3 targets")


@rule("R5.435")
def test_an_oath_of_devotion_prepares_its_spells() -> None:
    of("paladin", 3).given(spell("shield of faith", "kara"))
    of("paladin", 3).when(spell("beacon of hope", "kara")).refused("prepared")
    of("paladin", 9).given(spell("beacon of hope", "kara"))


@rule("R5.438")
def test_a_smite_of_protection_covers_all_in_the_aura() -> None:
    bo = fighter(name="Bo", at=("1", "0"), side="party")
    scene = fight(of("paladin", 15, bo, at=("0", "0"), side="party"), "kara", "bo", "post")
    before = scene.sheet("bo").amount("ac")
    scene = scene.given(with_dice(use("paladin's smite", "post"), 4, 5))
    scene.when(swing("bo", "post", out_of_turn=True)).rolling(2).then(like(CHECKED, target=before + 2))


@rule("R5.439")
def test_a_holy_nimbus_guards_and_burns() -> None:
    scene = fight(of("paladin", 20, monster("Zombie", at=("2", "0")), at=("0", "0")), "kara", "zombie", dice=(20, 5))
    scene = scene.given(use("holy nimbus"))
    burnt = again(scene).when(EndTurn())
    burnt.then(like(HURT, character="zombie", amount=3 + 6, tags=("radiant",)))
    assert left(scene, "holy nimbus") == 0
    again(scene).when(Save(who="kara", ability="wis", dc=15)).rolling(2)
    turned = scene.given(EndTurn())
    assert turned.before.characters["zombie"].lost == 9
