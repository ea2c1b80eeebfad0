"""Every class is in the catalogue as its chapter says: traits, each row of its table, each feature, and its spells."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.support import srd5_characters as text_of
from tests.support import srd5_unread as unread
from tests.support.srd5_text import TEXTS, plain, raw

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
CLASSES = {entry["name"]: entry for entry in raw("classes.json")}
SPELLS = {entry["name"]: entry for entry in raw("spells.json")}
EVERYWHERE = {"dice": {"1d20"}}
COLUMNS = {
    "Rages": "rages", "Rage Damage": "rage damage", "Weapon Mastery": "weapon mastery", "Bardic Die": "bardic die",
    "Cantrips": "cantrips", "Prepared Spells": "prepared spells", "Channel Divinity": "channel divinity",
    "Wild Shape": "wild shape", "Second Wind": "second wind", "Martial Arts": "martial arts",
    "Focus Points": "focus points", "Unarmored Movement": "unarmored movement", "Favored Enemy": "favored enemy",
    "Sneak Attack": "sneak attack", "Sorcery Points": "sorcery points",
    "Eldritch Invocations": "eldritch invocations",
}  # fmt: skip
MISPRINTED = {("Bard", 18, "5"): "3", ("Cleric", 18, "5"): "3"}
"""Slots that the table for several classes, and those of all other casters, have otherwise."""

UNLISTED = {"Mind Spike", "Phantasmal Force"}
"""Spells that their own heading gives to classes whose lists lack them."""


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {name: text_of.class_text(name) for name in CLASSES}


def printed(name: str, cell: str, level: int, column: str) -> str:
    return MISPRINTED.get((name, level, column), "" if cell == "-" or not cell.strip(" -") else cell)


@pytest.mark.parametrize("name", CLASSES)
def test_every_row_of_the_table_is_in_the_catalogue(texts: dict[str, str], name: str) -> None:
    rows = text_of.level_rows(texts[name])
    assert [int(row["Level"]) for row in rows] == list(range(1, 21))
    for row, level in zip(rows, CLASSES[name]["levels"], strict=True):
        assert level["proficiency"] == int(row["Proficiency Bonus"])
        numbers = {key: str(level.get("numbers", {}).get(own, "")) for key, own in COLUMNS.items() if key in row}
        for column, ours in numbers.items():
            cell = printed(name, row[column], level["level"], column)
            assert ours == re.sub(r" ft\.|\+", "", cell).lower(), (level["level"], column)
        slots = [printed(name, row[str(n)], level["level"], str(n)) for n in range(1, 10) if str(n) in row]
        assert level.get("slots", []) == [int(slot) for slot in slots if slot], level["level"]
        if "Slot Level" in row:
            assert (level["pact_slots"], level["pact_level"]) == (int(row["Spell Slots"]), int(row["Slot Level"]))


@pytest.mark.parametrize("name", CLASSES)
def test_every_row_names_its_features(texts: dict[str, str], name: str) -> None:
    for row, level in zip(text_of.level_rows(texts[name]), CLASSES[name]["levels"], strict=True):
        cell = re.sub(rf"{name} Subclass|Subclass feature", "Subclass", re.sub(r" \(.*?\)", "", row["Class Features"]))
        assert level.get("features", []) == [each for each in cell.split(", ") if each.strip(" -")], level["level"]
        own = {feature["name"] for feature in CLASSES[name]["features"]}
        assert {*level.get("features", [])} - {"Subclass"} <= own


@pytest.mark.parametrize("name", CLASSES)
def test_every_core_trait_is_in_the_catalogue(texts: dict[str, str], name: str) -> None:
    entry, traits = CLASSES[name], text_of.traits(texts[name])
    assert entry["primary"] == text_of.abilities_in(traits["Primary Ability"])
    assert entry.get("primary_either", False) == (" or " in traits["Primary Ability"])
    assert f"D{entry['hit_die']}" == traits["Hit Point Die"].split()[0]
    assert entry["saves"] == text_of.abilities_in(traits["Saving Throw Proficiencies"])
    skills = traits["Skill Proficiencies"]
    assert entry["skills"]["choose"] == int(re.findall(r"\d", skills)[0])
    assert entry["skills"].get("among", []) == ([] if "any" in skills else text_of.listed(skills))
    armour = [each for each in ("light", "medium", "heavy", "shield") if each in traits["Armor Training"].lower()]
    assert entry["armour"] == armour
    weapons = traits["Weapon Proficiencies"].lower()
    assert entry["weapons"] == [each for each in ("simple", "martial") if each in weapons]
    assert entry.get("martial_only", []) == [each for each in ("finesse", "light") if f"{each} " in weapons]
    ours = [(sum(kit.get("items", {}).values()), kit["gold"]) for kit in entry["starting"]]
    assert ours == text_of.kits(traits["Starting Equipment"])


@pytest.mark.parametrize("name", CLASSES)
def test_what_a_later_class_gives_is_in_the_catalogue(texts: dict[str, str], name: str) -> None:
    later = re.search(r"### As a Multiclass Character\n\n- (.*)", texts[name])
    assert later
    ours, training = CLASSES[name].get("multiclass", {}), later[1].partition("training")[2].lower()
    assert ours.get("armour", []) == [each for each in ("light", "medium", "heavy", "shield") if each in training]
    assert ours.get("weapons", []) == (["martial"] if "Martial weapons" in later[1] else [])
    assert ours.get("skills", {}).get("choose", 0) == later[1].count("one skill")
    assert ours.get("skills", {}).get("among", []) == (
        CLASSES[name]["skills"]["among"] if "skill list" in later[1] else []
    )
    assert bool(ours.get("tools")) == ("Tools" in later[1] or "Instrument" in later[1])


def wrong(name: str, data: dict[str, Any], text: dict[str, str]) -> list[Any]:
    """The differences of all features that have numbers of their own."""
    found = []
    for feature in text.keys() - {*text_of.ELSEWHERE}:
        allowed = {**EVERYWHERE, **unread.CLASSES.get(feature, {})}
        allowed["dice"] = {*allowed["dice"], *EVERYWHERE["dice"]}
        found += [(name, feature, *each) for each in text_of.differences(data[feature], text[feature], allowed)]
    return found


@pytest.mark.parametrize("name", CLASSES)
def test_every_feature_says_what_its_text_says(texts: dict[str, str], name: str) -> None:
    entry, text = CLASSES[name], text_of.feature_texts(texts[name])
    data = text_of.by_name([*entry["features"], *entry["subclass"]["features"]])
    assert data.keys() == text.keys()
    assert wrong(name, data, text) == []


@pytest.mark.parametrize("name", CLASSES)
def test_every_feature_comes_at_its_level(texts: dict[str, str], name: str) -> None:
    entry = CLASSES[name]
    ours = {(feature["level"], feature["name"]) for feature in (*entry["features"], *entry["subclass"]["features"])}
    theirs = re.findall(r"^### Level (\d+): (.+)$", texts[name], re.MULTILINE)
    theirs_by_level = {(int(level), feature) for level, feature in theirs if not feature.endswith("Subclass")}
    again = {
        (level, feature)
        for level, feature in theirs_by_level ^ ours
        if not any(own == feature and first < level for first, own in ours)
    }
    assert again == set()


@pytest.mark.parametrize("name", ["Sorcerer", "Warlock"])
def test_every_option_says_what_its_text_says(texts: dict[str, str], name: str) -> None:
    text = text_of.option_texts(texts[name])
    data = {option["name"]: option for option in CLASSES[name]["options"]}
    assert data.keys() == text.keys()
    assert wrong(name, data, text) == []
    for option, body in text.items():
        level, cost = re.search(r"Level (\d+)\+", body), re.search(r"Cost: (\d)", body)
        assert data[option].get("level", 0) == int(level[1] if level else 0), option
        assert data[option].get("spends", {}).get("sorcery points", 0) == int(cost[1] if cost else 0), option
        assert data[option].get("repeatable", False) == ("**Repeatable.**" in body), option
        assert ("needs" in data[option]) == bool(re.search(r"Prerequisite: .*(?:Invocation|Cantrip)", body)), option


@pytest.mark.parametrize("name", CLASSES)
def test_the_spells_of_a_subclass_are_those_of_its_table(texts: dict[str, str], name: str) -> None:
    subclass = CLASSES[name]["subclass"]
    own = [subclass["spells"]] if "spells" in subclass else list(subclass.get("spells_by", {}).values())
    ours = [(level, spell) for each in own for level, names in each.items() for spell in names]
    rows = re.findall(r"^\| (\d+) \| (\*.+) \|$", texts[name].partition(" Subclass: ")[2], re.MULTILINE)
    assert ours == [(level, spell) for level, cell in rows for spell in re.findall(r"\*(.+?)\*", cell)]
    assert {spell for _, spell in ours} <= SPELLS.keys()


@pytest.mark.parametrize("name", CLASSES)
def test_the_list_of_a_class_has_the_spells_that_are_its_own(name: str) -> None:
    chapter = (text_of.CLASSES / f"{name}.md").read_text(encoding="utf-8").replace("’", "'")
    part = re.split(r"^## ", chapter.partition(f"## {name} Spell List")[2], flags=re.MULTILINE)[0]
    theirs = {re.sub(r"\W+$", "", each) for each in re.findall(r"^\| \*(.+?)\*", part, re.MULTILINE)}
    ours = {spell["name"] for spell in SPELLS.values() if name.lower() in spell["classes"]}
    assert theirs <= ours
    assert ours - theirs <= UNLISTED


@pytest.mark.parametrize("name", [name for name, entry in CLASSES.items() if "casting" in entry])
def test_how_a_class_casts_is_as_its_text_says(texts: dict[str, str], name: str) -> None:
    casting, text = CLASSES[name]["casting"], texts[name]
    ability = re.search(r"\*\*Spellcasting Ability\.\*\* (\w+)", text)
    assert ability
    assert [casting["ability"]] == text_of.abilities_in(ability[1])
    part = text.partition("Level 1: Pact Magic" if name == "Warlock" else "Level 1: Spellcasting")[2].partition(
        "\n### "
    )[0]
    recommended = re.findall(r"((?:\*[\w' ]+\*,? ?(?:and )?)+) are recommended", part)
    assert casting["suggested"] == [spell for each in recommended for spell in re.findall(r"\*([\w' ]+)\*", each)]
    changed = re.search(r"Changing Your Prepared Spells\.\*\* (.*)", part)
    assert changed
    assert casting["swap"] == ("long rest" if "Long Rest" in changed[1] else "level")
    assert casting.get("swaps", 0) == (1 if "replace one" in changed[1] else 0)
    focus = re.search(r"Spellcasting Focus\.\*\* (.*)", part)
    assert focus
    assert all(each.lower() in focus[1].lower() for each in casting["focus"])


def test_a_spellbook_begins_grows_and_is_copied_as_the_text_says(texts: dict[str, str]) -> None:
    wizard, text = CLASSES["Wizard"], texts["Wizard"]
    numbers = next(each for each in wizard["features"] if each["name"] == "Spellcasting")["numbers"]
    assert "starts with six level 1 Wizard spells" in text
    assert "add two Wizard spells" in text
    assert (wizard["casting"]["book"], wizard["casting"]["book_level"]) == (6, 2)
    assert f"takes {numbers['copy']['hours']} hours and costs {numbers['copy']['gold']} GP" in text
    own = numbers["copy of the own book"]
    assert f"only {own['hours']} hour and {own['gold']} GP" in text
    assert f"contains {numbers['pages']} pages" in text


def rows_of(text: str, title: str) -> list[list[str]]:
    """The rows of a table of a class, by its heading."""
    found = re.search(rf"^#### {title}\n\n\|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def test_known_shapes_and_the_costs_of_slots_are_those_of_their_tables(texts: dict[str, str]) -> None:
    shapes = [
        [str(row["level"]), str(row["known"]), row["challenge"], "Yes" if row.get("fly") else "No"]
        for row in CLASSES["Druid"]["shapes"]
    ]
    assert shapes == rows_of(texts["Druid"], "Beast Shapes")
    costs = [[str(row[key]) for key in ("slot", "points", "level")] for row in CLASSES["Sorcerer"]["slot_costs"]]
    assert costs == rows_of(texts["Sorcerer"], "Creating Spell Slots")


def test_the_uses_that_a_table_counts_in_words_are_those_of_the_level(texts: dict[str, str]) -> None:
    counts, uses = {"one": 1, "two": 2, "three": 3}, {"Action Surge": 0, "Indomitable": 0}
    for row, level in zip(text_of.level_rows(texts["Fighter"]), CLASSES["Fighter"]["levels"], strict=True):
        assert level["level"] == int(row["Level"])
        uses |= {
            name: counts[many] for name, many in re.findall(r"([A-Z]\w+ ?\w*) \((\w+) uses?\)", row["Class Features"])
        }
        assert {name: level["numbers"].get(name.lower(), 0) for name in uses} == uses


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_as_many_tools_as_it_says(texts: dict[str, str], name: str) -> None:
    cell = text_of.traits(texts[name]).get("Tool Proficiencies", "")
    tools, later = CLASSES[name].get("tools", {}), CLASSES[name].get("multiclass", {}).get("tools", {})
    chosen = re.search(r"Choose (\d|one)", cell)
    assert tools.get("choose", 0) == (int(chosen[1].replace("one", "1")) if chosen else 0)
    assert later.get("choose", 0) == int("one Musical Instrument of your choice" in texts[name])
    assert bool(tools) == bool(cell)


def test_scores_and_boons_that_suit_a_class_are_those_of_the_text(texts: dict[str, str]) -> None:
    chapter = plain((TEXTS / "Character-Creation.md").read_text(encoding="utf-8"))
    table = chapter.partition("#### Standard Array by Class")[2].partition("\n### ")[0]
    for name, *cells in re.findall(r"^\| (\w+) " + r"\| (\d+) " * 6, table, re.MULTILINE):
        if name != "Wizard":  # whose row is the druid's once more, though the highest score is for the main ability
            assert list(CLASSES[name]["array"].values()) == [int(cell) for cell in cells]
    assert max(CLASSES["Wizard"]["array"].values()) == CLASSES["Wizard"]["array"]["int"]
    for name, text in texts.items():
        assert f"{CLASSES[name]['boon']} is recommended" in text


@pytest.mark.parametrize(
    ("name", "feature", "old", "new"),
    [
        ("Barbarian", "Relentless Rage", '"dc": 10', '"dc": 12'),
        ("Fighter", "Second Wind", '"1d10"', '"1d8"'),
        ("Cleric", "Channel Divinity", '"13": "3d8"', '"12": "3d8"'),
        ("Monk", "Stunning Strike", '"stunned"', '"prone"'),
        ("Warlock", "Hurl Through Hell", '"8d10"', '"10d10"'),
    ],
)
def test_a_changed_number_is_noticed(texts: dict[str, str], name: str, feature: str, old: str, new: str) -> None:
    entry = CLASSES[name]
    data = json.dumps(text_of.by_name([*entry["features"], *entry["subclass"]["features"]])[feature])
    assert old in data
    text = {feature: text_of.feature_texts(texts[name])[feature]}
    assert wrong(name, {feature: json.loads(data.replace(old, new, 1))}, text)
