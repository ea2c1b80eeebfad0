"""The rulebook's one example comes out as it is printed, but for the one number in it that its own rules do not give."""

from __future__ import annotations

import pytest

from rollbook.kit import ability_scores
from rollbook.plugin import events
from rollbook.rulesets.luckpoint import RULESET
from rollbook.rulesets.luckpoint.abilities import ABILITY_USES, BASIC, SKILLS, word
from rollbook.rulesets.luckpoint.checks import Check
from rollbook.rulesets.luckpoint.creation import BringIn, Join
from rollbook.rulesets.luckpoint.levels import Choose
from rollbook.testing.scenarios import Scenario, like, rule, scenario
from tests.support.luckpoint import award

PRINTED = {
    "str": 4, "dex": 2, "con": 1, "int": 0, "wis": 1, "cha": 0,
    "maneuvers": 7, "endurance": 3, "awareness": 2, "cunning": 0, "lore": 0, "magic": 0,
    "hp": 15, "max_hp": 15, "level": 3,
}  # fmt: skip


def fighter(**house: int | str) -> Scenario:
    return scenario(RULESET, **house).given(BringIn(who="fighter"))


def made_by_the_rules() -> Scenario:
    """The same fighter, made like anybody: 7 points, two skills, two levels."""
    game = scenario(RULESET).given(
        Join(name="Fighter", abilities=("3", "2", "1", "0", "1", "0"), skills={"maneuvers": 1, "endurance": 1})
    )
    game.given(award(400, "fighter"))
    for choice, picked in (
        ("level-2-skill-1", "maneuvers"),
        ("level-2-skill-2", "endurance"),
        ("level-3-skill-1", "maneuvers"),
        ("level-3-skill-2", "awareness"),
        ("level-3-ability", "str"),
    ):
        game.given(Choose(who="fighter", choice=choice, picked=picked))
    return game


@rule("R1.61")
def test_the_fighter_of_level_3_is_what_is_printed() -> None:
    sheet = fighter().sheet("fighter")
    assert {key: sheet.amount(key) for key in PRINTED} == PRINTED
    assert str(sheet.value("damage:sword")) == "1d6+4"
    assert str(sheet.value("damage:two-handed axe")) == "2d6+4"


@rule("R1.61", "Q1.3")
@pytest.mark.parametrize(("light_penalty", "shown"), [(-2, "1d6+2"), (0, "1d6+4")])
def test_the_light_weapon_is_an_erratum_and_follows_the_formula_or_the_sheet(light_penalty: int, shown: str) -> None:
    assert str(fighter(light_penalty=light_penalty).sheet("fighter").value("damage:club")) == shown


@rule("Q1.5", "R1.61", "R1.38")
def test_primal_is_1_though_it_is_not_listed_and_magic_is_listed_and_never_succeeds() -> None:
    assert fighter().sheet("fighter").amount("primal") == 1
    game = fighter().when(Check(who="fighter", skill="magic", target="easy")).rolling(20)
    game.then(like(events.CheckResolved, success=False, total=20))
    assert "cannot succeed" in str(fighter().sheet("fighter").value("magic"))


@rule("R1.65", "Q1.24", "Q1.25")
def test_the_fighters_points_add_up_to_what_creation_and_two_levels_give() -> None:
    sheet = fighter().sheet("fighter")
    assert (sheet.amount("ability_points"), sheet.amount("skill_points")) == (7 + 1, 2 + 2 + 2)
    assert str(sheet.value("ability_points")) == "8 (1 by levels)"
    assert str(sheet.value("skill_points")) == "6 (4 by levels)"
    points = {key: fighter().character("fighter").stats.get(key, 0) for key in SKILLS}
    assert {key: many for key, many in points.items() if many} == {"maneuvers": 3, "endurance": 2, "awareness": 1}


@rule("R1.65", "R1.50", "R1.58", "R1.59")
def test_the_fighter_can_be_made_by_the_rules() -> None:
    made, printed = made_by_the_rules(), fighter()
    assert not made.character("fighter").choices
    assert made.character("fighter").experience == printed.character("fighter").experience == 400
    for key in (*PRINTED, "primal", "ac", "initiative", "healing", "to_hit", "ability_points", "skill_points"):
        assert made.sheet("fighter").amount(key) == printed.sheet("fighter").amount(key), key


# What a sheet is made of.


@rule("R1.1", "R1.35")
def test_a_sheet_has_six_modifiers_six_basic_skills_and_a_level() -> None:
    sheet = scenario(RULESET).given(Join(name="Kit")).sheet("kit")
    groups = {group: [value.key for value in sheet.values if value.group == group] for group in ("Abilities", "Skills")}
    assert groups == {"Abilities": ["str", "dex", "con", "int", "wis", "cha"], "Skills": list(BASIC)}
    assert (sheet.amount("level"), sheet.title) == (1, "level 1")
    assert set(ABILITY_USES) == set(ability_scores.NAMES) == set(groups["Abilities"])


@rule("R1.34", "R1.35")
@pytest.mark.parametrize(
    ("modifier", "said"),
    [(-9, "poor"), (-1, "poor"), (0, "fair"), (1, "good"), (2, "good"), (3, "excellent"), (4, "excellent"), (5, "great"),
     (400, "great")],
)  # fmt: skip
def test_every_modifier_has_a_word(modifier: int, said: str) -> None:
    assert word(modifier) == said


ABILITIES_OF = {
    "awareness": "wis", "cunning": "cha", "endurance": "con", "lore": "int", "maneuvers": "str dex", "primal": "wis",
    "chthonic": "wis", "eldritch": "int wis", "fae": "cha", "hemal": "wis cha", "influence": "cha", "location": "int",
    "magic": "int wis cha", "medical": "int wis", "netrunning": "int", "noble": "int cha", "obscure": "wis cha",
    "psionics": "int wis", "shaman": "wis", "starships": "int",
}  # fmt: skip
AGES = ("ancient", "medieval", "1920s", "2020s", "cyberpunk", "sci-fi", "beyond")


@rule("R1.37", "R1.39", "R1.40", "Q1.28")
def test_each_skill_has_its_abilities_and_the_seven_ages_of_technology_have_intelligence() -> None:
    ages = {f"tech-{age}": "int" for age in AGES}
    assert {key: " ".join(skill.abilities) for key, skill in SKILLS.items()} == ABILITIES_OF | ages
    assert list(BASIC) == list(ABILITIES_OF)[:6]


@rule("R1.36", "R1.39", "R1.40")
@pytest.mark.parametrize("skill", [key for key in SKILLS if key != "location"])
def test_a_skill_is_its_best_ability_and_its_points(skill: str) -> None:
    for best in SKILLS[skill].abilities:
        abilities = tuple("3" if key == best else "-2" for key in ("str", "dex", "con", "int", "wis", "cha"))
        kit = Join(name="Kit", kind="npc", abilities=abilities, skills={skill: 2})
        assert scenario(RULESET).given(kit).sheet("kit").amount(skill) == 5


@rule("R1.36", "R1.38")
@pytest.mark.parametrize(("skill", "amount"), [("lore", 3), ("medical", 0)])
def test_without_points_a_basic_skill_is_its_ability_and_a_specialised_one_nothing(skill: str, amount: int) -> None:
    game = scenario(RULESET).given(Join(name="Kit", abilities=("0", "0", "0", "3", "2", "0")))
    assert game.sheet("kit").amount(skill) == amount
