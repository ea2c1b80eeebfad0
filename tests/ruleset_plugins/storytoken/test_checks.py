"""Targets, opposed tasks, saving throws, topics and tools."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Hazard
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.tasks.checks import Check, Oppose
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import like, rule

CHECKED = events.CheckResolved


@rule("R0.19")
@pytest.mark.parametrize(("target", "goal"), [("easy", 5), ("hard", 15), ("extreme", 25), ("12", 12)])
def test_a_target_is_met_or_beaten(sherwood, target: str, goal: int) -> None:
    task = Check(who="robin", ability="str", target=target, bonus=("+9 help",))
    short = goal - 11
    if short >= 1:
        sherwood().when(task).rolling(short).then(like(CHECKED, target=goal, success=False, outcome="failure"))
    sherwood().when(task).rolling(max(short + 1, 1)).then(like(CHECKED, target=goal, success=True))


def test_any_other_word_is_no_target(sherwood) -> None:
    sherwood().when(Check(who="robin", ability="str", target="heroic")).refused("easy (5), hard (15), extreme (25)")


@rule("R0.18")
def test_a_failure_may_become_success_at_a_cost(sherwood) -> None:
    task = Check(who="robin", ability="str", at_cost="the rope tears")
    sherwood().when(task).rolling(3).then(like(CHECKED, success=True, outcome="success at a cost: the rope tears"))
    sherwood().when(task).rolling(18).then(like(CHECKED, success=True, outcome="success"))


@rule("R0.20")
def test_the_higher_total_wins(sherwood) -> None:
    contest = Oppose(who="robin", ability="dex", opponent="guard", opponent_ability="wis")
    sherwood().when(contest).rolling(9, 11).then(like(CHECKED, total=12, target=11, success=True, outcome="wins"))
    sherwood().when(contest).rolling(9, 13).then(like(CHECKED, success=False, outcome="loses"))


@rule("R0.20", "Q0.7")
def test_a_tie_goes_to_the_higher_modifier_bonuses_included(sherwood) -> None:
    contest = Oppose(who="robin", ability="dex", opponent="guard", opponent_ability="wis")
    sherwood().when(contest).rolling(9, 12).then(like(CHECKED, total=12, target=12, success=True))
    helped = Oppose(who="robin", ability="dex", opponent="guard", opponent_ability="wis", opponent_bonus=("+5 dog",))
    sherwood().when(helped).rolling(9, 7).then(like(CHECKED, total=12, target=12, success=False))


@rule("R0.20", "Q0.7", "QG.6")
def test_an_equal_tie_is_rolled_again_until_it_is_none(sherwood) -> None:
    contest = Oppose(who="marian", ability="dex", opponent="guard", opponent_ability="wis")
    played = sherwood().when(contest).rolling(9, 9, 4, 4, 5, 2)
    played.then(like(CHECKED, total=5, target=2, success=True))
    assert len(played.events(events.DiceRolled)) == 6


def test_nobody_opposes_themselves(sherwood) -> None:
    contest = Oppose(who="robin", ability="dex", opponent="robin", opponent_ability="wis")
    sherwood().when(contest).refused("Nobody tries against themselves")


@rule("R0.22", "Q0.4")
def test_a_save_against_magic_has_the_casters_level_and_10_to_reach(sherwood) -> None:
    save = Save(who="robin", ability="wis", caster="dracula")
    sherwood().when(save).rolling(20).then(like(CHECKED, target=22, success=False, against="dracula"))
    sherwood().when(Save(who="robin", ability="wis", caster="holmes")).rolling(17).then(
        like(CHECKED, target=18, success=True)
    )


@rule("R0.21", "R0.62", "Q0.6")
@pytest.mark.parametrize(("face", "dealt", "saved"), [(7, 3, True), (6, 14, False)])
def test_a_hazard_does_half_or_twice_its_level(sherwood, face: int, dealt: int, saved: bool) -> None:
    pit = Hazard(who="holmes", level=7, ability="con", name="gas")
    sherwood().when(pit).rolling(face).then(
        like(CHECKED, target=7, success=saved, against="gas"),
        like(events.DamageTaken, character="holmes", amount=dealt, source="gas"),
    )


@rule("Q0.6", "QG.1", "QG.2")
def test_a_saved_hazard_of_level_1_does_nothing_unless_halves_are_rounded_up(sherwood) -> None:
    puff = Hazard(who="holmes", level=1, ability="con")
    sherwood().when(puff).rolling(5).never(events.DamageTaken)
    sherwood(rounding="ceil").when(puff).rolling(5).then(like(events.DamageTaken, amount=1))


@rule("QG.14")
def test_a_topic_that_no_role_covers_adds_nothing(sherwood) -> None:
    sherwood().when(Check(who="robin", ability="int", topic="clues")).rolling(8).then(like(events.DiceRolled, total=8))


@rule("Q0.50")
def test_of_two_roles_for_one_topic_the_higher_counts_or_both(nobody) -> None:
    thief = Join(
        name="Thief",
        id="thief",
        kind="npc",
        level=4,
        roles=("thieving", "assassination"),
        hit_dice=("1", "1", "1", "1"),
    )
    task = Check(who="thief", ability="dex", topic="locks")
    nobody().given(thief).when(task).rolling(10).then(like(events.DiceRolled, total=16))
    nobody(topic_bonus_stack="sum").given(thief).when(task).rolling(10).then(like(events.DiceRolled, total=18))


@rule("R0.99")
def test_a_thing_made_for_the_task_gives_advantage(sherwood) -> None:
    task = Check(who="robin", ability="dex", topic="native stealth", using="forest cloak")
    sherwood().when(task).rolling(3, 12).then(like(events.DiceRolled, total=25))
    plain = Check(who="robin", ability="dex", using="signal horn")
    sherwood().when(plain).refused("signal horn is not specialized enough")
    sherwood().when(Check(who="robin", ability="dex", using="lute")).refused("has no 'lute'", "longbow")


@rule("R0.20", "R0.80")
def test_anyone_who_cannot_act_still_resists(sherwood) -> None:
    paralysed = events.ConditionBegan(character="guard", condition="paralysed")
    push = Oppose(who="robin", ability="str", opponent="guard", opponent_ability="con")
    sherwood().given(paralysed).when(push).rolling(9, 12).then(like(events.CheckResolved, success=False))
    dead = events.ConditionBegan(character="guard", condition="dead")
    sherwood().given(dead).when(push).refused("Guard is dead")
