"""Armour classes, and what heavy armour costs in speed."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, JoinEncounter
from rollbook.rulesets.storytoken.fight.movement import Move
from rollbook.testing.scenarios import like, rule, with_dice


@rule("R0.39", "R0.40", "R0.41", "R0.42", "R0.43", "R0.49", "Q0.13")
@pytest.mark.parametrize(
    ("armour", "ac", "speed"),
    [("none", 13, 40), ("light", 15, 40), ("medium", 15, 40), ("heavy", 17, 35), ("superheavy", 20, 30)],
)
def test_armour_sets_the_class_and_may_slow(nobody, armour: str, ac: int, speed: int) -> None:
    knight = Join(
        name="Knight", id="knight", kind="npc", scores=("10", "18", "10", "10", "10", "10"), hp=9, armour=armour
    )
    sheet = nobody().given(knight).sheet("knight")
    assert (sheet.amount("ac"), sheet.amount("speed")) == (ac, speed)


@rule("R0.39")
def test_a_clumsy_fighter_without_armour_is_easier_to_hit(nobody) -> None:
    ox = Join(name="Ox", id="ox", kind="npc", scores=("18", "4", "10", "10", "10", "10"), hp=9)
    assert nobody().given(ox).sheet("ox").amount("ac") == 8


@rule("R0.45")
@pytest.mark.parametrize("ac", [8, 13, 23])
def test_a_monsters_armour_class_is_entered(nobody, ac: int) -> None:
    sheet = nobody().given(Join(name="Beast", kind="monster", hp=9, ac=ac, id="beast")).sheet("beast")
    assert sheet.amount("ac") == ac


@rule("R0.44")
def test_a_shield_adds_1(sherwood) -> None:
    shield = events.GearGained(character="robin", item="buckler", use=("shield",))
    assert sherwood().given(shield).sheet("robin").amount("ac") == 16


@rule("R0.170", "Q0.64")
def test_the_obscure_are_harder_to_hit_until_they_move(sherwood) -> None:
    fight = sherwood().when(BeginEncounter(participants=("holmes", "guard"), hidden=("holmes",))).rolling(18, 3)
    assert fight.sheet("holmes").amount("ac") == 15
    moved = fight.go_on().when(Move(who="holmes", feet=5))
    moved.then(events.ConditionEnded(character="holmes", condition="hidden"))
    assert moved.sheet("holmes").amount("ac") == 11


@rule("R0.170", "Q0.64", "Q0.10")
def test_anyone_who_arrives_in_a_fight_may_be_hidden_too(sherwood) -> None:
    fight = sherwood().given(with_dice(BeginEncounter(participants=("marian", "guard")), 18, 3))
    seen, unseen = JoinEncounter(who="holmes"), JoinEncounter(who="holmes", hidden=True)
    assert fight.when(seen).sheet("holmes").amount("ac") == 11
    assert fight.when(unseen).sheet("holmes").amount("ac") == 15


@rule("QG.8")
def test_a_ruling_on_the_armour_class_shows_as_such(sherwood) -> None:
    blessed = events.StatChanged(character="robin", stat="ac", amount=2)
    value = sherwood().given(blessed).sheet("robin").value("ac")
    assert value is not None
    assert value.amount == 17
    assert any(term.label == "ruling" and term.amount == 2 for term in value.terms)
    assert like(events.StatChanged, stat="ac")(blessed)
