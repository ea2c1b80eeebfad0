"""A roll is 1d20 and one stat against a DC; advantage and disadvantage cancel; any number can be a DC."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.powers.checks import LADDER, Check
from rollbook.testing.scenarios import like, rule

CHECKED, ROLLED = events.CheckResolved, events.DiceRolled


def sneak(**more) -> Check:
    return Check(who="alice", stat="stealth", **more)


@rule("R2.1")
def test_a_roll_is_a_d20_and_one_stat_and_is_named_after_it(table) -> None:
    table().when(sneak()).rolling(13).then(
        like(ROLLED, expression="1d20 + 2[Stealth]", total=15, natural=13, purpose="check"),
        CHECKED(
            character="alice",
            check="Stealth roll",
            total=15,
            target=15,
            success=True,
            outcome="success",
            against="average",
        ),
        only=True,
    )


@rule("R2.1", "Q2.12")
def test_the_bonus_may_be_any_number_and_any_stat_under_any_of_its_names(table) -> None:
    table().when(Check(who="alice", stat="7")).rolling(8).then(like(CHECKED, total=15, check="as given roll"))
    for name in ("str", "Strength", " STRENGTH "):
        table().when(Check(who="alice", stat=name)).rolling(8).then(like(CHECKED, total=11, check="Strength roll"))


@rule("Q2.12")
def test_a_stat_that_nobody_entered_is_refused_and_not_taken_for_0(table) -> None:
    said = table().when(Check(who="alice", stat="stealht")).refused("no stat called 'stealht'", "stealth")
    assert "adjust alice stealht 2 WHY" in said


@rule("R2.7")
@pytest.mark.parametrize(
    ("step", "dc"),
    [("simple", 10), ("average", 15), ("hard", 20), ("very-hard", 25), ("extremely-hard", 30), ("impossible", 40)],
)
def test_the_ladder_of_sample_dcs(table, step: str, dc: int) -> None:
    table().when(sneak(target=step)).rolling(10).then(like(CHECKED, target=dc, against=step))
    assert len(LADDER) == 6


@rule("Q2.13")
def test_any_number_is_a_dc_and_35_has_no_name(table) -> None:
    table().when(sneak(target="35")).rolling(10).then(like(CHECKED, target=35, against=""))
    assert 35 not in LADDER.values()
    table().when(sneak(target="tricky")).refused("impossible (40) or a number", "'tricky'")


@rule("R2.8")
def test_advantage_keeps_the_higher_die_and_disadvantage_the_lower(table) -> None:
    table().when(sneak(advantage=("the dark",))).rolling(4, 15).then(
        like(ROLLED, expression="2d20kh1[the dark] + 2[Stealth]", natural=15), like(CHECKED, total=17)
    )
    table().when(sneak(disadvantage=("a bell",))).rolling(4, 15).then(like(ROLLED, natural=4), like(CHECKED, total=6))


@rule("R2.8", "Q2.3", "QG.4")
def test_any_number_of_both_is_one_die(table) -> None:
    both = sneak(advantage=("the dark", "soft boots", "noise"), disadvantage=("a bell",))
    table().when(both).rolling(11).then(
        like(ROLLED, expression="1d20[the dark, soft boots, noise, against, a bell] + 2[Stealth]", total=13)
    )


@rule("QG.3")
def test_only_the_die_that_is_kept_can_be_a_20_or_a_1(table) -> None:
    table().when(sneak(disadvantage=("a bell",), target="simple")).rolling(20, 9).then(like(CHECKED, outcome="success"))
    table().when(sneak(advantage=("the dark",), target="simple")).rolling(1, 9).then(like(CHECKED, outcome="success"))
    table().when(sneak(advantage=("the dark",), target="simple")).rolling(1, 20).then(
        like(CHECKED, total=22, outcome="critical success")
    )


@rule("R2.1")
def test_further_bonuses_are_added_with_what_they_are_for(table) -> None:
    table().when(sneak(bonus=("+2 good rope", "-1 rain"))).rolling(10).then(
        like(ROLLED, expression="1d20 + 2[Stealth] + 2[good rope] - 1[rain]", total=13)
    )
    table().when(sneak(bonus=("rope",))).refused("A bonus is a number")


@rule("R2.11")
def test_a_roll_is_no_power_and_needs_no_turn(fight) -> None:
    fight().when(Check(who="bob", stat="wis")).rolling(10).then(CHECKED).never(events.TurnSpent)


def test_the_defeated_roll_nothing(table) -> None:
    down = events.ConditionBegan(character="alice", condition="defeated")
    table().given(down).when(sneak()).refused("Alice is defeated", "Healing brings Alice back")


@rule("R2.1")
def test_a_plain_number_is_for_the_gm_to_say(table) -> None:
    mira = events.SeatTaken(seat="Mira", role=events.Role.PLAYER, number=1)
    game = table().given(mira, events.ControlPassed(character="bob", seat="Mira"))
    game.when(Check(who="bob", stat="7"), seat="Mira").refused("A plain number is a ruling", "Mira names a stat")
    game.when(Check(who="bob", stat="7")).rolling(8).then(like(events.CheckResolved, total=15))


@rule("Q2.13")
@pytest.mark.parametrize(("face", "outcome"), [(2, "success"), (13, "critical success")])
def test_a_difficulty_may_be_below_0(table, face: int, outcome: str) -> None:
    table().when(sneak(target="-5")).rolling(face).then(like(CHECKED, target=-5, outcome=outcome))
    table().when(sneak(target="--5")).refused("A target is")
