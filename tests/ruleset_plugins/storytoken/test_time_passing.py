"""Rest heals, conditions end, vampires thirst and return."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.sessions import FrameScene
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.storytoken import RULESET
from rollbook.rulesets.storytoken.body.conditions import DURATIONS, TakeTime
from rollbook.rulesets.storytoken.body.harm import Heal
from rollbook.rulesets.storytoken.character.creation import BringIn, Join
from rollbook.rulesets.storytoken.character.heritage_powers import Promise
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndEncounter
from rollbook.rulesets.storytoken.fight.movement import Move
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import Scenario, like, rule, scenario, with_dice
from tests.support.storytoken import harm

RESTORED = events.HitPointsRestored


def rest(amount: int, unit: str = "hours") -> PassTime:
    return PassTime(amount=amount, unit=unit, rest=True)


@rule("R0.55", "Q0.19")
@pytest.mark.parametrize(("who", "per_hour"), [("robin", 1), ("holmes", 1), ("dracula", 2)])
def test_rest_heals_the_constitution_modifier_each_hour_and_at_least_1(sherwood, who: str, per_hour: int) -> None:
    sherwood().given(harm(who, 20)).when(rest(3)).then(
        like(RESTORED, character=who, amount=3 * per_hour, tags=("rest",))
    )


@rule("Q0.19")
def test_only_whole_hours_of_rest_count(sherwood) -> None:
    wounded = sherwood().given(harm("robin", 20))
    wounded.when(rest(59, "minutes")).never(RESTORED)
    wounded.when(rest(119, "minutes")).then(like(RESTORED, amount=1))
    wounded.when(PassTime(amount=9, unit="hours")).never(RESTORED)


@rule("Q0.19", "QG.9")
def test_the_unconscious_heal_the_dead_do_not_and_nobody_heals_past_full(sherwood) -> None:
    game = sherwood().given(harm("robin", 36), harm("guard", 30), harm("marian", 2))
    played = game.when(rest(8))
    played.then(
        events.ConditionEnded(character="robin", condition="unconscious"), like(RESTORED, character="marian", amount=2)
    )
    assert played.character("guard").lost == 30
    assert played.sheet("robin").amount("hp") == 8


@rule("Q0.82", "R0.56")
def test_things_do_not_heal(sherwood) -> None:
    assert sherwood().given(harm("door", 3)).when(rest(24)).character("door").lost == 3


@rule("R0.25")
def test_the_clock_goes_on_at_the_gms_pace(sherwood) -> None:
    assert sherwood().when(PassTime(amount=3, unit="days")).after.clock == 3 * 86_400


@rule("R0.24", "QG.13")
def test_a_round_is_10_seconds_or_what_the_table_says(sherwood) -> None:
    six = PassTime(amount=6, unit="rounds")
    assert sherwood().when(six).after.clock == 60
    assert sherwood(round_seconds=6).when(six).after.clock == 36


@rule("R0.26", "R0.27", "R0.28", "R0.29", "R0.30")
@pytest.mark.parametrize(
    ("duration", "seconds"), [("round", 10), ("minute", 60), ("hour", 3_600), ("day", 86_400), ("month", 2_592_000)]
)
def test_tasks_take_the_time_that_their_table_says(sherwood, duration: str, seconds: int) -> None:
    assert DURATIONS[duration].tasks
    played = sherwood().when(TakeTime(duration=duration, task=DURATIONS[duration].tasks[0], times=2))
    played.then(events.TimePassed(seconds=2 * seconds))


@rule("Q0.29")
def test_a_condition_ends_when_its_time_has_come(sherwood) -> None:
    afraid = events.ConditionBegan(character="robin", condition="afraid", until=600)
    game = sherwood().given(afraid)
    game.when(PassTime(amount=9, unit="minutes")).never(events.ConditionEnded)
    game.when(PassTime(amount=10, unit="minutes")).then(events.ConditionEnded(character="robin", condition="afraid"))


@rule("R0.157", "Q0.55")
def test_a_vampire_loses_a_hit_point_a_day_that_rest_does_not_bring_back(sherwood) -> None:
    played = sherwood().when(PassTime(amount=3, unit="days"))
    played.then(
        events.DamageTaken(character="dracula", amount=3, dealt=3, tags=("thirst",)),
        events.PoolGained(holder="dracula", pool="thirst", amount=3, reason="thirst"),
    )
    rested = played.go_on().when(rest(8)).never(RESTORED)
    assert rested.sheet("dracula").amount("hp") == 55


@rule("Q0.55")
def test_where_the_table_says_so_any_healing_quenches_the_thirst(sherwood) -> None:
    thirsty = sherwood(vampire_thirst="any_healing").given(PassTime(amount=3, unit="days"))
    thirsty.when(rest(2)).then(RESTORED(character="dracula", amount=3, tags=("rest",)))


@rule("Q0.55")
def test_care_does_not_quench_the_thirst(sherwood) -> None:
    thirsty = sherwood().given(PassTime(amount=3, unit="days"), harm("dracula", 10))
    thirsty.when(Heal(who="dracula", amount="20")).then(like(RESTORED, amount=10))


@rule("Q0.55")
def test_blood_quenches_the_thirst_first(sherwood) -> None:
    thirsty = sherwood().given(PassTime(amount=3, unit="days"), harm("dracula", 10))
    bite = Attack(attacker="dracula", target="holmes", weapon="bite", grappled=True)
    fed = thirsty.when(bite).rolling(10, 4)
    fed.then(like(events.PoolSpent, pool="thirst", amount=3), like(RESTORED, amount=8))
    assert fed.sheet("dracula").amount("hp") == 53


@rule("R0.157", "Q0.55")
def test_a_vampire_that_was_struck_down_is_back_at_1_minute_by_minute(sherwood) -> None:
    down = sherwood().given(harm("dracula", 60))
    back = down.when(PassTime(amount=5, unit="minutes"))
    back.then(RESTORED(character="dracula", amount=3, tags=("return",)), events.ConditionEnded)
    assert back.sheet("dracula").amount("hp") == 1


@rule("Q0.55")
def test_a_vampire_struck_down_by_sunlight_does_not_return(sherwood) -> None:
    burned = sherwood().given(harm("dracula", 60, "sunlight"))
    assert burned.when(PassTime(amount=2, unit="hours")).sheet("dracula").amount("hp") == -2


@rule("Q0.29", "Q0.55")
def test_a_century_of_thirst_is_soon_reckoned(sherwood) -> None:
    played = sherwood().when(PassTime(amount=36_500, unit="days", rest=True))
    hp = played.sheet("dracula").amount("hp")
    assert -58 <= hp <= 1
    assert not played.character("dracula").has("dead")


@rule("Q0.76", "R0.100")
def test_a_long_rest_ends_what_lasts_until_one(sherwood) -> None:
    insulted = events.ConditionBegan(character="robin", condition="impaired-cha", data={"ends": "long rest"})
    sherwood().given(insulted).when(rest(7)).never(events.ConditionEnded)
    sherwood().given(insulted).when(rest(8)).then(events.ConditionEnded(character="robin", condition="impaired-cha"))
    sherwood(long_rest_hours=6).given(insulted).when(rest(6)).then(events.ConditionEnded)


@rule("R0.55", "Q0.19")
def test_half_an_hour_twice_is_an_hour_of_rest(sherwood) -> None:
    half = rest(30, "minutes")
    game = sherwood().given(harm("robin", 20), half)
    game.when(half).then(RESTORED(character="robin", amount=1, tags=("rest",)))
    game.given(half).when(half).never(RESTORED)
    game.given(half).when(half).then(like(RESTORED, character="robin", amount=1))


@rule("R0.55", "Q0.19")
@pytest.mark.parametrize(
    "between",
    [
        PassTime(amount=1, unit="seconds"),
        FrameScene(title="Wolves"),
        harm("guard", 1),
        Move(who="robin", feet=5),
        with_dice(Check(who="holmes", ability="int"), 9),
        (with_dice(BeginEncounter(participants=("robin", "guard")), 9, 3), EndEncounter()),
    ],
    ids=("time", "scene", "damage", "movement", "check", "fight"),
)
def test_a_rest_that_something_interrupts_is_begun_again(sherwood, between) -> None:
    half = rest(30, "minutes")
    game = sherwood().given(harm("robin", 20), half, between)
    game.when(half).never(RESTORED)
    game.given(half).when(half).then(like(RESTORED, character="robin", amount=1))


@rule("Q0.76", "R0.100")
def test_eight_hours_in_several_commands_are_a_long_rest(sherwood) -> None:
    insulted = events.ConditionBegan(character="robin", condition="impaired-cha", data={"ends": "long rest"})
    over = events.ConditionEnded(character="robin", condition="impaired-cha")
    rested = sherwood().given(insulted, rest(5), rest(2))
    rested.when(rest(59, "minutes")).never(over)
    rested.when(rest(1)).then(over)
    sherwood().given(rest(7), insulted).when(rest(1)).never(over)
    sherwood().given(rest(7), insulted, rest(1)).when(rest(7)).then(over)
    sherwood().given(insulted, rest(7), PassTime(amount=1, unit="minutes")).when(rest(1)).never(over)


@rule("R0.55", "Q0.19", "Q0.55")
@given(
    minutes=st.lists(st.integers(1, 2_000), min_size=1, max_size=6),
    wounds=st.tuples(st.integers(0, 30), st.integers(0, 130)),
    thirsty_days=st.integers(0, 3),
)
def test_a_rest_in_several_commands_heals_what_it_heals_in_one(
    minutes: list[int], wounds: tuple[int, ...], thirsty_days: int
) -> None:
    begun = scenario(RULESET).given(
        BringIn(who="robin-hood", id="robin"),
        BringIn(who="count-dracula", id="dracula"),
        Join(name="Puck", id="puck", kind="npc", heritage="faerie", hp=40),
        (Promise(who="puck", what="to sleep"), Promise(who="puck", what="to sleep", how="broken")),
        PassTime(amount=thirsty_days + 1, unit="minutes" if thirsty_days % 2 else "days"),
        (harm(who, amount) for who, amount in zip(("robin", "dracula"), wounds, strict=True)),
    )
    at_once = Scenario(RULESET, begun.before).given(rest(sum(minutes), "minutes")).before
    in_parts = Scenario(RULESET, begun.before).given(rest(each, "minutes") for each in minutes).before
    assert in_parts.stretch == at_once.stretch
    for name, who in at_once.characters.items():
        other = in_parts.characters[name]
        assert (other.lost, other.pools, set(other.conditions)) == (who.lost, who.pools, set(who.conditions))
