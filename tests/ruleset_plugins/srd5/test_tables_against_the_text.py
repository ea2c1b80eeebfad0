"""Levels, the making of characters, challenge ratings, rarities and scrolls are as the rules' tables have them."""

from __future__ import annotations

import re
from functools import cache

import pytest

from rollbook.rulesets.srd5 import catalogue
from tests.support.srd5_text import TEXTS, plain

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")


@cache
def chapter(name: str) -> str:
    """A chapter without thousands separators."""
    return plain((TEXTS / f"{name}.md").read_text(encoding="utf-8"))


def rows(name: str, title: str) -> list[list[str]]:
    """The rows of a table, by its heading."""
    found = re.search(rf"^#+ {re.escape(title)}\n\n\|.*\n\|[-|]+\|\n((?:\|.*\n)+)", chapter(name), re.MULTILINE)
    assert found, title
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def pairs(name: str, title: str) -> dict[str, str]:
    """A table of two columns printed beside itself."""
    cells = [row[at : at + 2] for row in rows(name, title) for at in range(0, len(row), 2)]
    return {left: right for left, right in cells if left}


def numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


def test_every_level_takes_the_printed_experience_and_gives_its_bonus() -> None:
    printed = [numbers(" ".join(row)) for row in rows("Character-Creation", "Character Advancement")]
    assert [[row.level, row.xp, row.proficiency] for row in catalogue.advancement().values()] == printed


def test_slots_for_several_classes_are_those_of_the_table() -> None:
    table = rows("Character-Creation", "Multiclass Spellcaster: Spell Slots per Spell Level")
    assert [[row.level, *row.slots] for row in catalogue.advancement().values()] == [
        numbers(" ".join(row)) for row in table
    ]


def test_the_budget_of_an_encounter_is_that_of_the_table() -> None:
    table = rows("Gameplay-Toolbox", "XP Budget per Character")
    ours = [
        [row.level, row.budget["low"], row.budget["moderate"], row.budget["high"]]
        for row in catalogue.advancement().values()
    ]
    assert ours == [numbers(" ".join(row)) for row in table]


def test_every_challenge_rating_has_its_experience_and_bonus() -> None:
    xp = pairs("Monsters/Overview", "Experience Points by Challenge Rating")
    ours = {key: [row.xp] if row.least is None else [row.least, row.xp] for key, row in catalogue.challenges().items()}
    assert ours == {key: numbers(cell) for key, cell in xp.items()}
    for span, cell in pairs("Monsters/Overview", "Proficiency Bonus by Challenge Rating").items():
        low, high = numbers(span)
        for challenge in range(low, high + 1):
            assert [catalogue.challenges()[str(challenge)].proficiency] == numbers(cell)


def test_scores_are_made_as_the_text_says() -> None:
    text, creation = chapter("Character-Creation"), catalogue.creation()
    array = re.search(r"scores for your abilities: ([\d, ]+)", text)
    points = re.search(r"You have (\d+) points", text)
    assert array
    assert points
    assert list(creation.array) == numbers(array[1])
    assert creation.points == int(points[1])
    costs = pairs("Character-Creation", "Ability Score Point Costs")
    assert creation.costs == {score: int(cost) for score, cost in costs.items()}
    assert "Roll four d6s and record the total of the highest three" in text
    assert (creation.roll, creation.keep) == ("4d6", 3)
    assert "increase one of those scores by 2 and a different one by 1, or increase all three by 1" in text
    assert (creation.increases, creation.most) == (((2, 1), (1, 1, 1)), 20)
    assert f"a score of at least {creation.multiclass_minimum} in the primary ability" in text
    assert f"one feat of their choice for every {creation.feat_xp} XP" in text
    assert sum(sorted(creation.costs[str(score)] for score in creation.array)) == creation.points


def test_languages_are_those_of_the_tables() -> None:
    creation = catalogue.creation()
    printed = {name: face.strip("- ") for face, name in rows("Character-Creation", "Standard Languages")}
    assert creation.languages == printed
    rare = {re.sub(r"\\\*", "", cell) for row in rows("Character-Creation", "Rare Languages") for cell in row if cell}
    assert set(creation.rare_languages) == rare


def test_those_who_begin_higher_have_what_the_table_gives() -> None:
    table = rows("Character-Creation", "Starting Equipment at Higher Levels")
    assert len(table) == len(catalogue.creation().wealth)
    for (span, money, items), wealth in zip(table, catalogue.creation().wealth, strict=True):
        assert numbers(span)[0] == wealth.level
        assert re.findall(r"1d10", money) == ([wealth.dice] if wealth.dice else [])
        assert numbers(money.replace("1d10", "")) == ([wealth.gold, wealth.times] if wealth.gold else [])
        printed = {name.lower(): int(count) for count, name in re.findall(r"(\d) ([A-Z][a-z]+(?: Rare)?)", items)}
        assert wealth.items == printed


def test_every_rarity_has_its_worth_and_what_making_it_costs() -> None:
    worth = pairs("Magic-Items/Overview", "Magic Item Rarities and Values")
    assert {key: row.value for key, row in catalogue.rarities().items()} == {
        name.lower(): (numbers(cell) or [0])[0] for name, cell in worth.items()
    }
    making = rows("Magic-Items/Overview", "Magic Item Crafting Time and Cost")
    ours = [[key, row.days, row.cost] for key, row in catalogue.rarities().items() if row.days]
    assert ours == [[name.lower(), *numbers(time), *numbers(cost)] for name, time, cost in making]


def test_every_scroll_is_as_the_tables_say() -> None:
    part = chapter("Magic-Items/Items-Q-Z").partition("## Spell Scroll\n")[2]
    printed = re.findall(r"^\| (Cantrip|\d) \| ([\w ]+) \| (\d+) \| \+(\d+) \|$", part, re.MULTILINE)
    costs = rows("Equipment", "Spell Scroll Costs")
    ours = [(row.rarity, row.dc, row.attack, row.days, row.cost) for row in catalogue.scrolls().values()]
    assert ours == [
        (rarity.lower(), int(dc), int(attack), *numbers(time), *numbers(cost))
        for (_, rarity, dc, attack), (_, time, cost) in zip(printed, costs, strict=True)
    ]
