"""The numbers of characters that a rule only has to look up: scores, levels, classes."""

from __future__ import annotations

from typing import Any

import pytest

from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import CharacterClass
from rollbook.rulesets.srd5.character import classes
from rollbook.testing.scenarios import rule

CASTERS = ("bard", "cleric", "druid", "sorcerer", "wizard")
HALF_CASTERS = ("paladin", "ranger")


def of_class(key: str) -> CharacterClass:
    return catalogue.classes()[key]


def column(key: str, name: str) -> list[Any]:
    """A column of a class's table, only where it changes."""
    found = [level.numbers.get(name, 0) for level in of_class(key).levels]
    return [value for at, value in enumerate(found) if not at or value != found[at - 1]]


# Making a character.


@rule("R5.210")
def test_the_standard_array_has_six_scores() -> None:
    assert catalogue.creation().array == (15, 14, 13, 12, 10, 8)


@rule("R5.211")
def test_scores_are_the_best_three_of_four_dice() -> None:
    assert (catalogue.creation().roll, catalogue.creation().keep) == ("4d6", 3)


@rule("R5.212")
def test_scores_are_bought_for_27_points() -> None:
    creation = catalogue.creation()
    assert creation.points == 27
    assert [creation.costs[str(score)] for score in range(8, 16)] == [0, 1, 2, 3, 4, 5, 7, 9]


@rule("R5.213")
def test_a_class_puts_the_array_where_it_needs_it() -> None:
    assert [*of_class("fighter").array.values()] == [15, 14, 13, 8, 10, 12]
    assert [*of_class("cleric").array.values()] == [14, 8, 13, 10, 15, 12]
    for each in catalogue.classes().values():
        assert sorted(each.array.values()) == sorted(catalogue.creation().array)
        assert max(each.array, key=lambda ability: each.array[ability]) in each.primary


@rule("R5.209")
def test_anybody_knows_common_and_two_more_of_ten_languages() -> None:
    creation = catalogue.creation()
    assert creation.language_count == 2
    assert len(creation.languages) == 10
    assert creation.languages["Common"] == ""


@rule("R5.217", "R5.320")
@pytest.mark.parametrize(
    ("die", "keys"),
    [
        (12, {"barbarian"}),
        (10, {"fighter", "paladin", "ranger"}),
        (8, {"bard", "cleric", "druid", "monk", "rogue", "warlock"}),
        (6, {"sorcerer", "wizard"}),
    ],
)
def test_a_class_has_its_hit_die(die: int, keys: set[str]) -> None:
    assert {key for key, each in catalogue.classes().items() if each.hit_die == die} == keys


@rule("R5.320")
def test_a_class_teaches_two_saves_and_some_skills() -> None:
    assert all(len(each.saves) == 2 for each in catalogue.classes().values())
    assert of_class("wizard").saves == ("int", "wis")
    assert {key: each.skills.choose for key, each in catalogue.classes().items() if each.skills.choose != 2} == {
        "bard": 3,
        "ranger": 3,
        "rogue": 4,
    }
    assert of_class("rogue").martial_only == ("finesse", "light")
    assert [key for key, each in catalogue.classes().items() if "heavy" in each.armour] == ["fighter", "paladin"]


@rule("R5.228", "R5.321")
def test_a_later_class_teaches_less() -> None:
    later = of_class("fighter").multiclass
    assert later is not None
    assert (later.weapons, later.armour, later.skills) == (("martial",), ("light", "medium", "shield"), None)
    assert of_class("monk").multiclass is None
    assert of_class("rogue").multiclass is not None


@rule("R5.225")
def test_a_second_class_needs_13_in_what_both_live_by() -> None:
    assert catalogue.creation().multiclass_minimum == 13
    assert {key for key, each in catalogue.classes().items() if each.primary_either} == {"fighter"}
    assert of_class("paladin").primary == ("str", "cha")


# Levels.


@rule("R5.220")
@pytest.mark.parametrize(("level", "xp"), [(1, 0), (2, 300), (5, 6500), (11, 85000), (17, 225000), (20, 355000)])
def test_a_level_takes_experience(level: int, xp: int) -> None:
    assert catalogue.advancement()[str(level)].xp == xp


