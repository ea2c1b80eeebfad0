"""Time does outside a fight what turns do inside it: the dying bleed, the stabilised come round."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.grid import RULESET
from rollbook.rulesets.grid.creation import Join
from rollbook.rulesets.grid.hit_points import Harm
from rollbook.testing.scenarios import Scenario, like, rule, scenario

BEGAN, ENDED, HURT, HEALED = events.ConditionBegan, events.ConditionEnded, events.DamageTaken, events.HitPointsRestored
ANN = Join(name="Ann", kind="npc", hp=5)
A_MINUTE = PassTime(amount=1, unit="minutes")


def down(damage: int, **settings: int) -> Scenario:
    return scenario(RULESET, **settings).given(ANN, Harm(who="ann", amount=str(damage)))


@rule("R4.43", "QG.13")
def test_the_dying_bleed_every_round_until_a_ten_stops_it() -> None:
    bleeds = down(7).when(PassTime(amount=3, unit="rounds")).rolling(1, 9, 5)
    bleeds.then(*[HURT(character="ann", amount=1, dealt=1, source="dying")] * 3)
    assert bleeds.sheet("ann").amount("hp") == -5
    down(7).when(PassTime(amount=3, unit="rounds")).rolling(1, 10).then(
        HURT, BEGAN(character="ann", condition="stable"), HEALED(character="ann", amount=1, source="stabilised")
    )


@rule("R4.41", "R4.43")
def test_anyone_who_bleeds_too_long_is_dead_and_rolls_no_more() -> None:
    dies = down(13).when(A_MINUTE).rolling(1, 2)
    dies.then(HURT, HURT, BEGAN(character="ann", condition="dead"))
    assert len(dies.events(events.DiceRolled)) == 2


@rule("R4.46", "Q4.26")
def test_the_stabilised_come_round_within_a_minute_and_stay_on_the_ground() -> None:
    scene = down(8).given(BEGAN(character="ann", condition="stable"))
    wakes = scene.when(A_MINUTE)
    wakes.then(
        *[HEALED(character="ann", amount=1, source="stabilised")] * 4, ENDED(character="ann", condition="stable")
    )
    wakes.never(events.DiceRolled)
    assert wakes.sheet("ann").amount("hp") == 1
    assert set(wakes.character("ann").conditions) == {"prone"}


@rule("R4.43", "Q4.25", "Q4.28")
def test_in_a_fight_time_waits_for_the_own_turn(fight) -> None:
    scene = fight({"steve": (0, 0), "odo": (5, 5)}).given(Harm(who="odo", amount="40"))
    scene.when(A_MINUTE).then(events.TimePassed).never(events.DiceRolled, HURT)
    beside = fight({"steve": (0, 0), "odo": (5, 5)}).given(ANN, Harm(who="ann", amount="7"))
    beside.when(PassTime(amount=1, unit="rounds")).rolling(3).then(like(HURT, character="ann"))


@rule("QG.13")
@pytest.mark.parametrize(("seconds", "rolls"), [(0, 0), (30, 2), (60, 1)])
def test_a_round_is_as_long_as_the_table_says(seconds: int, rolls: int) -> None:
    scene = down(6, round_seconds=seconds).when(A_MINUTE).rolling(*[1] * rolls)
    assert len(scene.events(HURT)) == rolls
    assert scene.sheet("ann").amount("hp") == -1 - rolls


def test_hours_are_no_longer_than_minutes_to_one_whom_nothing_changes() -> None:
    odd = BEGAN(character="ann", condition="incapacitated"), BEGAN(character="ann", condition="stable")
    scene = scenario(RULESET).given(ANN, *odd).when(PassTime(amount=1_000_000, unit="days"))
    scene.then(ENDED(character="ann", condition="incapacitated")).never(HURT, HEALED)
