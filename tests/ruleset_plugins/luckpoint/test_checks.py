"""One d20, one modifier and a target: that is every task, and what success is worth the table says beforehand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.base.errors import NotFound
from rollbook.plugin import ABILITIES, events
from rollbook.rulesets.luckpoint.abilities import BASIC, RATINGS, SKILLS
from rollbook.rulesets.luckpoint.checks import TARGETS, Check, Oppose
from rollbook.rulesets.luckpoint.creation import Join
from rollbook.rulesets.luckpoint.encounter import EndTurn
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.luckpoint import BEGAN, CHECKED, HOUR, ROLLED, at_table, in_fight, with_damage


@rule("R1.2")
def test_a_task_is_1d20_and_one_modifier_of_a_skill_or_of_an_ability() -> None:
    skill = at_table().when(Check(who="ada", skill="maneuvers")).rolling(11)
    skill.then(
        like(ROLLED, total=15, natural=11, purpose="check", roller="ada"),
        CHECKED(
            character="ada",
            check="Maneuvers check",
            total=15,
            target=15,
            success=True,
            outcome="success",
            against="hard",
        ),
        only=True,
    )
    at_table().when(Check(who="ada", skill="str")).rolling(11).then(like(CHECKED, total=14, success=False))


@rule("R1.3")
@pytest.mark.parametrize(("target", "goal"), [("easy", 5), ("hard", 15), ("extreme", 25), ("17", 17)])
def test_easy_is_5_hard_is_15_extreme_is_25_and_a_number_is_itself(target: str, goal: int) -> None:
    check = Check(who="ada", skill="wis", target=target, bonus=("+20 all day",))
    just = goal - 21 if goal > 21 else 1
    game = at_table().when(check).rolling(just)
    game.then(like(CHECKED, target=goal, success=True))
    short = Check(who="ada", skill="wis", target=target, bonus=(f"-{30 - goal} late",))
    at_table().when(short).rolling(20).then(like(CHECKED, target=goal, total=goal - 9, success=False))
    assert set(TARGETS) == {"easy", "hard", "extreme"}


def test_a_target_that_is_neither_a_step_nor_a_number_is_refused() -> None:
    at_table().when(Check(who="ada", skill="wis", target="impossible")).refused("easy (5), hard (15), extreme (25)")


@rule("R1.5")
def test_with_advantage_the_higher_of_two_dice_counts_with_disadvantage_the_lower() -> None:
    easier = Check(who="una", skill="dex", advantage=("a map",))
    harder = Check(who="una", skill="dex", disadvantage=("fog",))
    at_table().when(easier).rolling(4, 16).then(like(ROLLED, total=16, natural=16), like(CHECKED, success=True))
    at_table().when(harder).rolling(4, 16).then(like(ROLLED, total=4, natural=4), like(CHECKED, success=False))


@rule("R1.5", "QG.4")
@given(many=st.integers(1, 3), few=st.integers(1, 3), face=st.integers(1, 20))
def test_any_number_of_advantages_and_disadvantages_is_one_die(many: int, few: int, face: int) -> None:
    both = Check(who="una", skill="dex", advantage=("a map",) * many, disadvantage=("fog",) * few)
    at_table().when(both).rolling(face).then(like(ROLLED, total=face))


@rule("Q1.16")
@pytest.mark.parametrize(("face", "success"), [(1, True), (20, False)])
def test_a_natural_1_or_20_means_nothing_outside_attacks(face: int, success: bool) -> None:
    target = "easy" if success else "extreme"
    game = at_table().when(Check(who="ada", skill="maneuvers", target=target)).rolling(face)
    game.then(like(CHECKED, total=face + 4, success=success))


@rule("R1.38", "Q1.5")
@given(
    skill=st.sampled_from([key for key in SKILLS if key not in BASIC and key != "location"]), face=st.integers(1, 20)
)
def test_nobody_succeeds_at_a_specialised_skill_without_points_whatever_falls(skill: str, face: int) -> None:
    game = at_table().when(Check(who="ada", skill=skill, target="easy", bonus=("+30 luck of fools",))).rolling(face)
    game.then(like(CHECKED, success=False, outcome="untrained"))
    assert game.events(ROLLED)[0].total == face + 30


@rule("R1.36", "R1.38")
def test_basic_skills_are_tried_without_points_and_special_ones_with_a_single_point() -> None:
    at_table().when(Check(who="ada", skill="lore", target="easy")).rolling(5).then(like(CHECKED, success=True))
    at_table().when(Check(who="ben", skill="medical")).rolling(11).then(like(CHECKED, total=15, success=True))


@rule("R1.39", "R1.38")
def test_a_location_is_one_place_and_another_place_is_another_skill() -> None:
    guide = Join(name="Gil", creation="alternate", skills={"location:Old Town": 1, "lore": 1})
    game = at_table().given(guide)
    here = Check(who="gil", skill="location", place="old town", target="easy")
    there = Check(who="gil", skill="location", place="Harbour", target="easy")
    game.when(here).rolling(4).then(like(CHECKED, check="Location (old-town) check", total=5, success=True))
    game.when(there).rolling(19).then(like(CHECKED, success=False, outcome="untrained"))
    game.when(Check(who="gil", skill="location")).refused("Location is a skill of one place")
    game.when(Check(who="gil", skill="lore", place="Harbour")).refused("Only Location is about a place")


# What success is worth.


@rule("R1.6")
def test_a_degree_is_measured_in_d6_and_may_add_a_modifier() -> None:
    plain = at_table().when(Check(who="ben", skill="medical", degree=2)).rolling(13, 3, 5)
    plain.then(like(ROLLED, purpose="effect", total=8), like(CHECKED, success=True, outcome="success, effect 8"))
    added = at_table().when(Check(who="ben", skill="medical", degree=1, degree_with="int")).rolling(13, 3)
    added.then(like(ROLLED, purpose="effect", total=6), like(CHECKED, outcome="success, effect 6"))


@rule("R1.6")
def test_a_task_that_fails_has_no_degree() -> None:
    game = at_table().when(Check(who="ben", skill="medical", degree=3)).rolling(2)
    game.then(like(CHECKED, success=False, outcome="failure")).never(like(ROLLED, purpose="effect"))


@rule("R1.7")
def test_an_extended_task_is_done_when_there_are_successes_enough() -> None:
    pick = Check(who="ada", skill="dex", target="easy", extended="the vault", needed=2)
    game = at_table().given(with_dice(pick, 18)).when(pick).rolling(1)
    game.then(like(CHECKED, success=False))
    assert game.character("ada").pools["task the vault"] == 1
    done = at_table().given(with_dice(pick, 18)).when(pick).rolling(3)
    done.then(like(CHECKED, success=True, outcome="success 2 of 2: done"))
    assert not done.character("ada").pools["task the vault"]


@rule("R1.7")
def test_two_extended_tasks_are_counted_apart() -> None:
    tasks = [Check(who="ada", skill="dex", target="easy", extended=name, needed=3) for name in ("lock", "alarm")]
    game = at_table().given(*(with_dice(task, 18) for task in tasks)).when(tasks[0]).rolling(18)
    game.then(like(CHECKED, outcome="success 2 of 3"))
    assert game.character("ada").pools["task alarm"] == 1


@rule("R1.8")
@pytest.mark.parametrize(("unit", "seconds"), [("rounds", 6), ("minutes", 60), ("hours", HOUR), ("days", 24 * HOUR)])
def test_a_long_task_takes_1d6_of_its_unit_whether_it_succeeds_or_not(unit: str, seconds: int) -> None:
    for face in (3, 18):
        game = at_table().when(Check(who="una", skill="dex", takes=unit)).rolling(face, 4)
        game.then(like(ROLLED, purpose="duration", total=4), events.TimePassed(seconds=4 * seconds))


@rule("R1.8")
def test_in_a_fight_a_task_of_some_rounds_keeps_somebody_busy_until_they_are_over() -> None:
    game = in_fight().given(EndTurn(next="ada")).when(Check(who="ada", skill="dex", takes="rounds")).rolling(15, 2)
    game.then(like(BEGAN, character="ada", condition="busy", until=12)).never(events.TimePassed)
    busy = game.go_on().given(EndTurn(), EndTurn(), EndTurn(), with_dice(EndTurn(), 15, 8), EndTurn(next="ada"))
    busy.when(Check(who="ada", skill="dex")).refused("Ada is busy")
    again = busy.given(EndTurn(), EndTurn(), EndTurn(), with_dice(EndTurn(), 15, 8), EndTurn(next="ada"))
    again.when(Check(who="ada", skill="dex")).rolling(15).then(like(CHECKED, success=True))


@rule("R1.8")
def test_a_fight_does_not_wait_for_hours() -> None:
    in_fight().when(Check(who="ben", skill="medical", takes="hours")).refused("A fight does not wait for hours")


# One against another.


@rule("R1.4")
@given(mine=st.integers(1, 20), yours=st.integers(1, 20))
def test_the_higher_total_wins_an_opposed_task(mine: int, yours: int) -> None:
    ahead, behind = mine + 4, yours + 2
    if ahead == behind:
        return
    pull = Oppose(who="ada", skill="maneuvers", opponent="goon", opponent_skill="maneuvers")
    game = at_table().when(pull).rolling(mine, yours)
    game.then(like(CHECKED, character="ada", total=ahead, target=behind, success=ahead > behind, against="goon"))


@rule("Q1.7")
def test_a_tie_goes_to_the_higher_modifier() -> None:
    pull = Oppose(who="goon", skill="maneuvers", opponent="ada", opponent_skill="maneuvers")
    game = at_table().when(pull).rolling(12, 10)
    game.then(like(CHECKED, total=14, target=14, success=False, outcome="loses"))
    other = Oppose(who="ada", skill="maneuvers", opponent="goon", opponent_skill="maneuvers")
    at_table().when(other).rolling(10, 12).then(like(CHECKED, success=True, outcome="wins"))


@rule("Q1.7")
def test_who_are_level_in_both_roll_again() -> None:
    race = Oppose(who="una", skill="dex", opponent="thug", opponent_skill="dex")
    game = at_table().when(race).rolling(9, 9, 4, 17)
    game.then(like(CHECKED, total=4, target=17, success=False))
    assert len(game.events(ROLLED)) == 4


@rule("R1.38", "R1.4")
def test_who_has_not_learned_a_specialised_skill_loses_and_cannot_tie() -> None:
    duel = Oppose(who="una", skill="netrunning", opponent="thug", opponent_skill="lore")
    at_table().when(duel).rolling(20, 1).then(like(CHECKED, success=False, outcome="untrained"))
    other = Oppose(who="thug", skill="lore", opponent="una", opponent_skill="netrunning")
    at_table().when(other).rolling(1, 20).then(like(CHECKED, success=True, outcome="wins"))
    neither = Oppose(who="thug", skill="magic", opponent="una", opponent_skill="magic")
    at_table().when(neither).rolling(7, 7).then(like(CHECKED, success=False))


def test_nobody_tries_against_themselves() -> None:
    at_table().when(Oppose(who="ada", skill="str", opponent="ada", opponent_skill="dex")).refused("against themselves")


@rule("R1.4", "R1.5")
def test_each_side_of_an_opposed_task_has_its_own_advantage() -> None:
    hide = Oppose(
        who="una",
        skill="cunning",
        opponent="thug",
        opponent_skill="awareness",
        advantage=("rain",),
        opponent_disadvantage=("drunk",),
    )
    at_table().when(hide).rolling(3, 14, 19, 2).then(like(CHECKED, total=14, target=1, success=True))


# Who may.


@rule("R1.46")
def test_nobody_with_critical_wounds_takes_task_actions() -> None:
    game = with_damage(at_table(), "una", 10)
    game.when(Check(who="una", skill="dex")).refused("Una is critical")
    game.when(Oppose(who="una", skill="dex", opponent="thug", opponent_skill="dex")).refused("Una is critical")


@rule("QG.9")
def test_nothing_is_asked_of_the_dead() -> None:
    game = with_damage(at_table(), "una", 20)
    game.when(Check(who="una", skill="dex")).refused("Una is dead")
    game.when(Oppose(who="ada", skill="dex", opponent="una", opponent_skill="dex")).refused("Una is dead")


def test_a_skill_that_there_is_not_is_named_with_its_neighbours() -> None:
    for wrong in ("medicine", "lore:london"):
        with pytest.raises(NotFound):
            at_table().when(Join(name="X", skills={wrong: 1})).played  # noqa: B018
    assert set(ABILITIES) < set(RATINGS)
