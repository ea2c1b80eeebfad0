"""Every row of the tables of equipment is in the catalogue, and so is every number of a description."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from rollbook.rulesets.srd5 import catalogue
from tests.support import srd5_equipment
from tests.support import srd5_unread as unread
from tests.support.srd5_comparison import compared
from tests.support.srd5_text import TEXTS, raw

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
ITEMS = {item["name"]: item for item in raw("equipment.json")}
SCROLLS = ("Spell Scroll (Cantrip)", "Spell Scroll (Level 1)")


def same(item: dict[str, Any], printed: dict[str, Any]) -> bool:
    return all(item.get(field, 0) == value for field, value in printed.items())


@pytest.mark.parametrize("table", [srd5_equipment.weapons, srd5_equipment.armours])
def test_every_row_is_in_the_catalogue(table: Any) -> None:
    printed = dict(table())
    assert len(printed) == {"weapons": 38, "armours": 13}[table.__name__]
    assert [(name, row, ITEMS[name]) for name, row in printed.items() if not same(ITEMS[name], row)] == []


def test_the_prices_and_weights_of_all_tables_are_in_the_catalogue() -> None:
    others = [item for item in ITEMS.values() if item["category"] not in ("weapon", "armour", "tool", "lifestyle")]
    ours = Counter(
        (item["price"], float(item.get("weight", 0) or item.get("carries", 0))) for item in others if item.get("price")
    )
    ours[ITEMS["Rowboat"]["price"], 100.0] -= 1  # its weight stands in a sentence
    ours[ITEMS["Rowboat"]["price"], 0.0] += 1
    assert +ours == Counter(srd5_equipment.priced())


def differences(name: str, item: dict[str, Any], text: str) -> list[tuple[str, object, str]]:
    data = {key: value for key, value in item.items() if key not in ("key", "name", "category", "price", "weight")}
    if "tool" in item:
        text = re.split(r"\*\*Variants", re.sub(r"\*\*Weight:\*\*.*", "", text))[0].replace("\n**Craft", " ** Craft")
    found = compared(data, re.split(r"\*\* ?Craft", text)[0], text)
    spans = "span" if "contents" in item else ""  # so many days of rations
    return [each for each in found if each[0] != spans and each[:2] not in unread.EQUIPMENT.get(name, set())]


def test_every_number_of_a_description_is_in_the_catalogue() -> None:
    texts = srd5_equipment.described()
    assert len(texts) > 90
    names = {name: (SCROLLS if name == "Spell Scroll" else (name,)) for name in texts}
    missing = {name for name in texts if not set(names[name]) <= ITEMS.keys()}
    assert missing == {"Ammunition"}
    wrong = {
        name: differences(name, ITEMS[own], text)
        for name, text in texts.items()
        for own in names[name]
        if name not in missing and differences(name, ITEMS[own], text)
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("Net", '"dc": 10', '"dc": 12'),
        ("Acid", '"2d6"', '"3d6"'),
        ("Lamp", '"dim": 30', '"dim": 15'),
        ("Rope", '"dc": 15', '"dc": 16'),
    ],
)
def test_a_changed_number_is_noticed(name: str, old: str, new: str) -> None:
    text = json.dumps(ITEMS[name])
    assert old in text
    assert differences(name, json.loads(text.replace(old, new, 1)), srd5_equipment.described()[name])


def test_what_is_named_is_in_the_catalogue() -> None:
    items = catalogue.equipment().values()
    names = {item.name for item in items}
    named = {each for item in items for each in (*item.contents, item.stored_in, item.variant_of, item.also) if each}
    named |= {each for item in items if item.tool for each in item.tool.crafts}
    assert named <= names
    assert {item.weapon.mastery for item in items if item.weapon} == catalogue.masteries().keys()
    assert {item.monster for item in items if item.monster} <= {
        monster.name for monster in catalogue.monsters().values()
    }
