"""A reroll repeats the roll as it was, costs one effect, and leaves every result that was seen to choose from."""

from __future__ import annotations

import pytest

from rollbook.plugin import SecondThought, events, second_thought
from rollbook.rulesets.powers.attack import Attack
from rollbook.rulesets.powers.checks import REROLL, Check
from rollbook.testing.scenarios import like, rule

CHECKED, ROLLED = events.CheckResolved, events.DiceRolled
LUCKY = events.PoolGained(holder="alice", pool=REROLL, amount=3)
SNEAK = Check(who="alice", stat="stealth", advantage=("the dark",), bonus=("+1 boots",))


def again(keep: str = "", who: str = "alice", roll: int = 0) -> SecondThought:
    return second_thought(REROLL, who, keep=keep, roll=roll)


@rule("R2.9", "Q2.11")
def test_the_second_roll_has_the_bonuses_and_the_advantage_of_the_first(table) -> None:
    played = table().given(LUCKY).when(SNEAK, again()).rolling(3, 5, 12, 9)
    played.then(
        like(ROLLED, expression="2d20kh1[the dark] + 2[Stealth] + 1[boots]", total=8, purpose="check"),
        events.PoolSpent(holder="alice", pool=REROLL, amount=1, reason="Alice's check"),
        like(ROLLED, expression="2d20kh1[the dark] + 2[Stealth] + 1[boots]", total=15, purpose="check rerolled"),
        like(CHECKED, total=15, success=True),
        only=True,
    )
    assert played.character("alice").pools[REROLL] == 2


@rule("R2.9")
@pytest.mark.parametrize(("keep", "total"), [("new", 6), ("old", 15), ("best", 15), ("", 15), ("worst", 6)])
def test_either_result_may_be_kept(table, keep: str, total: int) -> None:
    sneak = Check(who="alice", stat="stealth")
    table().given(LUCKY).when(sneak, again(keep)).rolling(13, 4).then(like(CHECKED, total=total))


@rule("Q2.11")
@pytest.mark.parametrize(
    ("first", "second", "total"),
    [
        ("new", "1", 12),
        ("old", "2", 17),
        ("new", "3", 7),
        ("worst", "best", 17),
        ("best", "worst", 7),
        ("new", "old", 17),
    ],
)
def test_every_effect_is_one_more_roll_and_any_result_seen_may_be_kept(
    table, first: str, second: str, total: int
) -> None:
    sneak = Check(who="alice", stat="stealth")
    played = table().given(LUCKY).when(sneak, again(first), again(second)).rolling(10, 15, 5)
    played.then(like(CHECKED, total=total))
    assert played.character("alice").pools[REROLL] == 1


@rule("Q2.11")
def test_a_result_that_nobody_has_seen_cannot_be_kept(table) -> None:
    sneak = Check(who="alice", stat="stealth")
    table().given(LUCKY).when(sneak, again("3")).rolling(10, 15).refused("best", "1, 2", "'3'")


@rule("R2.9")
def test_anyone_who_has_no_effect_left_rolls_no_second_time(table) -> None:
    sneak = Check(who="alice", stat="stealth")
    table().when(sneak, again()).rolling(4).refused("Alice has no reroll effect", "adjust alice pool:reroll")
    table().when(sneak, again(who="")).rolling(4).refused("--by")
    dead = events.ConditionBegan(character="alice", condition="dead")
    bobs = Check(who="bob", stat="wis")
    table().given(LUCKY, dead).when(bobs, again()).rolling(4).refused("Alice is dead")


@rule("R2.9", "R2.4")
def test_a_natural_20_comes_and_goes_with_the_roll_that_is_kept(table) -> None:
    sneak = Check(who="alice", stat="stealth", target="20")
    table().given(LUCKY).when(sneak, again("new")).rolling(20, 18).then(like(CHECKED, total=20, outcome="success"))
    table().given(LUCKY).when(sneak, again("old")).rolling(20, 18).then(like(CHECKED, outcome="critical success"))


@rule("R2.9")
def test_an_ally_may_use_theirs_on_an_attack_before_anything_comes_of_it(table) -> None:
    blow = Attack(attacker="bob", targets=("cara",))
    played = table().given(LUCKY).when(blow, again()).rolling(2, 16, 6)
    played.then(
        like(ROLLED, purpose="attack roll", total=2),
        like(ROLLED, purpose="attack roll rerolled", total=16),
        like(CHECKED, success=True, against="cara"),
        like(events.DamageTaken, character="cara", amount=6),
    )


@rule("R2.9")
def test_a_second_thought_on_a_roll_that_was_never_made_is_refused(table) -> None:
    sneak = Check(who="alice", stat="stealth")
    table().given(LUCKY).when(sneak, again(roll=1)).rolling(4).refused("no roll 1", "one d20, roll 0")