@rule("R5.20")
def test_the_proficiency_bonus_grows_every_four_levels() -> None:
    rows = [row.proficiency for row in catalogue.advancement().values()]
    assert rows == [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [6] * 4
    assert all([level.proficiency for level in each.levels] == rows for each in catalogue.classes().values())


@rule("R5.223")
def test_a_feat_after_the_last_level_costs_30000() -> None:
    assert catalogue.creation().feat_xp == 30000


@rule("R5.224")
def test_those_who_begin_higher_have_more() -> None:
    wealth = [(row.level, row.gold, row.dice, row.times) for row in catalogue.creation().wealth]
    assert wealth == [(2, 0, "", 0), (5, 500, "1d10", 25), (11, 5000, "1d10", 250), (17, 20000, "1d10", 250)]
    assert catalogue.creation().wealth[2].items == {"common": 2, "uncommon": 3, "rare": 1}


@rule("R5.229", "R5.327")
@pytest.mark.parametrize("key", CASTERS)
def test_a_caster_has_the_slots_of_the_table_for_several_classes(key: str) -> None:
    assert [level.slots for level in of_class(key).levels] == [row.slots for row in catalogue.advancement().values()]


@rule("R5.229", "R5.327")
@pytest.mark.parametrize("key", HALF_CASTERS)
def test_half_a_caster_has_the_slots_of_half_the_level_rounded_up(key: str) -> None:
    rows = catalogue.advancement()
    assert [level.slots for level in of_class(key).levels] == [rows[str((n + 1) // 2)].slots for n in range(1, 21)]


@rule("R5.487")
def test_pact_slots_are_few_and_all_of_one_level() -> None:
    pact = [(level.pact_slots, level.pact_level) for level in of_class("warlock").levels]
    assert pact[:5] == [(1, 1), (2, 1), (2, 2), (2, 2), (2, 3)]
    assert pact[8] == (2, 5)
    assert pact[10] == (3, 5)
    assert pact[16:] == [(4, 5)] * 4


@rule("R5.327")
def test_cantrips_and_prepared_spells_grow() -> None:
    assert column("wizard", "cantrips") == [3, 4, 5]
    assert [level.numbers["prepared spells"] for level in of_class("wizard").levels][-3:] == [23, 24, 25]
    assert column("sorcerer", "cantrips") == [4, 5, 6]
    assert column("paladin", "cantrips") == [0]


@rule("R5.328")
def test_a_class_changes_its_spells_at_its_own_time() -> None:
    assert {key: each.casting.swap for key, each in catalogue.classes().items() if each.casting} == {
        **dict.fromkeys(("bard", "sorcerer", "warlock"), "level"),
        **dict.fromkeys(("cleric", "druid", "paladin", "ranger", "wizard"), "long rest"),
    }


@rule("R5.322")
def test_a_feature_comes_with_its_level() -> None:
    assert "Extra Attack" not in classes.features("monk", 4)
    assert {"Extra Attack", "Stunning Strike"} <= set(classes.features("monk", 5))


@rule("R5.324")
def test_scores_improve_at_the_levels_of_the_class() -> None:
    def levels(key: str) -> list[int]:
        return [level.level for level in of_class(key).levels if "Ability Score Improvement" in level.features]

    assert levels("fighter") == [4, 6, 8, 12, 14, 16]
    assert levels("rogue") == [4, 8, 10, 12, 16]
    assert all(levels(key) == [4, 8, 12, 16] for key in catalogue.classes() if key not in ("fighter", "rogue"))


@rule("R5.329")
def test_masteries_grow_for_two_classes() -> None:
    assert column("barbarian", "weapon mastery") == [2, 3, 4]
    assert column("fighter", "weapon mastery") == [3, 4, 5, 6]
    assert [column(key, "weapon mastery") for key in ("paladin", "ranger", "rogue", "wizard")] == [[2], [2], [2], [0]]


@rule("R5.334", "R5.352", "R5.364", "R5.403", "R5.405", "R5.427", "R5.440", "R5.455", "R5.472", "R5.485")
@pytest.mark.parametrize(
    ("key", "name", "values"),
    [
        ("barbarian", "rages", [2, 3, 4, 5, 6]),
        ("barbarian", "rage damage", [2, 3, 4]),
        ("bard", "bardic die", ["d6", "d8", "d10", "d12"]),
        ("cleric", "channel divinity", [0, 2, 3, 4]),
        ("druid", "wild shape", [0, 2, 3, 4]),
        ("fighter", "second wind", [2, 3, 4]),
        ("fighter", "action surge", [0, 1, 2]),
        ("fighter", "indomitable", [0, 1, 2, 3]),
        ("monk", "martial arts", ["1d6", "1d8", "1d10", "1d12"]),
        ("monk", "focus points", [0, *range(2, 21)]),
        ("monk", "unarmored movement", [0, 10, 15, 20, 25, 30]),
        ("paladin", "channel divinity", [0, 2, 3]),
        ("ranger", "favored enemy", [2, 3, 4, 5, 6]),
        ("rogue", "sneak attack", [f"{dice}d6" for dice in range(1, 11)]),
        ("sorcerer", "sorcery points", [0, *range(2, 21)]),
        ("warlock", "eldritch invocations", [1, 3, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_a_column_of_a_class_grows(key: str, name: str, values: list[Any]) -> None:
    assert column(key, name) == values


@rule("R5.378")
def test_a_druid_knows_more_and_stronger_forms() -> None:
    shapes = [(each.level, each.known, each.challenge, each.fly) for each in of_class("druid").shapes]
    assert shapes == [(2, 4, "1/4", False), (4, 6, "1/2", False), (8, 8, "1", True)]


@rule("R5.473", "R5.476")
def test_sorcery_points_make_slots_and_pay_for_metamagic() -> None:
    sorcerer = of_class("sorcerer")
    costs = [(each.slot, each.points, each.level) for each in sorcerer.slot_costs]
    assert costs == [(1, 2, 2), (2, 3, 3), (3, 5, 5), (4, 6, 7), (5, 7, 9)]
    assert {each.name for each in sorcerer.options if each.spends["sorcery points"] == 2} == {
        "Heightened Spell",
        "Quickened Spell",
    }
    assert len(sorcerer.options) == 10


@rule("R5.395")
def test_attacks_of_an_action_by_level() -> None:
    attacks = {
        each.level: each.numbers["attacks"] for each in of_class("fighter").features if "attacks" in each.numbers
    }
    assert attacks == {5: 2, 11: 3, 20: 4}
