"""A saving throw is a skill, made at any time for nothing, and every other edition's save is one of ours."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.luckpoint.abilities import BASIC, SAVING, SKILLS
from rollbook.rulesets.luckpoint.checks import Check
from rollbook.rulesets.luckpoint.creation import Join
from rollbook.rulesets.luckpoint.saves import CONVERSIONS, Save
from rollbook.testing.scenarios import like, rule
from tests.support.luckpoint import CHECKED, ROLLED, at_table, in_fight, with_damage

SKILL_OF = {
    "poison": "endurance", "death-ray": "endurance", "paralysis": "endurance", "polymorph": "endurance",
    "petrification": "endurance", "breath": "maneuvers", "fortitude": "endurance", "reflex": "maneuvers",
    "charisma": "cunning", "constitution": "endurance", "dexterity": "maneuvers", "intelligence": "lore",
    "strength": "maneuvers", "wisdom": "awareness",
}  # fmt: skip
SEVERAL = ("awareness", "cunning", "lore")


@rule("R1.22")
def test_a_save_costs_neither_action_nor_reaction_and_needs_no_turn() -> None:
    game = in_fight().when(Save(who="thug", skill="endurance")).rolling(13)
    game.then(like(CHECKED, check="Endurance save", total=15, success=True, outcome="saved"))
    game.never(events.TurnSpent, events.ConditionBegan)


@rule("R1.41")
@pytest.mark.parametrize(
    ("skill", "word"),
    [
        ("awareness", "will"),
        ("cunning", "curses"),
        ("endurance", "disease"),
        ("lore", "illusions"),
        ("maneuvers", "explosions"),
        ("primal", "horrors"),
    ],
)
def test_every_basic_skill_saves_from_something_of_its_own(skill: str, word: str) -> None:
    assert word in SKILLS[skill].saves
    assert sum(word in SKILLS[key].saves for key in BASIC) == 1
    game = at_table().when(Save(who="una", skill=skill, target="easy")).rolling(20)
    game.then(like(CHECKED, check=f"{SKILLS[skill].name} save", success=True))
    assert set(SAVING) == {*BASIC, "magic"}


@rule("R1.41", "Q1.21")
@pytest.mark.parametrize(("target", "goal"), [("easy", 5), ("hard", 15), ("extreme", 25), ("12", 12)])
def test_the_gm_says_how_hard_a_save_is(target: str, goal: int) -> None:
    at_table().when(Save(who="ada", skill="lore", target=target)).rolling(7).then(like(CHECKED, target=goal))


@rule("Q1.21", "R1.4")
def test_against_a_caster_both_roll_and_the_caster_rolls_magic() -> None:
    mage = Join(
        name="Mia", creation="alternate", abilities=("0", "0", "0", "3", "2", "1"), skills={"magic": 1, "lore": 1}
    )
    resist = Save(who="ada", skill="awareness", caster="mia")
    game = at_table().given(mage).when(resist).rolling(16, 12)
    game.then(
        like(ROLLED, roller="ada", total=17),
        like(ROLLED, roller="mia", purpose="casting", total=16),
        like(CHECKED, character="ada", total=17, target=16, success=True, against="mia"),
    )
    tie = at_table().given(mage).when(resist).rolling(15, 12)
    tie.then(like(CHECKED, total=16, target=16, success=False, outcome="not saved"))


@rule("Q1.21", "R1.38")
def test_nobody_needs_to_save_from_a_caster_who_cannot_cast() -> None:
    at_table().when(Save(who="ada", skill="lore", caster="goon")).refused("Goon has no points in Magic")
    at_table().when(Save(who="ada", skill="lore", caster="ada")).refused("Ada does not save against Ada")


@rule("R1.46", "R1.22")
def test_the_dying_save_and_the_dead_do_not() -> None:
    with_damage(at_table(), "una", 10).when(Save(who="una", skill="endurance")).rolling(13).then(
        like(CHECKED, success=True)
    )
    with_damage(at_table(), "una", 20).when(Save(who="una", skill="endurance")).refused("Una is dead")


@rule("R1.62", "R1.63", "R1.64")
@pytest.mark.parametrize(("save", "skill"), sorted(SKILL_OF.items()))
def test_a_save_of_another_edition_is_rolled_with_our_skill(save: str, skill: str) -> None:
    game = at_table().when(Save(who="ada", skill=save)).rolling(10)
    game.then(like(CHECKED, check=f"{SKILLS[skill].name} save ({CONVERSIONS[save].name})"))


@rule("R1.62", "R1.63", "Q1.31")
@pytest.mark.parametrize("save", ["spells", "staves", "wands", "will"])
def test_where_several_skills_would_do_the_effect_decides_or_else_awareness(save: str) -> None:
    at_table().when(Save(who="ada", skill=save)).rolling(10).then(like(CHECKED, total=11))
    for skill, total in zip(SEVERAL, (11, 9, 10), strict=True):
        game = at_table().when(Save(who="ada", skill=save, by_effect=skill)).rolling(10)
        game.then(like(CHECKED, total=total))
    at_table().when(Save(who="ada", skill=save, by_effect="primal")).refused("not to Primal")


@rule("R1.62", "R1.63", "R1.64")
def test_every_save_of_the_three_families_is_there() -> None:
    found = {key: row.skills for key, row in CONVERSIONS.items()}
    expected = {save: (skill,) for save, skill in SKILL_OF.items()}
    assert found == expected | dict.fromkeys(("spells", "staves", "wands", "will"), SEVERAL)
    by_rule = [sum(row.rule == number for row in CONVERSIONS.values()) for number in ("R1.62", "R1.63", "R1.64")]
    assert by_rule == [9, 3, 6]


def test_a_save_of_ours_leaves_no_choice() -> None:
    at_table().when(Save(who="ada", skill="lore", by_effect="primal")).refused("Lore leaves no choice")


@rule("R1.38")
def test_magic_resists_magic_for_those_who_know_some() -> None:
    game = at_table().when(Save(who="ada", skill="magic", target="easy")).rolling(20)
    game.then(like(CHECKED, success=False, outcome="untrained"))


@rule("R1.2", "R1.22")
def test_a_save_and_a_task_with_the_same_skill_add_the_same() -> None:
    totals = [
        at_table().when(action).rolling(9).events(ROLLED)[0].total
        for action in (Save(who="ben", skill="awareness"), Check(who="ben", skill="awareness"))
    ]
    assert totals == [12, 12]
