"""Checks and saves: an ability, proficiency where it counts, against a DC; and what second thoughts do."""

from __future__ import annotations

import pytest

from rollbook.plugin import ABILITIES, SecondThought, events
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.rulesets.srd5.tasks.saves import Save
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import fighter, monster, post, rolled, swing, table

CHECK = events.CheckResolved


@rule("R5.1", "R5.2")
@pytest.mark.parametrize(("score", "modifier"), [(1, -5), (3, -4), (9, -1), (10, 0), (11, 0), (20, 5), (30, 10)])
def test_a_score_has_a_modifier(score, modifier) -> None:
    scene = table(fighter(scores=(str(score), "10", "10", "10", "10", "10")))
    assert scene.sheet("kara").value("str").shown == f"{score} ({modifier:+d})"


@rule("R5.20", "R5.21")
@pytest.mark.parametrize(("level", "bonus"), [(1, 2), (4, 2), (5, 3), (9, 4), (13, 5), (17, 6), (20, 6)])
def test_the_proficiency_bonus_rises_with_the_level(level, bonus) -> None:
    assert table(fighter(level=level)).sheet("kara").amount("proficiency") == bonus


@rule("R5.4", "R5.5", "R5.22", "R5.23")
def test_a_check_adds_the_skills_ability_and_the_bonus_of_the_proficient() -> None:
    scene = table(fighter(skills=("athletics",)))
    scene.when(Check(who="kara", skill="athletics", dc="15")).rolling(10).then(like(CHECK, total=15, success=True))
    assert rolled(scene.when(Check(who="kara", skill="stealth")).rolling(10)) == ("1d20 + 2[DEX]",)
    assert rolled(scene.when(Check(who="kara", skill="strength")).rolling(10)) == ("1d20 + 3[STR]",)
    assert rolled(scene.when(Check(who="kara", skill="athletics", ability="con")).rolling(10)) == (
        "1d20 + 2[CON] + 2[proficiency]",
    )


@rule("R5.6")
@pytest.mark.parametrize(
    ("word", "dc"),
    [("very-easy", 5), ("easy", 10), ("medium", 15), ("hard", 20), ("very-hard", 25), ("nearly-impossible", 30)],
)
def test_difficulties_have_names(word, dc) -> None:
    table().when(Check(who="kara", skill="stealth", dc=word)).rolling(10).then(like(CHECK, target=dc))


@rule("R5.138")
def test_expertise_counts_the_bonus_twice() -> None:
    scene = table(fighter(expertise=("stealth",)))
    assert rolled(scene.when(Check(who="kara", skill="stealth")).rolling(10)) == ("1d20 + 2[DEX] + 4[expertise]",)


@rule("R5.26", "R5.21")
def test_a_tool_counts_as_a_skill_does_and_with_the_skill_gives_advantage() -> None:
    kit = events.TraitGained(character="kara", trait="thieves' tools", kind="tool")
    picks = Check(who="kara", skill="dexterity", tool="Thieves' Tools")
    assert rolled(table(fighter()).given(kit).when(picks).rolling(10)) == ("1d20 + 2[DEX] + 2[proficiency]",)
    both = Check(who="kara", skill="sleight of hand", tool="thieves' tools")
    skilled = table(fighter(skills=("sleight of hand",))).given(kit).when(both).rolling(10, 4)
    assert rolled(skilled) == ("2d20kh1[thieves' tools] + 2[DEX] + 2[proficiency]",)


def test_an_unknown_skill_names_its_nearest() -> None:
    table().when(Check(who="kara", skill="steath")).refused("stealth")


@rule("R5.7", "R5.24")
def test_the_first_class_makes_proficient_in_two_saves() -> None:
    scene = table(fighter())
    found = {ability: scene.sheet("kara").amount(f"save:{ability}") for ability in ABILITIES}
    assert found == {"str": 5, "dex": 2, "con": 4, "int": 0, "wis": 1, "cha": -1}
    scene.when(Save(who="kara", ability="constitution", dc=14)).rolling(10).then(like(CHECK, total=14, success=True))


@rule("R5.62")
def test_cover_adds_to_dexterity_saves_alone() -> None:
    scene = table()
    assert "+ 2[half cover]" in rolled(scene.when(Save(who="kara", ability="dex", cover="half")).rolling(10))[0]
    assert "cover" not in rolled(scene.when(Save(who="kara", ability="wis", cover="half")).rolling(10))[0]


@rule("R5.185")
def test_a_thing_without_a_score_fails_saves_with_it() -> None:
    door = table(fighter(), post(name="Door", kind="thing"))
    door.when(Save(who="door", ability="dex")).then(like(CHECK, success=False, outcome="fails: no Dexterity"))


def test_magic_resistance_helps_saves_against_magic_alone() -> None:
    scene = table(monster("Imp"))
    assert rolled(scene.when(Save(who="imp", ability="wis", versus=("magic",))).rolling(10, 3))[0].startswith(
        "2d20kh1[Magic Resistance]"
    )
    assert rolled(scene.when(Save(who="imp", ability="wis")).rolling(10))[0].startswith("1d20")


@rule("R5.176")
def test_a_passive_score_is_ten_and_the_bonus() -> None:
    assert table(fighter(skills=("perception",))).sheet("kara").amount("passive_perception") == 13


@rule("R5.18", "R5.17", "R5.19")
def test_heroic_inspiration_rolls_a_d20_again_and_the_new_roll_counts() -> None:
    again = SecondThought(kind="inspiration", character="kara")
    inspired = table().given(events.PoolGained(holder="kara", pool="inspiration", amount=1))
    inspired.when(swing(), again).rolling(3, 17, 4).then(
        like(events.PoolSpent, pool="inspiration", amount=1), like(CHECK, total=22, success=True)
    )
    worse = inspired.when(swing(), again).rolling(12, 2)
    worse.then(like(CHECK, total=7, success=False))
    table().when(swing(), again).rolling(10, 4).refused("no heroic inspiration")


@rule("R5.106", "R5.107", "R5.271")
def test_armour_without_training_spoils_strength_and_dexterity_and_a_shield_adds_nothing() -> None:
    mage = fighter(class_name="wizard", armour="chain mail", shield=True)
    scene = table(mage)
    assert scene.sheet("kara").amount("ac") == 16
    assert rolled(scene.when(Save(who="kara", ability="dex")).rolling(9, 10))[0].startswith("2d20kl1[Chain Mail]")
    trained = table(fighter(armour="chain mail", shield=True))
    assert trained.sheet("kara").amount("ac") == 18
    assert rolled(trained.when(Check(who="kara", skill="stealth")).rolling(9, 10))[0].startswith("2d20kl1[Chain Mail]")
    assert table(fighter(scores=("12",) * 6, armour="plate armor")).sheet("kara").amount("speed") == 20


@rule("R5.11", "R5.12", "R5.271")
@pytest.mark.parametrize(
    ("armour", "dex", "ac"),
    [("", 14, 12), ("leather", 18, 15), ("scale mail", 18, 16), ("chain mail", 18, 16), ("plate armor", 8, 18)],
)
def test_dexterity_counts_as_far_as_the_armour_lets_it(armour, dex, ac) -> None:
    scores = ("16", str(dex), "14", "10", "12", "8")
    assert table(fighter(scores=scores, armour=armour)).sheet("kara").amount("ac") == ac


@rule("R5.12", "R5.231")
def test_unarmoured_defences_do_not_add_up() -> None:
    barbarian = fighter(class_name="barbarian", scores=("16", "14", "16", "10", "12", "8"))
    assert table(barbarian).sheet("kara").amount("ac") == 15
