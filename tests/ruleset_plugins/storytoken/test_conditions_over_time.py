"""Conditions that hurt or kill round by round, hour by hour and day by day."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import PutOut, Relieve
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.encounter import EndTurn
from rollbook.rulesets.storytoken.story.spending import SpendToken
from rollbook.testing.scenarios import like, rule
from tests.support.storytoken import afflict, fight, health, wait

ROLLED, HURT, BEGAN, ENDED = events.DiceRolled, events.DamageTaken, events.ConditionBegan, events.ConditionEnded
MINUTE, HOUR, DAY = 60, 3_600, 86_400


@rule("R0.63", "Q0.29", "Q0.34")
def test_flames_do_5_at_the_start_of_each_turn(sherwood) -> None:
    game = fight(sherwood()).given(afflict("guard", "aflame"))
    turn = game.when(EndTurn())
    turn.then(
        events.TurnBegan(character="guard"), HURT(character="guard", amount=5, dealt=5, tags=("fire",), source="aflame")
    )
    over = turn.go_on().when(EndTurn()).rolling(3, 12)
    over.then(events.RoundEnded, events.TimePassed).never(HURT)


@rule("R0.63", "Q0.29")
def test_anyone_who_burns_without_a_turn_burns_at_the_end_of_the_round(sherwood) -> None:
    game = fight(sherwood(), 15, 3, 2, participants=("marian", "guard", "deputy"))
    game.given(afflict("deputy", "aflame"), afflict("deputy", "paralysed"), afflict("holmes", "aflame"), EndTurn())
    over = game.when(EndTurn()).rolling(12, 3)
    assert [(event.character, event.amount) for event in over.events(HURT)] == [("holmes", 5), ("deputy", 5)]


@rule("R0.63", "Q0.29")
def test_outside_a_fight_flames_burn_every_round_until_they_kill(sherwood) -> None:
    game = sherwood().given(afflict("deputy", "aflame"))
    assert game.when(wait(20, "seconds")).character("deputy").lost == 10
    dead = game.when(wait(1, "hours"))
    assert dead.character("deputy").has("dead")
    assert dead.character("deputy").lost == 40, "20 hit points, dead at -20, and no more after that"


@rule("R0.63", "Q0.29")
def test_flames_that_burn_out_do_so_on_time(sherwood) -> None:
    game = sherwood().given(afflict("robin", "aflame", lasts=3, unit="rounds"))
    burned = game.when(wait(10, "minutes"))
    assert burned.character("robin").lost == 15
    burned.then(ENDED(character="robin", condition="aflame"))


@rule("R0.63", "Q0.34")
def test_flames_are_put_out_by_an_action_ones_own_or_a_friends(sherwood) -> None:
    game = fight(sherwood()).given(afflict("marian", "aflame"), afflict("guard", "aflame"))
    own = game.when(PutOut(who="marian")).then(events.TurnSpent, ENDED(character="marian", condition="aflame"))
    own.go_on().when(PutOut(who="marian", target="guard")).refused("no action left")
    game.when(PutOut(who="marian", target="guard")).then(ENDED(character="guard", condition="aflame"))
    sherwood().when(PutOut(who="marian")).refused("Marian is not aflame")


@rule("R0.77", "Q0.21", "Q0.83")
def test_infection_takes_a_point_of_constitution_a_day_and_hit_points_with_it(nobody) -> None:
    ox = Join(name="Ox", id="ox", kind="npc", level=4, scores=("10", "10", "13", "10", "10", "10"), hit_dice=("4",) * 4)
    game = nobody().given(ox, afflict("ox", "infected"))
    assert game.sheet("ox").amount("max_hp") == 20
    day = game.when(wait(1, "days"))
    day.then(events.StatChanged(character="ox", stat="con", amount=-1, reason="infected"))
    assert str(day.sheet("ox").value("hp")) == "16 of 16"
    cured = day.go_on().given(Relieve(who="ox", condition="infected"))
    game.when(wait(23, "hours")).never(events.StatChanged)
    assert cured.when(wait(5, "days")).character("ox").stats["con"] == 12


@rule("R0.77", "Q0.2")
def test_infection_kills_when_no_constitution_is_left(nobody) -> None:
    rat = Join(name="Rat", id="rat", kind="npc", scores=("10", "10", "3", "10", "10", "10"), hp=9)
    game = nobody().given(rat, afflict("rat", "infected"))
    assert not game.when(wait(2, "days")).character("rat").has("dead")
    gone = game.when(wait(30, "days")).then(BEGAN(character="rat", condition="dead", source="infected"))
    assert gone.character("rat").stats["con"] == 0


@rule("R0.77", "Q0.21")
def test_a_maximum_that_infection_lowers_may_be_death_at_once(nobody) -> None:
    ox = Join(name="Ox", id="ox", kind="npc", level=9, scores=("10", "10", "9", "10", "10", "10"), hit_dice=("1",) * 9)
    game = nobody().given(ox, events.DamageTaken(character="ox", amount=17, dealt=17), afflict("ox", "infected"))
    assert game.sheet("ox").amount("hp") == -8
    fallen = game.when(wait(1, "days"))
    assert (fallen.sheet("ox").amount("max_hp"), fallen.character("ox").has("dead")) == (1, True)


DOOMS = {
    "doomed": ("wis", 12 * DAY, 12 * DAY),
    "starving": ("con", 13 * DAY, 13 * HOUR),
    "suffocating": ("con", 13 * 10, 13 * 10),
    "thirsty": ("con", 39 * HOUR, 13 * HOUR),
}


@rule("R0.72", "R0.83", "R0.85", "R0.86", "Q0.20", "Q0.29")
@pytest.mark.parametrize("condition", DOOMS)
def test_first_the_hit_points_go_and_then_the_life(nobody, condition: str) -> None:
    _, first, second = DOOMS[condition]
    ox = Join(name="Ox", id="ox", kind="npc", scores=("10", "10", "13", "10", "12", "10"), hp=9)
    game = nobody().given(ox, afflict("ox", condition))
    assert game.when(wait(first - 1, "seconds")).sheet("ox").amount("hp") == 9
    down = game.when(wait(first, "seconds"))
    down.then(
        HURT(character="ox", amount=9, dealt=9, tags=(condition,)), BEGAN(character="ox", condition="unconscious")
    )
    assert str(down.sheet("ox").value("hp")) == "0 of 9"
    later = down.go_on()
    later.when(wait(second - 1, "seconds")).never(like(BEGAN, condition="dead"))
    later.when(wait(second, "seconds")).then(BEGAN(character="ox", condition="dead", source=condition))
    at_once = game.when(wait(first + second, "seconds"))
    assert at_once.character("ox").has("dead")
    assert health(at_once, "ox") == "Dead"


@rule("R0.72", "R0.83", "R0.85", "R0.86", "R0.71", "Q0.20")
def test_where_the_table_counts_modifiers_they_are_at_least_1(nobody) -> None:
    ox = Join(name="Ox", id="ox", kind="npc", scores=("10", "10", "14", "9", "12", "10"), hp=9)
    game = nobody(condition_span="modifier").given(ox)
    untils = {
        condition: game.when(afflict("ox", condition, unit="hours" if condition == "deluded" else "rounds"))
        .character("ox")
        .conditions[condition]
        .until
        for condition in (*DOOMS, "deluded")
    }
    assert untils == {"doomed": DAY, "starving": DAY, "suffocating": 10, "thirsty": 3 * HOUR, "deluded": 20 * HOUR}


def test_anyone_who_is_relieved_in_time_lives(sherwood) -> None:
    game = sherwood().given(afflict("marian", "suffocating"), wait(150, "seconds"))
    assert health(game, "marian") == "Unconscious"
    saved = game.given(Relieve(who="marian", condition="suffocating", reason="air"))
    assert not saved.when(wait(1, "hours")).character("marian").has("dead")
    sherwood().when(afflict("marian", "starving", lasts=3)).refused("Starving takes as long as it takes")


@rule("R0.72", "Q0.55")
def test_anyone_who_cannot_die_is_not_killed_by_hunger(sherwood) -> None:
    game = sherwood().given(afflict("dracula", "suffocating"))
    assert not game.when(wait(1, "days")).character("dracula").has("dead")


@rule("R0.86", "R0.55", "Q0.29")
def test_what_thirst_takes_in_a_second_comes_before_what_rest_heals_in_it(sherwood) -> None:
    game = sherwood().given(afflict("robin", "thirsty"))
    slept = game.when(wait(42, "hours", rest=True))
    slept.then(
        HURT(character="robin", amount=36, dealt=36, tags=("thirsty",)),
        events.HitPointsRestored(character="robin", amount=1, tags=("rest",)),
    )
    assert str(slept.sheet("robin").value("hp")) == "1 of 36"
    dead = slept.go_on().when(wait(14, "hours", rest=True)).then(like(BEGAN, character="robin", condition="dead"))
    assert len(dead.events(BEGAN)) == 1


@rule("R0.71", "Q0.20")
@pytest.mark.parametrize(("unit", "seconds"), [("minutes", MINUTE), ("hours", HOUR), ("days", DAY), ("rounds", MINUTE)])
def test_a_delusion_lasts_20_less_intelligence_and_at_least_1(sherwood, unit: str, seconds: int) -> None:
    deluded = afflict("holmes", "deluded", unit=unit, detail="Watson is the thief")
    sherwood().when(deluded).then(like(BEGAN, until=2 * seconds, detail="Watson is the thief"))
    genius = events.StatChanged(character="holmes", stat="int", amount=10)
    sherwood().given(genius).when(deluded).then(like(BEGAN, until=seconds))


@rule("R0.155", "R0.157", "Q0.29")
def test_the_sun_burns_only_those_whom_it_burns(sherwood) -> None:
    game = sherwood().given(afflict("robin", "sunlit"), afflict("dracula", "sunlit", lasts=2, unit="rounds"))
    burned = game.when(wait(1, "minutes")).rolling(4, 6)
    assert [(event.character, event.amount, event.tags) for event in burned.events(HURT)] == [
        ("dracula", 4, ("sunlight",)),
        ("dracula", 6, ("sunlight",)),
    ]


@rule("QG.9")
def test_nothing_befalls_the_dead_any_more(sherwood) -> None:
    game = sherwood().given(afflict("guard", "aflame"), afflict("guard", "infected"), Harm(who="guard", amount="30"))
    game.when(wait(9, "days")).never(like(HURT, character="guard"), events.StatChanged)
    game.when(afflict("guard", "cursed")).refused("Guard is dead")


def test_a_token_still_saves_those_whom_hunger_struck_down(sherwood) -> None:
    game = sherwood().given(
        events.PoolBecame(holder="robin", pool="token", amount=1), afflict("marian", "suffocating"), wait(2, "minutes")
    )
    game.when(SpendToken(who="robin", benefit="revive", whom="marian")).then(like(events.HitPointsRestored, amount=1))


@rule("R0.77")
def test_infection_counts_down_from_the_average_where_no_score_is_known(sherwood) -> None:
    game = sherwood().given(afflict("guard", "infected"))
    assert game.when(wait(2, "days")).sheet("guard").amount("con") == 8
    assert game.when(wait(10, "days")).character("guard").has("dead")
