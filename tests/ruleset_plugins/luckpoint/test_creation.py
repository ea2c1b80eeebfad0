"""A new character is seven points, or six, two skills and perhaps one special ability, and nothing else is accepted."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.plugin import ABILITIES, events
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.abilities import BASIC, SKILLS, SPECIALS
from rollbook.rulesets.luckpoint.creation import Join
from rollbook.rulesets.luckpoint.levels import Choose
from rollbook.testing.scenarios import Scenario, like, rule, scenario

POINTS = {"standard": 7, "alternate": 6}
SPREAD = ("3", "2", "2", "0", "1", "-1")


def made(**how: object) -> Scenario:
    return scenario(RULESET).given(Join(name="Kit", **how))  # type: ignore[arg-type]


def choices(game: Scenario) -> tuple[str, ...]:
    return tuple(game.character("kit").choices)


def choose(game: Scenario, choice: str, picked: str) -> Scenario:
    return game.given(Choose(who="kit", choice=choice, picked=picked))


def is_legal(spread: Sequence[int], points: int) -> bool:
    """The law itself: none above +3, none below -1, at most one at -1, and no more points than there are (Q1.22)."""
    return max(spread) <= 3 and min(spread) >= -1 and list(spread).count(-1) <= 1 and sum(spread) <= points


# Abilities.


@rule("R1.50", "R1.52", "R1.53", "Q1.22")
@given(
    spread=st.lists(st.integers(-2, 4), min_size=6, max_size=6),
    creation=st.sampled_from(sorted(POINTS)),
    special=st.sampled_from(("", *SPECIALS)),
)
def test_every_legal_spread_is_accepted_and_every_other_is_refused(
    spread: list[int], creation: str, special: str
) -> None:
    join = Join(name="Kit", creation=creation, abilities=tuple(map(str, spread)), special=(special,) if special else ())
    points = POINTS[creation] - bool(special)
    if not is_legal(spread, points):
        scenario(RULESET).when(join).refused()
        return
    game = scenario(RULESET).when(join).then(like(events.CharacterJoined, character="kit"))
    assert [game.character("kit").stats.get(key, 0) for key in ABILITIES] == spread
    assert len([key for key in choices(game) if "ability" in key]) == points - sum(spread)


@rule("R1.50")
def test_seven_points_are_spread_and_an_eighth_comes_of_one_drop_to_minus_1() -> None:
    game = made(abilities=SPREAD)
    assert not [key for key in choices(game) if "ability" in key]
    too_many = Join(name="Kit", abilities=("3", "2", "2", "0", "1", "0"))
    scenario(RULESET).when(too_many).refused("come to 8 points, and there are 7: 7 (standard)")


@rule("R1.50", "Q1.22")
@pytest.mark.parametrize(
    ("abilities", "sentence"),
    [
        (("4", "0", "0", "0", "0", "0"), "STR is +4"),
        (("0", "0", "-2", "0", "0", "0"), "CON is -2"),
        (("3", "3", "3", "0", "-1", "-1"), "Only one ability may be dropped"),
    ],
)
def test_none_is_above_3_or_below_minus_1_and_only_one_is_dropped(abilities: tuple[str, ...], sentence: str) -> None:
    scenario(RULESET).when(Join(name="Kit", abilities=abilities)).refused(sentence)


@rule("R1.52")
def test_the_other_way_has_six_points_and_any_two_skills() -> None:
    six = ("3", "2", "1", "0", "0", "0")
    game = made(creation="alternate", abilities=six, skills={"magic": 1, "lore": 1})
    assert game.sheet("kit").amount("magic") == 1
    assert not choices(game)
    seven = Join(name="Kit", creation="alternate", abilities=("3", "3", "1", "0", "0", "0"))
    scenario(RULESET).when(seven).refused("there are 6: 6 (alternate)")


@rule("R1.50", "R1.51")
def test_what_is_not_given_is_chosen_later_point_by_point() -> None:
    game = made(abilities=("3", "2", "0", "0", "0", "0"), skills={"lore": 1})
    assert choices(game) == ("creation-ability-1", "creation-ability-2", "creation-drop", "creation-skill-2")
    choose(choose(game, "creation-ability-1", "con"), "creation-ability-2", "con")
    choose(choose(game, "creation-skill-2", "endurance"), "creation-drop", "none")
    assert not choices(game)
    assert game.sheet("kit").amount("max_hp") == 15
    assert dict(game.sheet("kit").words).get("Open choices") is None


@rule("R1.50")
def test_a_point_that_is_chosen_later_obeys_the_cap_too() -> None:
    game = made(abilities=("3", "2", "0", "0", "0", "0"))
    game.when(Choose(who="kit", choice="creation-ability-1", picked="str")).refused(
        "STR +3", "no new character has more"
    )


@rule("R1.50", "Q1.22")
def test_the_drop_to_minus_1_can_be_left_for_later_as_well() -> None:
    game = choose(made(), "creation-drop", "cha")
    assert game.character("kit").stats["cha"] == -1
    choose(game, "creation-ability-cha", "str")
    assert [key for key in choices(game) if "ability" in key] == [f"creation-ability-{place}" for place in range(1, 8)]
    none = choose(made(), "creation-drop", "none")
    assert not none.character("kit").stats


@rule("R1.50", "Q1.22")
def test_an_ability_may_still_be_dropped_when_some_points_were_given() -> None:
    game = made(abilities=("3", "2", "0", "0", "0", "0"))
    assert game.character("kit").choices["creation-drop"].keys == ("con", "int", "wis", "cha", "none")
    assert choose(game, "creation-drop", "cha").character("kit").stats["cha"] == -1


@rule("Q1.8", "R1.55")
@pytest.mark.parametrize(("luck_start", "before", "after"), [("cap", 2, 4), ("0", 0, 0)])
def test_one_who_becomes_lucky_by_choice_starts_with_all_the_luck_there_is(
    luck_start: str, before: int, after: int
) -> None:
    game = scenario(RULESET, luck_start=luck_start).given(Join(name="Kit"))
    assert game.character("kit").pools.get("luck", 0) == before
    choose(game, "creation-ability-1", "lucky")
    assert game.character("kit").pools.get("luck", 0) == after


@rule("R1.50", "Q1.22")
@given(
    seed=st.integers(0, 10**6),
    abilities=st.sampled_from(((), ("3", "2", "0", "0", "1", "-1"), ("1", "-1", "0", "0", "0", "0"))),
)
def test_however_the_choices_are_made_the_spread_is_legal_in_the_end(seed: int, abilities: tuple[str, ...]) -> None:
    game, chance = made(abilities=abilities, skills={"lore": 1, "primal": 1}), random.Random(seed)
    while choices(game):
        who = game.character("kit")
        choice = chance.choice(sorted(who.choices))
        picked = chance.choice([option for option in who.choices[choice].keys if option not in SPECIALS])
        try:
            choose(game, choice, picked)
        except Refused:
            continue
    spread = [game.character("kit").stats.get(key, 0) for key in ABILITIES]
    assert is_legal(spread, 7)
    assert sum(spread) == 7


# Skills.


@rule("R1.51")
def test_the_standard_two_skills_are_basic_ones() -> None:
    game = made(abilities=SPREAD, skills={"awareness": 1, "maneuvers": 1})
    sheet = game.sheet("kit")
    assert (sheet.amount("awareness"), sheet.amount("maneuvers"), sheet.amount("primal")) == (2, 4, 1)
    scenario(RULESET).when(Join(name="Kit", skills={"magic": 1, "lore": 1})).refused("Magic is a specialised skill")


@rule("R1.51", "Q1.24")
def test_the_first_two_skills_differ_however_they_are_chosen() -> None:
    scenario(RULESET).when(Join(name="Kit", skills={"location:Old Town": 1, "location:old-town": 1})).refused(
        "is named twice"
    )
    game = choose(made(), "creation-skill-1", "lore")
    game.when(Choose(who="kit", choice="creation-skill-2", picked="lore")).refused("Lore has had the other point")
    half = made(skills={"lore": 1})
    with pytest.raises(NotFound):
        choose(half, "creation-skill-2", "lore")


def test_there_are_no_more_than_two_and_none_gets_more_than_one() -> None:
    scenario(RULESET).when(Join(name="Kit", skills={"lore": 1, "primal": 1, "cunning": 1})).refused("Name up to 2")
    scenario(RULESET).when(Join(name="Kit", skills={"lore": 2})).refused("one point in each of 2 skills")


@rule("R1.51", "R1.52")
@given(creation=st.sampled_from(sorted(POINTS)))
def test_open_skills_offer_the_basic_ones_or_all_of_them(creation: str) -> None:
    offered = made(creation=creation).character("kit").choices
    expected = BASIC if creation == "standard" else tuple(SKILLS)
    assert offered["creation-skill-1"].keys == offered["creation-skill-2"].keys == expected


# Special abilities.


@rule("R1.53", "Q1.22")
@pytest.mark.parametrize("special", sorted(SPECIALS))
def test_a_special_ability_costs_a_point(special: str) -> None:
    game = made(special=(special,), abilities=("3", "2", "1", "0", "0", "0"), skills={"lore": 1, "primal": 1})
    assert game.character("kit").traits[special] == "special"
    assert not choices(game)
    too_many = Join(name="Kit", special=(special,), abilities=("3", "2", "2", "0", "0", "0"))
    scenario(RULESET).when(too_many).refused("one less for each special ability")


@rule("R1.53")
def test_a_point_that_is_left_may_become_a_special_ability_later() -> None:
    game = choose(made(abilities=("3", "2", "1", "0", "0", "0")), "creation-ability-1", "tough-skin")
    assert game.sheet("kit").amount("ac") == 10 + 2 + 1
    ordinary = made(special=("lucky",))
    assert not set(SPECIALS) & set(ordinary.character("kit").choices["creation-ability-1"].keys)


@rule("Q1.23")
@pytest.mark.parametrize(("special_abilities_max", "accepted"), [(0, 0), (1, 1), (2, 2)])
def test_there_is_one_special_ability_at_most_or_as_many_as_the_table_plays(
    special_abilities_max: int, accepted: int
) -> None:
    for many in range(3):
        join = Join(name="Kit", special=("lucky", "darkvision")[:many])
        game = scenario(RULESET, special_abilities_max=special_abilities_max).when(join)
        if many > accepted:
            game.refused(f"{special_abilities_max} special ability at most")
        else:
            assert len(game.then(events.CharacterJoined).character("kit").traits) == many


@rule("Q1.23", "R1.53")
def test_nobody_takes_the_same_special_ability_twice() -> None:
    join = Join(name="Kit", special=("lucky", "lucky"))
    scenario(RULESET, special_abilities_max=2).when(join).refused("Kit has Lucky already")


@rule("R1.56")
def test_darkvision_sees_18_metres() -> None:
    assert str(made(special=("darkvision",)).sheet("kit").value("darkvision")) == "18 m (60 ft)"
    assert made().sheet("kit").value("darkvision") is None


# Choosing.


def test_only_what_is_open_can_be_chosen_and_only_what_is_offered() -> None:
    game = made(skills={"lore": 1, "primal": 1})
    game.when(Choose(who="kit", choice="level-2-skill-1", picked="lore")).refused("Open: creation-ability-1")
    game.when(Choose(who="kit", choice="creation-ability-1", picked="luck")).refused("option of creation-ability-1")


# Everybody else.


@rule("R1.1")
def test_monsters_have_the_numbers_that_somebody_wrote_down() -> None:
    bear = Join(
        name="Bear", kind="monster", hp=34, ac=14, speed=13, abilities=("4", "1", "3", "-3", "1", "0"),
        skills={"primal": 2}, stats={"to_hit": 2, "damage": 3},
    )  # fmt: skip
    sheet = scenario(RULESET).given(bear).sheet("bear")
    expected = {"max_hp": 34, "ac": 14, "speed": 13, "to_hit": 6, "damage": 4 - 2 + 3, "primal": 3, "hp": 34}
    assert {key: sheet.amount(key) for key in expected} == expected
    assert sheet.value("level") is None


def test_numbers_that_follow_from_the_sheet_are_not_entered_for_player_characters() -> None:
    scenario(RULESET).when(Join(name="Kit", hp=40)).refused("follow from their sheets")


@pytest.mark.parametrize(
    "wrong",
    [
        {"abilities": ("1", "2")},
        {"abilities": ("12", "0", "0", "0", "0", "x")},
        {"abilities": ("120", "0", "0", "0", "0", "0"), "kind": "npc"},
        {"weapon": "feather"},
        {"stats": {"hp": 9}},
        {"skills": {"cooking": 1}},
        {"skills": {"lore": 100}, "kind": "npc"},
        {"seat": "nobody"},
        {"name": ""},
    ],
)
def test_nonsense_is_refused_with_a_sentence_and_nobody_comes(wrong: dict[str, object]) -> None:
    game = scenario(RULESET).when(Join(**({"name": "Kit"} | wrong)))  # type: ignore[arg-type]
    with pytest.raises(RollbookError) as refusal:
        game.played  # noqa: B018
    assert len(str(refusal.value).split()) >= 5
    assert not game.before.characters
