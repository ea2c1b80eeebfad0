"""Bards, clerics and druids at the table: inspiration, sparks, turned undead, shapes."""

from __future__ import annotations

import pytest

from rollbook.plugin import SecondThought, events
from rollbook.rulesets.srd5.fight.damage import Harm
from rollbook.rulesets.srd5.growth.levels import Choose
from rollbook.rulesets.srd5.growth.rests import ShortRest
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import again, fight, fighter, hp, monster, swing
from tests.support.srd5_classes import left, of, use

HURT, CHECKED = events.DamageTaken, events.CheckResolved


@rule("R5.351", "R5.352", "R5.206")
def test_a_bard_gives_a_die_that_turns_a_failed_test() -> None:
    scene = of("bard", 5, fighter(name="Bo")).given(use("bardic inspiration", "bo"))
    assert left(scene, "bardic inspiration") == 2
    scene.when(Check(who="bo", skill="int", dc="15"), SecondThought(kind="bardic", character="bo")).rolling(10, 7)
    scene.then(like(CHECKED, total=17, success=True))
    assert not scene.after.characters["bo"].has("bardic inspiration")
    of("bard").when(use("bardic inspiration")).refused("for another one")


@rule("R5.353")
def test_a_jack_of_all_trades_adds_half_the_bonus() -> None:
    assert of("bard", 2).sheet("kara").amount("arcana") == 4


@rule("R5.354", "R5.235")
def test_inspiration_comes_back_for_a_slot_or_with_a_short_rest() -> None:
    scene = of("bard", 5, fighter(name="Bo")).given(use("bardic inspiration", "bo"))
    assert left(again(scene).given(use("font of inspiration", slot=1)), "bardic inspiration") == 3
    assert left(scene.given(ShortRest(who=("kara",))), "bardic inspiration") == 3


@rule("R5.364", "R5.365")
def test_a_divine_spark_heals_or_harms() -> None:
    scene = of("cleric", 2).given(Harm(who="kara", amount="9"))
    scene.when(use("divine spark", "kara", chosen=("heal",))).rolling(4).then(like(events.HitPointsRestored, amount=7))
    scene.go_on().when(use("divine spark", "post", chosen=("harm", "radiant"))).rolling(5, 8).then(
        like(HURT, amount=11)
    )
    of("cleric", 2).when(use("divine spark", "post")).refused("heal, harm")


@rule("R5.366", "R5.367")
def test_turned_undead_are_frightened_and_from_level_5_seared() -> None:
    scene = of("cleric", 5, monster("Zombie")).when(use("turn undead", "zombie", "post")).rolling(2, 3, 4, 5)
    scene.then(
        like(events.ConditionBegan, character="zombie", condition="frightened"),
        like(HURT, character="zombie", amount=12),
    )


@rule("R5.368", "R5.433", "R5.381")
@pytest.mark.parametrize(
    ("key", "level", "choice", "faces", "amount"),
    [
        ("cleric", 7, ("blessed-strikes-1", "divine-strike"), (15, 8, 6), 17),
        ("druid", 7, ("elemental-fury-1", "primal-strike"), (15, 8, 6), 17),
        ("paladin", 11, ("", ""), (15, 8, 6), 17),
    ],
)
def test_some_strikes_deal_a_die_more(key, level, choice, faces, amount) -> None:
    scene = of(key, level)
    if choice[0]:
        scene = scene.given(Choose(who="kara", choice=choice[0], picked=choice[1]))
    scene = fight(scene).when(swing()).rolling(*faces)
    scene.then(like(HURT, amount=amount))


@rule("R5.372")
def test_preserve_life_divides_points_up_to_half() -> None:
    bo = fighter(name="Bo", hp=40)
    scene = of("cleric", 3, bo).given(Harm(who="bo", amount="35"))
    assert hp(scene.given(use("preserve life", "bo")), "bo") == 20


@rule("R5.377", "R5.378", "R5.187")
def test_a_druid_takes_the_numbers_of_a_beast_and_keeps_hit_points() -> None:
    scene = of("druid", 2)
    before = hp(scene, "kara")
    shaped = again(scene).given(use("wild shape", chosen=("wolf",)))
    sheet = shaped.sheet("kara")
    assert (sheet.amount("ac"), sheet.amount("speed"), hp(shaped, "kara"), sheet.amount("temporary")) == (
        12,
        40,
        before,
        2,
    )
    back = shaped.given(use("wild shape", chosen=("back",)))
    assert back.sheet("kara").amount("speed") == 30 and back.before.characters["kara"].stats["str"] == 16
    assert hp(back, "kara") == before
    scene.when(use("wild shape", chosen=("brown-bear",))).refused("up to challenge 1/4")


@rule("R5.377")
def test_a_form_is_lost_with_consciousness() -> None:
    scene = of("druid", 2).given(use("wild shape", chosen=("wolf",)), Harm(who="kara", amount="80"))
    assert not scene.before.characters["kara"].traits_of("stat block")
