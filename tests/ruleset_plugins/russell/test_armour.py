"""Armour class descends: 9 in ordinary clothes, 2 in plate with a shield."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.testing.scenarios import rule

PLAIN = ("10",) * 6


@rule("R3.84")
@pytest.mark.parametrize(
    ("armour", "shield", "ac"),
    [
        ("none", False, 9),
        ("leather", False, 7),
        ("chain", False, 5),
        ("plate", False, 3),
        ("plate", True, 2),
        ("none", True, 8),
    ],
)
def test_the_armour_table(nobody, armour: str, shield: bool, ac: int) -> None:
    eve = Join(name="Eve", scores=PLAIN, hit_dice=("4",), armour=armour, shield=shield)
    assert nobody().given(eve).sheet("eve").amount("ac") == ac


@rule("Q3.31")
def test_dexterity_counts_in_any_armour_and_nothing_stops_at_0(nobody) -> None:
    eve = Join(name="Eve", scores=("10", "10", "18", "10", "10", "10"), hit_dice=("4",), armour="plate", shield=True)
    assert nobody().given(eve).sheet("eve").amount("ac") == 3 - 1 - 3


@rule("R3.96")
def test_a_profiles_number_counts_whatever_is_worn(nobody) -> None:
    guard = Join(name="Guard", kind="monster", profile="HD 1 AC 4", hp=3, armour="leather", shield=True)
    assert nobody().given(guard).sheet("guard").amount("ac") == 4


def test_only_the_best_armour_counts_and_none_that_was_lost(nobody) -> None:
    eve = Join(name="Eve", scores=PLAIN, hit_dice=("4",), armour="leather")
    mail = events.GearGained(character="eve", item="mail", use=("armour", "chain"))
    both = nobody().given(eve, mail)
    assert both.sheet("eve").amount("ac") == 5
    assert both.given(events.GearLost(character="eve", item="mail")).sheet("eve").amount("ac") == 7
