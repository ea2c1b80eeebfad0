"""Vehicles, tools, ammunition, services, skills, substances, terrains, masteries and conditions are as the text has them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rollbook.rulesets.srd5 import catalogue
from tests.support import srd5_equipment
from tests.support.srd5_characters import differences, sections
from tests.support.srd5_text import ABILITIES, CONDITIONS, TEXTS, plain, raw

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
ITEMS = {item["name"]: item for item in raw("equipment.json")}
GLOSSARY, TOOLBOX = "Rules-Glossary", "Gameplay-Toolbox"
ABBREVIATED = {"hit_points": "HP", "ac": "AC", "threshold": "Damage Threshold"}


def chapter(name: str) -> str:
    return plain((TEXTS / f"{name}.md").read_text(encoding="utf-8").replace("’", "'"))


def table(text: str, title: str) -> list[list[str]]:
    """The rows of a table under its heading."""
    found = re.search(rf"^#+ {re.escape(title)}\n\n\|.*\n\|[-| ]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found, title
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def number(cell: str) -> float:
    found = re.match(r"[\d.]+", cell)
    return float(found[0]) if found else 0


def test_every_vehicle_is_a_row_of_its_table() -> None:
    fields = ("mph", "crew", "passengers", "cargo_tons", "ac", "hit_points", "threshold")
    ours = {name: item["vehicle"] for name, item in ITEMS.items() if "vehicle" in item}
    printed = {row[0]: row[1:] for row in srd5_equipment.rows("Airborne and Waterborne Vehicles")}
    assert ours.keys() == printed.keys()
    for name, cells in printed.items():
        assert [ours[name].get(field, 0) for field in fields] == [number(cell) for cell in cells[:-1]], name
        assert ITEMS[name]["price"] == srd5_equipment.price(cells[-1])


def test_ammunition_comes_in_the_printed_amounts() -> None:
    for name, amount, storage, weight, price in srd5_equipment.rows("Ammunition"):
        item = ITEMS[name]
        assert item["amount"] == int(amount), name
        assert storage in item["stored_in"], name
        assert (item["weight"], item["price"]) == (srd5_equipment.pounds(weight), srd5_equipment.price(price)), name


@pytest.mark.parametrize(
    "title", ["Adventuring Gear", "Mounts and Other Animals", "Tack, Harness, and Drawn Vehicles", "Hirelings"]
)
def test_every_price_stands_with_its_own_name(title: str) -> None:
    elsewhere = []
    for cells in srd5_equipment.rows(title):
        item = ITEMS.get(cells[0].replace("’", "'").replace("*", ""))
        if item is None:
            elsewhere.append(cells[0])
        elif srd5_equipment.price(cells[-1]):
            assert item["price"] == srd5_equipment.price(cells[-1]), cells[0]
    assert len(elsewhere) <= OTHERWISE[title], elsewhere


OTHERWISE = {
    "Adventuring Gear": 3,
    "Mounts and Other Animals": 0,
    "Tack, Harness, and Drawn Vehicles": 9,
    "Hirelings": 3,
}
"""How many rows of a table are called otherwise here: groups, and what is a row of another heading."""


def test_every_tool_has_its_ability_weight_and_price() -> None:
    part = srd5_equipment.text().partition("### Artisan's Tools")[2].partition("\n## ")[0].replace("’", "'")
    found = re.findall(
        r"^#### (.+?) \((?:([\d]+ .P)|Varies)\)\n\*\*Ability:\*\* (\w+) +- +\*\*Weight:\*\* (.*)$", part, re.MULTILINE
    )
    assert len(found) == len([item for item in ITEMS.values() if "tool" in item])
    for name, price, ability, weight in found:
        item = ITEMS[name]
        assert item["tool"]["ability"] == ABILITIES[ability], name
        assert item.get("price", 0) == srd5_equipment.price(price), name
        assert item.get("weight", 0) == srd5_equipment.pounds(weight), name


def test_every_variant_of_a_tool_has_its_price_and_weight() -> None:
    part = srd5_equipment.text().replace("’", "'")
    variants = [item for item in ITEMS.values() if "variant_of" in item and item["category"] == "tool"]
    lists = " ".join(re.findall(r"\*\*Variants:?\*\*:? (.*)", part)).lower()
    for item in variants:
        cost = next(f"{item['price'] // worth} {coin.lower()}" for coin, worth in COINS if item["price"] % worth == 0)
        weight = f", {item['weight']:g} lb." if item.get("weight") else ""
        assert f"{item['name'].lower()} ({cost}{weight}" in lists, item["name"]


COINS = (("GP", 100), ("SP", 10), ("CP", 1))


def test_services_of_casters_cost_what_is_printed() -> None:
    printed = [(cells[0], srd5_equipment.price(cells[-1])) for cells in srd5_equipment.rows("Spellcasting Services")]
    ours = [item for item in raw("equipment.json") if item["key"].startswith("casting-of")]
    assert [re.sub(r"\D", "", level) for level, _ in printed] == [re.sub(r"\D", "", each["name"]) for each in ours]
    assert [price for _, price in printed] == [each["price"] for each in ours]


def test_every_lifestyle_has_its_price() -> None:
    found = re.findall(r"^### (\w+) \((?:Free|(\d+ .P) per Day)\)$", srd5_equipment.text(), re.MULTILINE)
    ours = {item["name"]: item["price"] for item in ITEMS.values() if item["category"] == "lifestyle"}
    assert ours == {f"{name} Lifestyle": srd5_equipment.price(price) for name, price in found}


def test_the_pages_of_a_spellbook_are_counted() -> None:
    assert f"contains {ITEMS['Spellbook']['holds']['pages']} pages" in chapter("Classes/Wizard")


def test_every_skill_has_its_ability() -> None:
    printed = {row[0].lower(): ABILITIES[row[1]] for row in table(chapter("Playing-the-Game"), "Skills")}
    assert {row["key"]: row["ability"] for row in raw("skills.json")} == printed


def test_every_substance_has_its_armour_class() -> None:
    printed = table(chapter(GLOSSARY), "Object Armor Class")
    assert {row["key"]: row["ac"] for row in raw("objects.json")} == {
        name.lower(): int(ac) for ac, names in printed for name in names.split(", ")
    }


PACES = {"Special†": "fast"}  # that of the vessel, which ``--mph`` says


def test_every_terrain_is_a_row_of_its_table() -> None:
    for name, pace, met, forage, way, search in table(chapter(TOOLBOX), "Travel Terrain"):
        ours = next(row for row in raw("terrains.json") if row["key"] == name.lower())
        assert ours["pace"] == PACES.get(pace, pace.strip("*").lower()), name
        assert f"{ours['met']} × 10 feet" == met, name
        assert [ours["forage"], ours["way"], ours["search"]] == [int(forage), int(way), int(search)], name
    assert len(raw("terrains.json")) == len(table(chapter(TOOLBOX), "Travel Terrain"))


def test_every_mastery_says_what_its_text_says() -> None:
    text = sections(chapter("Equipment").partition("### Mastery Properties")[2].partition("\n### ")[0], "####")
    data = {row["name"]: row for row in raw("masteries.json")}
    assert data.keys() == text.keys()
    wrong = [
        (name, *each)
        for name, row in data.items()
        for each in differences({"effects": row["effects"]}, text[name], MASTERY_EXCEPTIONS.get(name, {}))
    ]
    assert wrong == []


MASTERY_EXCEPTIONS: dict[str, dict[str, Any]] = {}


def condition_texts() -> dict[str, str]:
    found = re.findall(r"^## (\w+) \[Condition\]\n((?:(?!^## ).*\n)*)", chapter(GLOSSARY), re.MULTILINE)
    return {name.lower(): text for name, text in found}


def told(text: str) -> dict[str, Any]:
    """The fields of a condition as its text tells them."""
    low = " ".join(text.split())
    attacks = re.search(
        r"your attack rolls have (\w+)|You have (\w+) on (?:attack rolls|ability checks and attack rolls)", low
    )
    attacked = re.search(r"ttack rolls against you have (\w+)", low)
    found: dict[str, Any] = {
        "attacks": next((each.lower() for each in (attacks.groups() if attacks else ()) if each), ""),
        "attacked": attacked[1].lower() if attacked else "",
        "checks": "disadvantage" if re.search(r"Disadvantage on (attack rolls and )?ability checks", low) else "",
        "still": "Your Speed is 0" in low,
        "fails": ["str", "dex"] if "fail Strength and Dexterity saving throws" in low else [],
        "critical": "Any attack roll that hits you is a Critical Hit" in low,
        "resists": "Resistance to all damage" in low,
        "save_disadvantage": ["dex"] if "Disadvantage on Dexterity saving throws" in low else [],
        "unable": "can't take any action, Bonus Action, or Reaction" in low,
        "includes": [
            each for each in ("incapacitated", "prone") if re.search(rf"You have the (\w+ and )?{each.title()}", low)
        ],
    }
    return found


@pytest.mark.parametrize("key", CONDITIONS)
def test_every_condition_does_what_its_text_says(key: str) -> None:
    row = next(each for each in raw("conditions.json") if each["key"] == key)
    printed = told(condition_texts()[key])
    ours = {field: row.get(field, type(value)()) for field, value in printed.items()}
    assert ours == printed


def test_there_is_no_other_condition() -> None:
    assert {row["key"] for row in raw("conditions.json")} == condition_texts().keys() == set(CONDITIONS)


def test_the_bonus_in_the_name_of_an_item_is_its_bonus() -> None:
    named = {item.name: re.search(r"\+(\d)", item.name) for item in catalogue.magic_items().values()}
    for item in catalogue.magic_items().values():
        found = named[item.name]
        assert item.plus == (int(found[1]) if found else 0), item.name


def test_the_counts_of_materials_are_those_of_the_text() -> None:
    words = {"pair": 2, "two": 2, "four": 4}
    texts = "\n".join(path.read_text(encoding="utf-8") for path in sorted((TEXTS / "Spells").glob("Descriptions-*.md")))
    for spell in catalogue.spells().values():
        head = texts.partition(f"## {spell.name}\n")[2].partition("**Duration:**")[0]
        for material in spell.materials:
            if material.count > 1:
                counted = {words[each] for each in words if re.search(rf"\b{each}\b", head)}
                assert counted == {material.count}, spell.name
