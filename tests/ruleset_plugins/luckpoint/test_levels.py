"""Experience makes levels, a level makes two different skills better, and every second one an ability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.actions.characters import Adjust
from rollbook.plugin import ABILITIES, events
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.abilities import SKILLS
from rollbook.rulesets.luckpoint.creation import Join
from rollbook.rulesets.luckpoint.levels import LEVELS, Choose
from rollbook.testing.scenarios import Scenario, like, offers, rule, scenario
from tests.support.luckpoint import at_table, award, with_damage

THRESHOLDS = (0, 200, 400, 800, 1_500, 3_000, 6_000, 12_000, 25_000, 50_000)


def choose(game: Scenario, choice: str, picked: str) -> Scenario:
    return game.given(Choose(who="ada", choice=choice, picked=picked))


@rule("R1.60", "QG.7")
@pytest.mark.parametrize(("level", "points"), list(enumerate(THRESHOLDS, 1)))
def test_the_table_of_experience(level: int, points: int) -> None:
    for amount, reached in ((points - 1, level - 1), (points, level)):
        if amount > 0:
            game = at_table().when(award(amount))
            assert game.sheet("ada").amount("level") == reached
            assert len(game.events(events.LevelGained)) == reached - 1
    assert len(LEVELS) == 10


@rule("R1.60", "Q1.30")
@pytest.mark.parametrize(("level_cap", "level"), [(10, 10), (4, 4), (40, 10)])
def test_whatever_the_experience_nobody_passes_the_highest_level(level_cap: int, level: int) -> None:
    game = at_table(level_cap=level_cap).when(award(9_000_000))
    assert game.sheet("ada").amount("level") == level
    assert game.sheet("ada").value("next_level") is None


@rule("R1.60")
@given(parts=st.lists(st.integers(1, 20_000), min_size=1, max_size=5))
def test_experience_in_parts_is_worth_what_it_is_in_one(parts: list[int]) -> None:
    at_once = at_table().given(award(sum(parts)))
    in_parts = at_table().given(*(award(part) for part in parts))
    assert in_parts.character("ada") == at_once.character("ada")


@rule("R1.58")
def test_a_level_raises_two_skills_of_any_sort() -> None:
    game = at_table().when(award(200))
    game.then(
        events.LevelGained(character="ada", levels=1),
        offers("level-2-skill-1", SKILLS),
        offers("level-2-skill-2", SKILLS),
    ).never(like(events.ChoiceOffered, choice="level-2-ability"))
    done = choose(choose(game.go_on(), "level-2-skill-1", "maneuvers"), "level-2-skill-2", "tech-1920s")
    assert (done.sheet("ada").amount("maneuvers"), done.sheet("ada").amount("tech-1920s")) == (5, 1)


@rule("R1.58", "Q1.24")
def test_the_two_skills_of_a_level_differ_and_may_be_the_same_again_at_the_next() -> None:
    game = choose(at_table().given(award(400)), "level-2-skill-1", "maneuvers")
    choose(game, "level-3-skill-1", "maneuvers")
    assert game.sheet("ada").amount("maneuvers") == 6
    game.when(Choose(who="ada", choice="level-2-skill-2", picked="maneuvers")).refused("Pick another skill")


@rule("Q1.24")
@given(raises=st.integers(1, 9))
def test_skills_have_no_cap(raises: int) -> None:
    game = at_table().given(award(50_000))
    for level in range(2, raises + 2):
        choose(game, f"level-{level}-skill-1", "endurance")
    assert game.sheet("ada").amount("endurance") == 3 + raises
    assert game.sheet("ada").amount("max_hp") == 5 * (3 + raises)


@rule("R1.58", "R1.39", "Q1.24")
def test_a_new_place_is_a_new_skill_and_two_places_are_two() -> None:
    game = choose(at_table().given(award(200)), "level-2-skill-1", "location:Trieste")
    choose(game, "level-2-skill-2", "location:Graz")
    stats = game.character("ada").stats
    assert (stats["location:trieste"], stats["location:graz"]) == (1, 1)
    game.given(award(200))
    game.when(Choose(who="ada", choice="level-3-skill-1", picked="location")).refused("a skill of one place")


@rule("R1.59", "Q1.25")
def test_levels_3_5_7_and_9_raise_an_ability() -> None:
    offered = at_table().given(award(50_000)).character("ada").choices
    assert [name for name in offered if name.endswith("ability")] == [
        f"level-{level}-ability" for level in (3, 5, 7, 9)
    ]
    assert offered["level-3-ability"].keys == ABILITIES


@rule("R1.59", "Q1.25")
def test_after_creation_no_ability_has_a_cap() -> None:
    game = choose(choose(at_table().given(award(1_500)), "level-3-ability", "str"), "level-5-ability", "str")
    assert game.sheet("ada").amount("str") == 5
    assert str(game.sheet("ada").value("str")) == "+5 (great)"


@rule("Q1.2", "R1.59")
def test_a_better_constitution_lifts_the_wounded_even_out_of_critical_wounds() -> None:
    game = with_damage(at_table().given(award(400)), "ada", 17)
    game.when(Choose(who="ada", choice="level-3-ability", picked="con"))
    game.then(events.ConditionEnded(character="ada", condition="critical"))
    assert str(game.sheet("ada").value("hp")) == "3 of 20"


@rule("QG.7")
def test_experience_that_is_taken_away_takes_no_level_with_it() -> None:
    game = at_table().given(award(400), events.ExperienceAwarded(character="ada", amount=-300), award(1))
    assert game.sheet("ada").amount("level") == 3
    assert game.sheet("ada").amount("xp") == 101


def test_monsters_earn_experience_and_no_levels() -> None:
    game = at_table().when(award(900, "goon")).never(events.LevelGained)
    assert game.then(events.ExperienceAwarded(character="goon", amount=900)).character("goon").level == 0


@rule("R1.60", "R1.58", "R1.59")
@given(level=st.integers(1, 10))
def test_who_starts_at_a_level_has_its_experience_and_its_choices(level: int) -> None:
    game = scenario(RULESET).given(Join(name="Kit", level=level))
    who = game.character("kit")
    assert (who.level, who.experience) == (level, THRESHOLDS[level - 1])
    of_levels = [name for name in who.choices if name.startswith("level")]
    assert len(of_levels) == 2 * (level - 1) + (level - 1) // 2


def test_nobody_starts_above_the_tables_highest_level() -> None:
    scenario(RULESET, level_cap=3).when(Join(name="Kit", level=4)).refused("highest level at this table is 3")


@rule("QG.8")
def test_the_gm_may_change_any_number_and_what_follows_from_it_follows() -> None:
    game = at_table().given(Adjust(who="ada", what="dex", by=2, reason="a potion"))
    assert game.sheet("ada").amount("ac") == 14
    game.given(Adjust(who="ada", what="ac", by=-3, reason="a cracked shin"))
    assert game.sheet("ada").amount("ac") == 11
