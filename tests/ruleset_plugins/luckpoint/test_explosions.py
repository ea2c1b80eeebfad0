"""Everybody near an explosion dodges, and one roll of damage goes for all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.plugin import events
from rollbook.rulesets.luckpoint.attack import Attack, Explode
from rollbook.rulesets.luckpoint.encounter import EndTurn
from rollbook.rulesets.luckpoint.saves import Hazard
from rollbook.testing.scenarios import like, rule
from tests.support.luckpoint import CHECKED, HURT, ROLLED, at_table, in_fight, luck_point, with_damage

BOOM = Explode(targets=("ada", "ben"), name="dynamite")


@rule("R1.30", "Q1.20")
def test_dynamite_does_4d6_to_all_who_are_near_and_half_to_those_who_dodge() -> None:
    game = at_table().when(BOOM).rolling(11, 13, 1, 2, 1, 1)
    game.then(
        like(CHECKED, character="ada", check="Maneuvers save", total=15, target=15, success=True, against="dynamite"),
        like(CHECKED, character="ben", total=14, success=False),
        like(ROLLED, purpose="damage", total=5),
        like(HURT, character="ada", amount=2),
        like(HURT, character="ben", amount=5),
    )


@rule("R1.31")
def test_a_rocket_does_8d6() -> None:
    game = at_table().when(Explode(targets=("ada",), kind="rocket")).rolling(2, 1, 1, 1, 1, 1, 1, 1, 1)
    game.then(like(ROLLED, purpose="damage", total=8), like(HURT, character="ada", amount=8))


@rule("Q1.19", "R1.30")
def test_nothing_is_added_to_an_explosion_by_its_thrower() -> None:
    thrown = Explode(targets=("thug",), attacker="ada")
    at_table().when(thrown).rolling(2, 1, 1, 1, 1).then(
        like(ROLLED, roller="ada", purpose="damage", total=4), like(HURT, character="thug", amount=4, source="ada")
    )


@rule("Q1.20", "QG.1")
@given(dice=st.lists(st.integers(1, 6), min_size=4, max_size=4), rounding=st.sampled_from(("floor", "ceil")))
def test_half_of_an_explosion_is_rounded_as_the_table_rounds(dice: list[int], rounding: str) -> None:
    game = at_table(rounding=rounding).when(Explode(targets=("goon",))).rolling(20, *dice)
    game.then(like(HURT, character="goon", amount=sum(dice) // 2 if rounding == "floor" else (sum(dice) + 1) // 2))


@rule("Q1.20")
@pytest.mark.parametrize(("explosion_save", "saved"), [(15, True), (16, False)])
def test_the_save_is_15_or_what_the_table_plays(explosion_save: int, saved: bool) -> None:
    game = at_table(explosion_save=explosion_save).when(Explode(targets=("ada",))).rolling(11, 1, 1, 1, 1)
    game.then(like(CHECKED, target=explosion_save, success=saved), like(HURT, amount=2 if saved else 4))


@rule("Q1.20", "QG.2")
def test_at_some_tables_who_dodges_is_not_hurt_at_all() -> None:
    game = at_table(explosion_on_success="none").when(BOOM).rolling(11, 13, 1, 2, 1, 1)
    game.then(like(HURT, character="ben", amount=5)).never(like(HURT, character="ada"))
    at_table(explosion_on_success="none").when(Explode(targets=("ada",))).rolling(20).never(HURT, like(ROLLED, total=4))


@rule("R1.22", "R1.16")
def test_throwing_takes_an_action_and_dodging_takes_none() -> None:
    game = in_fight().given(EndTurn(next="ada")).when(Explode(targets=("goon", "ben"), attacker="ada"))
    game.rolling(2, 2, 1, 1, 1, 1).then(like(events.TurnSpent, character="ada", what="action"))
    assert len(game.events(events.TurnSpent)) == 1
    game.go_on().when(Attack(attacker="ada", target="goon", weapon="sword")).refused("Ada has acted this turn")


@rule("R1.10")
def test_luck_after_a_dodge_names_whose_roll_it_is() -> None:
    game = at_table().when(BOOM, luck_point(roll=1, who="ben")).rolling(2, 3, 19, 1, 1, 1, 1)
    game.then(like(CHECKED, character="ada", success=False), like(CHECKED, character="ben", total=20, success=True))


@rule("R1.46", "R1.22")
def test_even_those_with_critical_wounds_save_for_free() -> None:
    game = with_damage(at_table(), "ada", 16).when(Explode(targets=("ada",))).rolling(11, 1, 1, 1, 1)
    game.then(like(CHECKED, character="ada", success=True), like(HURT, character="ada", amount=2))


def test_an_explosion_wants_people_near_it_each_named_once() -> None:
    at_table().when(Explode(targets=())).refused("Nobody is near")
    at_table().when(Explode(targets=("ada", "ada"))).refused("named twice")
    at_table().when(Explode(targets=("ada",), lucky=("ben",))).refused("Ben is not near the explosion")
    at_table().when(Attack(attacker="ada", target="thug", weapon="explosion")).refused("explosion thug")


@rule("R1.22", "R1.41")
@pytest.mark.parametrize(("face", "on_success", "amount"), [(12, "half", 2), (12, "none", 0), (11, "half", 5)])
def test_other_hazards_are_saved_against_as_the_gm_says(face: int, on_success: str, amount: int) -> None:
    gas = Hazard(who="ada", skill="endurance", damage="1d6", name="gas", on_success=on_success, tags=("poison",))
    dice = (face,) if not amount else (face, 5)
    game = at_table().when(gas).rolling(*dice)
    game.then(like(CHECKED, check="Endurance save", against="gas", success=face == 12))
    assert [(hurt.amount, hurt.tags) for hurt in game.events(HURT)] == ([(amount, ("poison",))] if amount else [])
