"""Five sorts of saves, all a d20 and a bonus against a DC."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.saves import Save
from rollbook.testing.scenarios import like, rule, scenario

CLERIC = Join(name="Ann", at=("0", "0"), class_name="cleric", scores=("3", "1", "2", "-1", "4", "0"))


@rule("R4.25", "R4.26", "Q4.1")
@pytest.mark.parametrize(
    ("typed", "title", "bonus"),
    [
        ("fortitude", "Fortitude", 6),
        ("ref", "Reflex", 2),
        ("Will", "Will", 8),
        ("concentration", "Concentration", 10),
        ("heal", "Heal", 12),
        ("hide", "Hide", 1),
        ("strength", "Strength", 3),
        ("int", "Intelligence", -1),
    ],
)
def test_every_sort_of_save_has_its_own_base_and_meets_its_dc_or_does_not(typed, title, bonus) -> None:
    scene = scenario(RULESET).given(CLERIC)
    just = scene.when(Save(who="ann", save=typed, dc=10 + bonus)).rolling(10)
    just.then(like(events.CheckResolved, check=f"{title} save", total=10 + bonus, success=True))
    scene.when(Save(who="ann", save=typed, dc=10 + bonus)).rolling(9).then(like(events.CheckResolved, success=False))


@rule("Q4.4")
def test_neither_a_one_nor_a_twenty_decides_a_save_by_itself() -> None:
    scene = scenario(RULESET).given(CLERIC)
    scene.when(Save(who="ann", save="will", dc=9)).rolling(1).then(like(events.CheckResolved, success=True))
    scene.when(Save(who="ann", save="will", dc=29)).rolling(20).then(like(events.CheckResolved, success=False))


@rule("R4.25", "Q4.33")
def test_an_unknown_save_is_refused_and_a_missing_dc_is_fifteen() -> None:
    scene = scenario(RULESET).given(CLERIC)
    scene.when(Save(who="ann", save="luck")).refused("luck")
    scene.when(Save(who="ann", save="will")).rolling(7).then(like(events.CheckResolved, target=15, success=True))
    scene.when(Save(who="ann", save="will", bonus=("+1 warned",))).rolling(6).then(
        like(events.CheckResolved, total=15, success=True)
    )
