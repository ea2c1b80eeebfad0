"""Player characters roll, monsters have a stat line, and hit points of monsters are rolled or reckoned."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.fight.rolls import Save
from rollbook.testing.scenarios import like, rule

ROLLED = events.DiceRolled
SIX = ("12", "9", "14", "10", "8", "13")


@rule("Q3.48", "Q3.59")
def test_a_newcomer_rolls_3d6_six_times_in_order_and_has_no_gear_or_skills(nobody) -> None:
    played = (
        nobody()
        .when(Join(name="Eve"))
        .rolling(*(1, 2, 3), *(2, 2, 2), *(4, 4, 4), *(5, 5, 5), *(6, 6, 6), *(3, 3, 3), 4)
    )
    sheet = played.sheet("eve")
    assert [sheet.amount(each) for each in ("str", "con", "dex", "int", "wis", "cha")] == [6, 6, 12, 15, 18, 9]
    assert not played.character("eve").gear
    assert not played.character("eve").traits


@rule("Q3.48")
def test_a_table_may_let_rolls_be_arranged_or_roll_four_dice(nobody) -> None:
    order = ("dex", "str", "con", "int", "wis", "cha")
    threes = (3, 3, 3) * 5
    eve = Join(name="Eve", order=order)
    nobody().when(eve).refused("in order", "attr_gen")
    arranged = nobody(attr_gen="3d6_arranged").when(eve).rolling(6, 6, 6, *threes, 4)
    assert arranged.sheet("eve").amount("dex") == 18
    four = nobody(attr_gen="4d6_arranged").when(eve).rolling(6, 6, 6, 1, *(3, 3, 3, 1) * 5, 4)
    assert four.sheet("eve").amount("dex") == 18
    nobody(attr_gen="3d6_arranged").when(Join(name="Eve", order=("dex",))).refused("every attribute once")


@rule("R3.96")
def test_a_monster_is_a_stat_line(dungeon) -> None:
    sheet = dungeon().sheet("ogre")
    assert dict(sheet.words)["Profile"] == "Mv 9 WS 5 Att 2 HD 4 AC 5 I 1 Sv 12 Mrl 9"
    expected = {
        "movement": 9,
        "turn_feet": 90,
        "speed": 18,
        "weapon_skill": 5,
        "shooting_skill": 1,
        "attacks": 2,
        "ac": 5,
    }
    expected |= {"hit_dice": 4, "initiative": 1, "save": 12}
    assert {key: sheet.amount(key) for key in expected} == expected


@rule("R3.96", "Q3.44")
def test_what_a_stat_line_leaves_out_is_average(nobody) -> None:
    bandit = Join(name="Bandit", kind="npc", hp=4)
    sheet = nobody().given(bandit).sheet("bandit")
    expected = {
        "hit_dice": 1,
        "weapon_skill": 1,
        "shooting_skill": 1,
        "ac": 9,
        "initiative": 0,
        "movement": 12,
        "str": 10,
    }
    assert {key: sheet.amount(key) for key in expected} == expected
    assert sheet.value("speed").amount == 24


@rule("R3.96")
def test_attributes_may_be_stated_for_anybody(nobody) -> None:
    smith = Join(name="Smith", kind="npc", hp=4, scores=SIX)
    assert nobody().given(smith).sheet("smith").amount("dex") == 14


@rule("R3.97")
def test_hit_points_of_monsters_are_rolled(nobody) -> None:
    played = nobody().when(Join(name="Bear", kind="monster", profile="HD 3")).rolling(2, 5, 6)
    assert played.sheet("bear").amount("max_hp") == 13


@rule("R3.97")
@pytest.mark.parametrize(("by", "dice", "points"), [("soft", 3, 10), ("hard", 3, 11), ("soft", 4, 14), ("hard", 1, 4)])
def test_or_reckoned_at_3_and_a_half_down_for_the_soft_and_up_for_the_hard(
    nobody, by: str, dice: int, points: int
) -> None:
    bear = Join(name="Bear", kind="monster", profile=f"HD {dice}")
    assert nobody(monster_hp=by).given(bear).sheet("bear").amount("max_hp") == points
    own = Join(name="Bear", kind="monster", profile=f"HD {dice}", hp_by=by)
    assert nobody().given(own).sheet("bear").amount("max_hp") == points


@rule("R3.97")
def test_a_group_may_share_one_value(nobody) -> None:
    first = nobody().when(Join(name="Rat", kind="monster", profile="HD 2 AC 7")).rolling(3, 6)
    second = first.go_on().when(Join(name="Rat 2", kind="monster", like="rat")).never(ROLLED)
    sheet = second.sheet("rat-2")
    assert [sheet.amount(key) for key in ("max_hp", "ac", "hit_dice")] == [9, 7, 2]


@rule("R3.96", "QG.8")
def test_hit_points_may_be_entered(nobody) -> None:
    bear = Join(name="Bear", kind="monster", profile="HD 3", hp=17)
    sheet = nobody().given(bear).sheet("bear")
    assert sheet.amount("max_hp") == 17
    tough = Join(name="Eve", scores=SIX, hit_dice=("2",), hp=9)
    assert nobody().given(tough).sheet("eve").amount("max_hp") == 9
    chest = Join(name="Chest", kind="thing", hp=5)
    assert nobody().given(chest).sheet("chest").amount("max_hp") == 5


def test_somebody_may_start_higher_with_the_experience_of_the_level(nobody) -> None:
    played = (
        nobody()
        .when(Join(name="Eve", scores=SIX, level=3, hit_dice=("1", "2", "3")))
        .then(like(events.ExperienceAwarded, amount=4_000, reason="starts at level 3"))
    )
    assert list(played.character("eve").choices) == ["template-1", "template-2", "template-3"]


@pytest.mark.parametrize(
    ("join", "said"),
    [
        (Join(name="Eve", scores=("1", "2")), "Scores are 6 numbers"),
        (Join(name="Eve", scores=SIX, hit_dice=("7",)), "each 1 to 6"),
        (Join(name="Eve", scores=SIX, profile="HD 3"), "a stat line does not fit"),
        (Join(name="Eve", scores=SIX, templates=("delver", "delver")), "starts at level 1"),
        (Join(name="Bear", kind="monster", profile="HD 3 Wings 2"), "A stat line consists of Mv, WS"),
        (Join(name="Bear", kind="monster", profile="HD 9999"), "0 to 1,000"),
        (Join(name="Bear", kind="monster", hit_dice=("3",)), "--profile 'HD 3'"),
        (Join(name="Bear", kind="monster", like="wolf"), "wolf"),
        (Join(name="Bear", kind="monster", stats={"thick fur": 1}), "name=number"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_die_is_rolled(nobody, join: Join, said: str) -> None:
    nobody().when(join).refused(said)


@rule("R3.96", "R3.97")
def test_hit_dice_may_have_an_adjustment_of_hit_points(nobody) -> None:
    hydra = nobody().when(Join(name="Hydra", kind="monster", profile="HD 3+1 AC 5")).rolling(4, 2, 6)
    hydra.then(like(ROLLED, expression="3d6", total=12))
    sheet = hydra.sheet("hydra")
    assert (sheet.amount("max_hp"), sheet.amount("weapon_skill"), sheet.amount("hit_dice")) == (13, 3, 3)
    assert sheet.title == "monster, HD 3+1"
    assert dict(sheet.words)["Profile"] == "HD 3+1 AC 5"
    weak = nobody().when(Join(name="Rat", kind="monster", profile="HD 1-1", hp_by="soft"))
    assert weak.sheet("rat").amount("max_hp") == 2
    told = nobody().when(Join(name="Bear", kind="monster", profile="HD 3+1", hp=17))
    assert told.sheet("bear").amount("max_hp") == 17
    nobody().when(Join(name="Bear", kind="monster", profile="AC 5+1")).refused("A stat line consists of")


@rule("R3.96")
def test_a_monster_may_save_otherwise_against_some_kinds_of_danger(nobody) -> None:
    golem = nobody().given(Join(name="Golem", kind="monster", profile="HD 2 Sv 9 Sv:poison 17 Sv:spells 4", hp=8))
    assert golem.sheet("golem").amount("save_con") == 17
    assert dict(golem.sheet("golem").words)["Profile"] == "HD 2 Sv 9 Sv:con 17 Sv:int 4"
    for attribute, number in (("con", 17), ("int", 4), ("dex", 9)):
        golem.when(Save(who="golem", attribute=attribute)).rolling(10).then(like(events.CheckResolved, target=number))
