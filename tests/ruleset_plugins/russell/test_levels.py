"""A level takes the experience and a week; it brings a die, a template up to the fourth, and a higher rank."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.character.templates import OwnTemplate
from rollbook.rulesets.russell.fight.criticals import Choose
from rollbook.rulesets.russell.wealth.downtime import LevelUp, TakeDowntime
from rollbook.testing.scenarios import like, rule, with_dice

ROLLED, GAINED, OFFERED, MADE = events.DiceRolled, events.LevelGained, events.ChoiceOffered, events.ChoiceMade
WEEK = TakeDowntime(who=("party",))
UP = LevelUp(who="cora")


def points(amount: int, who: str = "cora") -> events.Event:
    return events.ExperienceAwarded(character=who, amount=amount)


@rule("R3.48")
def test_a_level_takes_the_experience_and_a_week_of_downtime(dungeon) -> None:
    dungeon().given(points(1_999), WEEK).when(UP).refused("1,999", "level 2 takes 2,000")
    dungeon().given(points(2_000)).when(UP).refused("needs a week of downtime", "downtime cora --weeks")
    dungeon().given(points(2_000), WEEK).when(UP).rolling(4).then(GAINED(character="cora", levels=1))


@rule("R3.48", "QG.7")
def test_experience_alone_raises_nobody_but_the_sheet_says_so(dungeon) -> None:
    earned = dungeon().given(points(2_000))
    assert earned.sheet("cora").amount("level") == 1
    assert ("Level due", "level 2, after a week of downtime (R3.48)") in earned.sheet("cora").words


@rule("R3.49", "R3.12")
def test_a_level_brings_a_die_weapon_skill_if_even_a_template_and_a_higher_rank(dungeon) -> None:
    up = dungeon().given(points(4_000), TakeDowntime(who=("party",), weeks=2)).when(UP).rolling(4)
    up.then(
        like(ROLLED, purpose="hit die", total=4),
        events.StatChanged(character="cora", stat="rolled_hp", amount=4, reason="level 2"),
        GAINED(character="cora", levels=1),
        like(OFFERED, choice="template-2"),
    )
    sheet = up.sheet("cora")
    assert [sheet.amount(key) for key in ("max_hp", "weapon_skill", "highest_rank")] == [10, 2, 2]
    third = up.go_on().when(UP).rolling(1).sheet("cora")
    assert [third.amount(key) for key in ("max_hp", "weapon_skill", "highest_rank")] == [11, 2, 3]


@rule("Q3.46")
def test_one_week_is_good_for_one_level_or_for_all_that_are_due(dungeon) -> None:
    due = (points(4_000), WEEK, with_dice(UP, 3))
    dungeon().given(*due).when(UP).refused("one for each")
    dungeon(levels_per_week="all").given(*due).when(UP).rolling(3).then(GAINED)
    two = (points(4_000), TakeDowntime(who=("party",), weeks=2), with_dice(UP, 3))
    dungeon().given(*two).when(UP).rolling(3).then(GAINED)
    dungeon().given(*due, WEEK).when(UP).rolling(3).then(GAINED)


@rule("R3.50")
def test_templates_come_in_order_one_for_each_of_the_first_four_levels(nobody) -> None:
    eve = Join(name="Eve", scores=("10",) * 6, level=4, hit_dice=("3",) * 4, templates=("sellsword",) * 4)
    four = nobody().given(eve)
    assert four.character("eve").traits_of("template") == ("sellsword A", "sellsword B", "sellsword C", "sellsword D")
    assert four.sheet("eve").amount("weapon_skill") == 3 + 1 + 1
    fifth = four.given(points(10_000, "eve"), WEEK)
    fifth.when(LevelUp(who="eve")).rolling(2).then(GAINED).never(OFFERED)
    fifth.when(LevelUp(who="eve", template="delver")).refused("levels 1 to 4")


@rule("R3.50")
def test_nobody_takes_b_without_a(dungeon) -> None:
    offered = dungeon()
    assert offered.character("cora").choices["template-1"].keys == ("sellsword A", "delver A", "hedge-mage A")
    offered.when(Choose(who="cora", choice="template-1", picked="sellsword B")).refused("sellsword A")
    taken = offered.when(Choose(who="cora", choice="template-1", picked="sellsword"))
    taken.then(events.TraitGained(character="cora", trait="sellsword A", kind="template"))
    offered.when(Choose(who="cora", choice="template-1", picked="hedge-mage A")).then(like(MADE, picked="hedge-mage A"))


@rule("R3.51")
def test_the_primary_class_is_that_of_most_templates_and_brings_its_ability(dungeon) -> None:
    assert dungeon().sheet("aldo").title == "Sellsword, level 1"
    assert ("Old Soldier", "Every blow in hand-to-hand fighting does a point more.") in dungeon().sheet("aldo").words
    two = Join(
        name="Eve",
        scores=("10",) * 6,
        level=3,
        hit_dice=("3",) * 3,
        templates=("sellsword", "hedge-mage", "hedge-mage"),
    )
    mage = dungeon().given(two)
    assert mage.sheet("eve").title == "Hedge Mage, level 3"
    assert mage.sheet("eve").amount("save_bonus") == 1
    assert "Old Soldier" not in dict(mage.sheet("eve").words)


@rule("R3.51")
def test_in_a_tie_the_player_says_which_class_is_the_primary_one(dungeon) -> None:
    up = dungeon().given(points(2_000, "aldo"), WEEK).when(LevelUp(who="aldo", template="hedge-mage")).rolling(3)
    up.then(like(OFFERED, choice="primary-class"))
    assert up.character("aldo").choices["primary-class"].keys == ("sellsword", "hedge-mage")
    assert up.sheet("aldo").title == "level 2", "until it is said there is none"
    assert "Old Soldier" not in dict(up.sheet("aldo").words)
    chosen = up.go_on().given(Choose(who="aldo", choice="primary-class", picked="hedge-mage"))
    assert chosen.sheet("aldo").title == "Hedge Mage, level 2"
    up.go_on().when(Choose(who="aldo", choice="primary-class", picked="delver")).refused("sellsword")


@rule("R3.51")
def test_a_tie_that_is_broken_settles_itself(dungeon) -> None:
    tie = dungeon().given(
        points(4_000, "aldo"),
        TakeDowntime(who=("party",), weeks=2),
        with_dice(LevelUp(who="aldo", template="hedge-mage"), 3),
    )
    broken = tie.when(LevelUp(who="aldo", template="hedge-mage")).rolling(3)
    broken.then(MADE(character="aldo", choice="primary-class", picked="hedge-mage"))
    assert broken.sheet("aldo").title == "Hedge Mage, level 3"


@rule("R3.13", "R3.49")
def test_past_level_10_no_die_is_rolled(nobody) -> None:
    eve = Join(name="Eve", scores=("10",) * 6, level=10, hit_dice=("3",) * 10)
    up = nobody().given(eve, points(5_000, "eve"), WEEK).when(LevelUp(who="eve"))
    up.then(GAINED(character="eve", levels=1)).never(ROLLED)
    assert up.sheet("eve").amount("max_hp") == 32


@rule("Q3.2")
def test_newcomers_begin_at_level_1_without_experience_or_at_level_0(nobody) -> None:
    eve = Join(name="Eve", scores=("10",) * 6)
    first = nobody().when(eve).rolling(4).then(GAINED(character="eve", levels=1)).never(events.ExperienceAwarded)
    assert first.sheet("eve").amount("xp") == 0
    zero = nobody(level_zero=True).when(eve).never(GAINED)
    assert zero.sheet("eve").amount("level") == 0
    assert zero.sheet("eve").amount("max_hp") == 1
    risen = zero.go_on().given(points(1, "eve"), WEEK).when(LevelUp(who="eve", template="delver")).rolling(5)
    assert [risen.sheet("eve").amount(key) for key in ("level", "max_hp")] == [1, 5]


def test_monsters_gain_no_levels(dungeon) -> None:
    dungeon().given(points(9_999, "ogre")).when(LevelUp(who="ogre")).refused("fights by hit dice")


@pytest.mark.parametrize("who", [("party",), ("cora",)])
def test_downtime_takes_its_weeks(dungeon, who: tuple[str, ...]) -> None:
    rested = dungeon().when(TakeDowntime(who=who, weeks=3))
    assert rested.after.clock == 3 * 7 * 86_400
    assert rested.character("cora").pools["weeks of downtime"] == 3


@rule("Q3.47", "R3.50", "R3.51")
def test_a_table_has_templates_of_its_own(dungeon) -> None:
    ranger = OwnTemplate(who="cora", name="Ranger", effects={"hp": 2, "ss": 1, "ac": 1}, primary={"sees_in_dim": 1})
    taken = dungeon().when(ranger)
    taken.then(
        like(MADE, choice="template-1", picked="ranger A"),
        events.TraitGained(
            character="cora", trait="ranger A", kind="template", data={"class": "ranger", "hp": 2, "ss": 1, "ac": 1}
        ),
    )
    sheet = taken.sheet("cora")
    assert sheet.title == "Ranger, level 1"
    assert [sheet.amount(key) for key in ("max_hp", "shooting_skill", "ac")] == [8, 2, 8]
    assert dict(sheet.words)["ranger A"] == "+1 Shooting Skill, +2 hit points, +1 better armour class"
    assert dict(sheet.words)["ranger primary"] == "+1 sees in dim light, if it is 1"
    second = taken.go_on().given(points(2_000), WEEK, with_dice(UP, 3)).given(OwnTemplate(who="cora", name="ranger"))
    assert second.character("cora").trait_data["ranger B"] == {"class": "ranger"}


@rule("Q3.47")
def test_own_templates_fill_open_choices_and_change_what_can_be_changed(dungeon) -> None:
    dungeon().when(OwnTemplate(who="aldo", name="ranger")).refused("no open choice of a template")
    dungeon().when(OwnTemplate(who="cora", name="delver")).refused("Give the table's own class another name")
    dungeon().when(OwnTemplate(who="cora", name="ranger", effects={"wings": 1})).refused("wings")
    level_2 = (points(2_000), WEEK, with_dice(UP, 3))
    said = dungeon().given(OwnTemplate(who="cora", name="ranger", primary={"ws": 1}), *level_2)
    said.when(OwnTemplate(who="cora", name="ranger", primary={"ws": 2})).refused(
        "has a Primary Ability already: +1 Weapon Skill"
    )


@rule("R3.51")
def test_a_later_tie_is_asked_again_and_each_tie_once(dungeon) -> None:
    """One to one, then two to one, then two to two: the second tie is a question of its own."""
    level_4 = (points(7_000), TakeDowntime(who=("party",), weeks=3))
    first = dungeon().given(Choose(who="cora", choice="template-1", picked="sellsword"), *level_4)
    tied = first.given(with_dice(LevelUp(who="cora", template="delver"), 3))
    chosen = tied.given(Choose(who="cora", choice="primary-class", picked="delver"))
    led = chosen.given(with_dice(LevelUp(who="cora", template="sellsword"), 3))
    assert "primary-class" not in led.after.characters["cora"].choices
    again = led.when(LevelUp(who="cora", template="delver")).rolling(3)
    again.then(like(OFFERED, choice="primary-class"))
    assert again.character("cora").choices["primary-class"].keys == ("sellsword", "delver")
    settled = again.go_on().given(Choose(who="cora", choice="primary-class", picked="sellsword"))
    assert "primary-class" not in settled.after.characters["cora"].choices
    assert settled.sheet("cora").title.startswith("Sellsword")
