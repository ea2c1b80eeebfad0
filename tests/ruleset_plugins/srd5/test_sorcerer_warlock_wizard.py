"""Sorcerers, warlocks and wizards at the table: points, pacts, slots that come back."""

from __future__ import annotations

from rollbook.plugin import SecondThought, events
from rollbook.rulesets.srd5.growth.rests import LongRest, ShortRest
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import again
from tests.support.srd5_classes import left, of, use

CHECKED = events.CheckResolved


@rule("R5.471", "R5.472", "R5.473")
def test_a_sorcerer_turns_slots_into_points_and_back() -> None:
    scene = of("sorcerer", 3)
    assert left(scene, "font of magic") == 3
    made = again(scene).given(use("points to slot", slot=1))
    assert left(made, "font of magic") == 1 and made.sheet("kara").amount("slots_1") == 5
    back = again(made).given(use("slot to points", slot=2))
    assert left(back, "font of magic") == 3 and back.sheet("kara").amount("slots_2") == 1
    scene.when(use("points to slot", slot=3)).refused("from level 5 on")


@rule("R5.477", "R5.206")
def test_sorcery_points_come_back_in_part_after_a_short_rest() -> None:
    scene = of("sorcerer", 5).given(use("points to slot", slot=2), use("sorcerous restoration"))
    assert left(scene, "font of magic") == 4


@rule("R5.487", "R5.488", "R5.230")
def test_pact_slots_come_back_by_cunning_and_with_any_rest() -> None:
    spent = events.PoolGained(holder="kara", pool="pact slots spent", amount=2)
    scene = of("warlock", 3).given(spent)
    assert again(scene).given(use("magical cunning")).sheet("kara").amount("pact_slots") == 1
    assert scene.given(ShortRest(who=("kara",))).sheet("kara").amount("pact_slots") == 2


@rule("R5.493", "R5.495")
def test_a_fiend_lends_luck_and_hell() -> None:
    scene = of("warlock", 6).when(
        Save(who="kara", ability="str", dc=15), SecondThought(kind="own-luck", character="kara")
    )
    scene.rolling(5, 8).then(like(CHECKED, total=16))


@rule("R5.498", "R5.386")
def test_arcane_recovery_brings_slots_of_half_the_level() -> None:
    spent = events.PoolGained(holder="kara", pool="slots spent:2", amount=2)
    scene = of("wizard", 4).given(spent)
    assert again(scene).given(use("arcane recovery", chosen=("2",))).sheet("kara").amount("slots_2") == 2
    again(scene).when(use("arcane recovery", chosen=("2", "1"))).refused("add up to 2")
    assert scene.given(LongRest(who=("kara",))).sheet("kara").amount("slots_2") == 3
