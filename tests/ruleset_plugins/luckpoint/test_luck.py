"""Luck helps before a roll or after it, never both ways at once for one point, and comes back by the hour."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.characters import Adjust, ChangeTrait
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.attack import Attack, Explode
from rollbook.rulesets.luckpoint.checks import Check, Oppose
from rollbook.rulesets.luckpoint.creation import Join
from rollbook.rulesets.luckpoint.luck import LUCK, luck_cap
from rollbook.rulesets.luckpoint.saves import Save
from rollbook.testing.scenarios import Scenario, like, rule, scenario, with_dice
from tests.support.luckpoint import CHECKED, GAINED, HURT, ROLLED, SPENT, at_table, hours_pass, luck_point, with_damage

CLIMB = Check(who="ada", skill="maneuvers")
LUCKY = Join(name="Lily", abilities=("0", "0", "0", "2", "1", "3"), special=("lucky",), skills={"lore": 1, "primal": 1})


def held(game: Scenario, who: str = "ada") -> int:
    return game.character(who).pools.get(LUCK, 0)


def spent(game: Scenario, who: str, many: int) -> Scenario:
    """Points have been spent."""
    return game.given(*[SPENT(holder=who, pool=LUCK, amount=1)] * many)


# After the roll.


@rule("R1.10")
def test_a_point_after_a_roll_brings_another_die_and_the_higher_counts() -> None:
    game = at_table().when(CLIMB, luck_point(who="ada")).rolling(3, 17)
    game.then(
        like(ROLLED, total=7, purpose="check"),
        like(SPENT, holder="ada", pool=LUCK, amount=1),
        like(ROLLED, total=21),
        like(CHECKED, total=21, success=True),
    )
    assert held(game) == 1
    worse = at_table().when(CLIMB, luck_point(who="ada")).rolling(12, 2)
    worse.then(like(CHECKED, total=16, success=True))
    assert held(worse) == 1


@rule("Q1.10", "R1.10")
@pytest.mark.parametrize("sway", ["advantage", "disadvantage"])
def test_luck_after_a_roll_is_for_normal_rolls_only(sway: str) -> None:
    swayed = Check(who="ada", skill="maneuvers", **{sway: ("ice",)})
    at_table().when(swayed, luck_point(who="ada")).rolling(3, 4).refused("Luck after a roll is for a normal one")


@rule("Q1.10")
def test_one_roll_takes_one_point_after_it() -> None:
    at_table().when(CLIMB, luck_point(), luck_point()).rolling(3, 4, 5).refused("Luck after a roll is for a normal one")


@rule("Q1.10", "R1.19")
def test_the_new_die_may_be_a_natural_20() -> None:
    strike = Attack(attacker="ada", target="goon", weapon="sword")
    game = at_table().when(strike, luck_point(who="ada")).rolling(2, 20)
    game.then(like(CHECKED, outcome="natural 20", success=True), like(HURT, character="goon", amount=9))


@rule("Q1.10", "R1.20", "QG.3")
def test_a_natural_1_stays_only_if_both_dice_are_1() -> None:
    strike = Attack(attacker="ada", target="goon", weapon="sword", bonus=("+15 from behind",))
    at_table().when(strike, luck_point()).rolling(1, 1).then(like(CHECKED, outcome="natural 1", success=False))
    at_table().when(strike, luck_point()).rolling(1, 2, 4).then(like(CHECKED, outcome="hit", success=True))


@rule("Q1.10")
def test_luck_is_only_for_ones_own_roll() -> None:
    at_table().when(CLIMB, luck_point(who="ben")).rolling(3).refused("This roll is Ada's")


@rule("R1.10")
def test_without_points_there_is_no_luck() -> None:
    empty = spent(at_table(), "ada", 2)
    empty.when(CLIMB, luck_point(who="ada")).rolling(3).refused("Ada has no luck to spend")
    at_table().when(Check(who="goon", skill="dex"), luck_point(who="goon")).rolling(3).refused("luck is for characters")


def test_a_point_for_a_roll_that_was_never_made_is_refused() -> None:
    at_table().when(CLIMB, luck_point(roll=1)).rolling(3).refused("no roll 1")


def test_the_lower_die_cannot_be_kept() -> None:
    at_table().when(CLIMB, luck_point(keep="new")).rolling(3, 2).refused("the higher of the two dice counts")


@rule("R1.10", "Q1.10")
def test_luck_can_turn_an_opposed_roll_and_a_saving_throw_too() -> None:
    pull = Oppose(who="ada", skill="maneuvers", opponent="goon", opponent_skill="maneuvers")
    at_table().when(pull, luck_point(who="ada")).rolling(2, 19, 10).then(
        like(CHECKED, total=23, target=12, success=True)
    )
    bear = Save(who="ada", skill="endurance")
    at_table().when(bear, luck_point(who="ada")).rolling(2, 12).then(like(CHECKED, total=15, success=True))


# Before the roll.


@rule("R1.11")
def test_a_point_before_a_roll_takes_disadvantage_away() -> None:
    iced = Check(who="ada", skill="maneuvers", disadvantage=("ice",), luck=True)
    game = at_table().when(iced).rolling(11)
    game.then(like(SPENT, holder="ada", amount=1), like(ROLLED, total=15), like(CHECKED, success=True))
    assert held(game) == 1


@rule("Q1.10", "R1.11", "R1.10")
def test_then_a_second_point_may_still_bring_another_die() -> None:
    iced = Check(who="ada", skill="maneuvers", disadvantage=("ice",), luck=True)
    game = at_table().when(iced, luck_point(who="ada")).rolling(2, 11)
    game.then(like(SPENT, amount=1), like(SPENT, amount=1), like(CHECKED, total=15, success=True))
    assert held(game) == 0


@rule("R1.11")
def test_a_point_before_a_roll_without_disadvantage_is_refused() -> None:
    at_table().when(Check(who="ada", skill="maneuvers", luck=True)).refused("has none here")
    for kind in (
        Save(who="ada", skill="lore", luck=True),
        Attack(attacker="ada", target="goon", weapon="sword", luck=True),
    ):
        at_table().when(kind).refused("Luck before a roll takes disadvantage away")


@rule("R1.11", "QG.4")
def test_what_advantage_cancels_already_needs_no_luck() -> None:
    even = Check(who="ada", skill="maneuvers", advantage=("a rope",), disadvantage=("ice",), luck=True)
    at_table().when(even).refused("Luck before a roll takes disadvantage away")


@rule("R1.11")
def test_attacks_saves_and_explosions_take_luck_before_the_roll_as_well() -> None:
    dark = ("dark",)
    strike = Attack(attacker="ada", target="goon", weapon="sword", disadvantage=dark, luck=True)
    at_table().when(strike).rolling(9, 1).then(like(SPENT, holder="ada"), like(CHECKED, total=13, success=True))
    bear = Save(who="ada", skill="endurance", disadvantage=dark, luck=True)
    at_table().when(bear).rolling(12).then(like(SPENT, holder="ada"), like(CHECKED, success=True))
    blast = Explode(targets=("ada", "una"), disadvantage=dark, lucky=("ada",))
    game = at_table().when(blast).rolling(11, 20, 2, 1, 1, 1, 1)
    game.then(like(SPENT, holder="ada"), like(CHECKED, character="ada", total=15, success=True))
    assert [roll.total for roll in game.events(ROLLED)][:2] == [15, 4]


# How it comes back.


@rule("R1.12")
def test_a_point_comes_back_with_every_hour() -> None:
    game = spent(at_table(), "ada", 2).when(hours_pass(1))
    game.then(like(GAINED, holder="ada", pool=LUCK, amount=1))
    assert held(game) == 1
    assert held(game.go_on().when(PassTime(amount=59, unit="minutes"))) == 1


@rule("R1.12", "Q1.9")
def test_hours_are_counted_from_the_arrival_and_not_by_the_chimes() -> None:
    late = at_table().given(
        events.TimePassed(seconds=1_800), Join(name="Kit"), SPENT(holder="kit", pool=LUCK, amount=2)
    )
    assert held(late.given(PassTime(amount=59, unit="minutes")), "kit") == 0
    assert held(late.given(PassTime(amount=1, unit="minutes")), "kit") == 1


@rule("Q1.9", "R1.13")
def test_hours_at_the_cap_are_lost() -> None:
    game = (
        at_table()
        .given(hours_pass(5))
        .given(with_dice(Check(who="ada", skill="wis", disadvantage=("x",), luck=True), 4))
    )
    assert held(game) == 1
    game.when(PassTime(amount=30, unit="minutes")).never(like(GAINED, pool=LUCK))


@rule("R1.13", "R1.12", "R1.55")
@given(used=st.integers(0, 4), many=st.integers(1, 30))
def test_luck_never_passes_the_cap_however_long_one_waits(used: int, many: int) -> None:
    game = scenario(RULESET).given(LUCKY, Join(name="Kit"))
    game = spent(spent(game, "lily", used), "kit", min(used, 2)).given(hours_pass(many))
    assert held(game, "lily") == min(4, 4 - used + 2 * many)
    assert held(game, "kit") == min(2, 2 - min(used, 2) + many)


@rule("R1.13")
def test_luck_that_somebody_has_above_the_cap_by_ruling_stays_and_brings_no_more() -> None:
    gift = at_table().given(GAINED(holder="ada", pool=LUCK, amount=3))
    assert held(gift.when(hours_pass(3))) == 5
    gift.never(like(GAINED, pool=LUCK))


@rule("R1.55")
def test_the_lucky_hold_four_and_gain_two_an_hour() -> None:
    game = scenario(RULESET).given(LUCKY)
    assert held(game, "lily") == luck_cap(game.character("lily")) == 4
    assert str(game.sheet("lily").value("luck")) == "4 of 4"
    assert dict(game.sheet("lily").words)["Luck"] == "2 points an hour"
    assert held(spent(game, "lily", 3).given(hours_pass(1)), "lily") == 3


@rule("Q1.8")
@pytest.mark.parametrize(("luck_start", "many"), [("cap", 2), ("0", 0)])
def test_newcomers_hold_all_they_can_or_none(luck_start: str, many: int) -> None:
    game = scenario(RULESET, luck_start=luck_start).given(Join(name="Kit"), LUCKY)
    assert held(game, "kit") == many
    assert held(game, "lily") == 2 * many


@rule("R1.12", "QG.9")
def test_the_dead_gain_no_luck_and_the_dying_do() -> None:
    game = spent(spent(at_table(), "una", 2), "ben", 2)
    game = with_damage(game, "una", 20).given(events.ConditionBegan(character="ben", condition="stable"), hours_pass(1))
    assert held(game, "una") == 0
    assert held(game, "ben") == 1


def test_monsters_have_no_luck() -> None:
    assert held(at_table(), "goon") == 0
    assert held(at_table().given(hours_pass(3)), "goon") == 0


def test_the_gm_can_hand_out_luck_and_take_it_back() -> None:
    raised = at_table().given(Adjust(who="ada", what="pool:luck", by=1, reason="a four-leaf clover"))
    assert held(raised) == 3
    lucky = at_table().given(ChangeTrait(who="ada", trait="lucky", kind="special"))
    assert luck_cap(lucky.character("ada")) == 4
