"""Fighters and monks at the table: second winds, surges, flurries, what is deflected."""

from __future__ import annotations

import pytest

from rollbook.plugin import NotFound, SecondThought, events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.growth.levels import Choose
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.srd5 import again, condition, fight, hp, monster, rolled, swing
from tests.support.srd5_classes import left, of, use

HURT, CHECKED = events.DamageTaken, events.CheckResolved


@rule("R5.339", "R5.405", "R5.443")
@pytest.mark.parametrize(
    ("key", "level", "feet"), [("barbarian", 5, 40), ("monk", 2, 40), ("monk", 18, 60), ("ranger", 6, 40)]
)
def test_some_classes_are_faster_without_heavy_armour(key: str, level: int, feet: int) -> None:
    assert of(key, level).sheet("kara").amount("speed") == feet


@rule("R5.389", "R5.392", "R5.206")
def test_a_second_wind_heals_1d10_and_the_level() -> None:
    scene = fight(of("fighter", 1)).given(Harm(who="kara", amount="9"))
    scene.when(use("second wind")).rolling(6).then(like(events.HitPointsRestored, amount=7))
    scene.go_on().when(use("second wind")).refused("bonus action")


@rule("R5.390")
def test_an_action_surge_is_another_action_once_a_rest() -> None:
    scene = fight(of("fighter", 2)).given(with_dice(swing(), 2))
    surged = scene.given(use("action surge"))
    again(surged).when(swing()).rolling(2).then(like(CHECKED))
    surged.when(use("action surge")).refused("in this turn already")


@rule("R5.391", "R5.393", "Q5.42")
def test_a_fighter_rolls_again_or_adds_a_die() -> None:
    scene = of("fighter", 9)
    scene.when(Save(who="kara", ability="wis", dc=20), SecondThought(kind="indomitable", character="kara")).rolling(
        2, 10
    )
    scene.then(like(CHECKED, total=10 + 3 + 9))
    mind = of("fighter", 2).when(
        Check(who="kara", skill="int", dc="15"), SecondThought(kind="tactical-mind", character="kara")
    )
    mind.rolling(5, 9).then(like(CHECKED, total=17))


@rule("R5.396")
def test_a_miss_is_studied() -> None:
    scene = fight(of("fighter", 13)).given(with_dice(swing(), 2))
    assert rolled(scene.when(swing()).rolling(3, 2))[0].startswith("2d20kh1")


@rule("R5.399", "R5.400")
def test_a_champion_is_inspired_and_rallies_each_turn() -> None:
    scene = fight(of("fighter", 18)).given(Harm(who="kara", amount="120"), EndTurn())
    before = hp(scene, "kara")
    scene = scene.given(EndTurn())
    assert hp(scene, "kara") == before + 8 and scene.before.characters["kara"].pools["inspiration"] == 1


@rule("R5.401", "R5.402", "R5.410")
def test_a_monk_strikes_with_hands_by_dexterity_and_the_die() -> None:
    scene = of("monk", 1, scores=("10", "16", "10", "10", "10", "10"), weapons=())
    scene.when(swing(weapon="unarmed")).rolling(15, 4).then(like(HURT, amount=7, tags=("bludgeoning",)))
    of("monk", 6, weapons=()).when(swing(weapon="unarmed")).rolling(15, 4).then(like(HURT, tags=("force",)))


@rule("R5.403", "R5.404")
def test_a_flurry_is_two_strikes_for_a_point() -> None:
    scene = fight(of("monk", 2, weapons=())).given(with_dice(swing(weapon="unarmed"), 2), use("flurry of blows"))
    assert left(scene, "monk's focus") == 1
    scene = scene.given(with_dice(swing(weapon="unarmed"), 2), with_dice(swing(weapon="unarmed"), 2))
    scene.when(swing(weapon="unarmed")).refused("has used the action")


@rule("R5.407", "R5.460", "R5.415", "Q5.41")
def test_a_reaction_takes_damage_off_the_next_hit() -> None:
    scene = of("monk", 3, monster("Ogre")).given(with_dice(use("deflect attacks"), 5))
    scene.when(Harm(who="kara", amount="20", tags=("piercing",))).then(like(HURT, amount=20 - 5 - 3 - 3))
    scene.go_on().when(Harm(who="kara", amount="6", tags=("piercing",))).then(like(HURT, amount=6))
    dodge = of("rogue", 5).given(use("uncanny dodge"))
    dodge.when(Harm(who="kara", amount="9", tags=("fire",))).then(like(HURT, amount=4))


@rule("R5.409")
def test_a_stunning_strike_is_a_save_or_a_turn_lost() -> None:
    scene = fight(of("monk", 5)).when(use("stunning strike", "post")).rolling(2)
    scene.then(like(events.ConditionBegan, character="post", condition="stunned"))


@rule("R5.414", "R5.416")
def test_a_monk_sheds_a_condition_and_saves_with_everything() -> None:
    scene = fight(of("monk", 10)).given(condition("kara", "poisoned"), EndTurn())
    assert not scene.before.characters["kara"].has("poisoned")
    assert of("monk", 14).sheet("kara").amount("save:cha") == 8


@rule("R5.206")
def test_a_feature_that_nobody_has_names_the_nearest() -> None:
    with pytest.raises(NotFound, match="Second Wind"):
        of("fighter").when(use("secnd wind")).played  # noqa: B018
    of("barbarian", 2).when(use("danger sense")).refused("always holds")


@rule("R5.299")
def test_great_weapon_fighting_counts_low_dice_as_3() -> None:
    style = Choose(who="kara", choice="fighting-style-feat-1", picked="great-weapon-fighting")
    scene = of("fighter", weapons=("greatsword", "longsword")).given(style)
    again(scene).when(swing(weapon="greatsword")).rolling(15, 1, 6).then(like(HURT, amount=3 + 6 + 3))
    again(scene).when(swing(weapon="longsword")).rolling(15, 1).then(like(HURT, amount=4))
    scene.when(swing(weapon="longsword", two_handed=True)).rolling(15, 2).then(like(HURT, amount=6))
