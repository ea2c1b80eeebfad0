"""A forecast says exactly how likely everything is that may come of an action, whatever the rules look at."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain.actions.dice import RollDice
from rollbook.domain.dice.odds import chance, distribution
from rollbook.plugin import events
from rollbook.rulesets.storytoken import RULESET as STORYTOKEN
from rollbook.rulesets.storytoken.body.harm import Harm, Hazard, Heal
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import scenario
from tests.support import toy
from tests.support.bones import WAYS, Look, agrees, bones, seen, sherwood, toys


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "roll", ["1d6", "2d4", "2d6kh1 + 1", "3d3kl2", "2d4ro=1", "1d3ro=1 + 1d4", "2 + 1d4 + 1d3", "max(1d4, 1d3)"]
)
def test_however_a_rule_looks_it_is_what_all_faces_come_to(way: str, roll: str) -> None:
    if (way, roll) == ("more dice", "2 + 1d4 + 1d3"):
        roll = "1d4"
    found = agrees(bones(), Look(roll=roll, way=way))
    assert found.not_followed == 0


@given(
    skill=st.integers(-5, 12), lost=st.integers(0, 7), weapon=st.sampled_from(("club", "sword")), back=st.integers(1, 3)
)
@settings(max_examples=25, deadline=None)
def test_the_toy_comes_to_what_all_faces_come_to(skill: int, lost: int, weapon: str, back: int) -> None:
    campaign = toys(skill, lost)
    agrees(campaign, toy.Attack(attacker="robin", target="guard", weapon=weapon))
    agrees(campaign, toy.Hide(who="robin"))
    agrees(campaign, toy.Bet(who="robin", dice=back))
    if lost:
        agrees(campaign, toy.Heal(who="guard", dice=back))


EASES = st.lists(st.sampled_from(("high ground", "aim")), max_size=1, unique=True).map(tuple)


@pytest.mark.slow
@given(ease=EASES, strain=EASES, bonus=st.integers(-9, 9), cover=st.booleans(), half=st.sampled_from(("floor", "ceil")))
@settings(max_examples=4, deadline=None)
def test_storytoken_comes_to_what_all_faces_come_to(
    ease: tuple[str, ...], strain: tuple[str, ...], bonus: int, cover: bool, half: str
) -> None:
    campaign = sherwood(light_half=half)
    how: dict[str, Any] = {"advantage": ease, "disadvantage": strain, "bonus": (f"{bonus:+d} luck",)}
    agrees(campaign, Attack(attacker="robin", target="guard", weapon="light", cover=cover, carry_to=("deputy",), **how))
    agrees(campaign, Attack(attacker="robin", target="dracula", weapon="heavy-melee", cover=cover))
    agrees(campaign, Check(who="robin", ability="dex", target="hard", **how))
    agrees(campaign, Save(who="guard", ability="wis", caster="dracula", **how))
    agrees(campaign, Hazard(who="guard", level=7, ability="con", **how))
    agrees(campaign, Harm(who="guard", amount="2d6"))


def test_healing_is_forecast_too() -> None:
    hurt = scenario(STORYTOKEN).given(
        Join(name="Guard", id="guard", kind="monster", ac=13, hp=9),
        events.DamageTaken(character="guard", amount=11, dealt=11),
        events.ConditionBegan(character="guard", condition="unconscious"),
    )
    found = agrees(hurt.before, Heal(who="guard", amount="1d6"))
    assert found.chance_of("guard", "unconscious", began=False) == Fraction(4, 6)
    assert found.amount("guard", "healing").mean == Fraction(7, 2)


@given(skill=st.integers(-12, 12))
@settings(max_examples=25, deadline=None)
def test_a_plain_check_is_as_likely_as_its_dice_are(skill: int) -> None:
    (check,) = seen(toys(skill), toy.Attack(attacker="robin", target="guard")).checks
    assert check.success == chance(f"1d20 + {skill}" if skill >= 0 else f"1d20 - {-skill}", 11)
    assert check.made == 1


def test_a_roll_without_a_rule_shows_its_totals() -> None:
    (roll,) = seen(toys(), RollDice(expression="8d6 + 2", who="robin")).rolls
    assert (roll.made, roll.totals) == (1, distribution("8d6 + 2"))


def test_a_damage_roll_is_only_made_after_a_hit() -> None:
    found = seen(toys(skill=0), toy.Attack(attacker="robin", target="guard"))
    assert [(each.roll.purpose, each.roll.ordinal, each.made) for each in found.rolls] == [
        ("to hit", 0, 1),
        ("damage", 0, Fraction(1, 2)),
        ("damage", 1, Fraction(1, 20)),
    ]
