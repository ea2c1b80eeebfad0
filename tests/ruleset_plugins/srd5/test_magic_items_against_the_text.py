"""Every magic item is in the catalogue as its text says: head, charges, spells, and each number of its description."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from typing import Any

import pytest

from rollbook.rulesets.srd5 import catalogue
from tests.support import srd5_items as text_of
from tests.support.srd5_text import ROOT, TEXTS, effects_of, raw

needs_the_text = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
ITEMS = raw("magic_items.json")
FAMILIES: dict[str, list[dict[str, Any]]] = defaultdict(list)
for entry in ITEMS:
    FAMILIES[entry.get("family", entry["name"])].append(entry)
PAGE = ROOT / "tests" / "ruleset_plugins" / "srd5" / "ITEMS.md"
TOLD = {"dissolves", "feeds", "glues", "holds", "no food", "paints", "portal", "ship faster", "vessel stays", "younger"}
"""Rules of their own that only tell something."""


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return text_of.item_texts()


@needs_the_text
def test_the_catalogue_has_every_item_and_no_other(texts: dict[str, str]) -> None:
    assert texts.keys() == FAMILIES.keys()


@needs_the_text
def test_every_item_says_what_its_text_says(texts: dict[str, str]) -> None:
    assert [each for name, items in FAMILIES.items() for each in text_of.wrong(name, items, texts[name])] == []


@needs_the_text
def test_every_item_has_the_head_that_is_printed(texts: dict[str, str]) -> None:
    for name, items in FAMILIES.items():
        printed = text_of.head(texts[name])
        for item in items:
            ours = {
                key: item.get(key, default) for key, default in (("category", ""), ("attunement", False), ("by", []))
            }
            ours["base"] = [*item.get("base", []), *item.get("but", [])]
            assert ours == {key: printed[key] for key in ours}, name
        if printed["rarities"]:
            assert {item["rarity"] for item in items} == {*printed["rarities"]}, name


@needs_the_text
def test_the_rarity_of_each_variant_is_that_of_its_table(texts: dict[str, str]) -> None:
    for name in ("Belt of Giant Strength", "Potion of Giant Strength", "Potions of Healing"):
        rows = re.findall(r"^\| (\w[\w ()]+?) +\| ([\w +]+?) +\| ([\w ]+?) +\|$", texts[name], re.MULTILINE)
        ours = {item["name"]: item["rarity"] for item in FAMILIES[name]}
        assert ours == {row[0]: row[2].lower() for row in rows if row[0] in ours}
        for variant, value, _ in rows[1:]:
            item = next(each for each in FAMILIES[name] if each["name"] == variant)
            assert value in json.dumps(item["effects"])


@needs_the_text
def test_every_item_has_its_charges(texts: dict[str, str]) -> None:
    for name, items in FAMILIES.items():
        printed = text_of.charges(texts[name])
        if printed["charges"]:
            charged = [item for item in items if "charges" in item]
            assert {item["charges"] for item in charged} == {printed["charges"]}, name
            assert {item.get("regains", "") for item in charged} == {printed["regains"]}, name


@needs_the_text
def test_every_spell_of_a_table_costs_what_is_printed(texts: dict[str, str]) -> None:
    for name, items in FAMILIES.items():
        ours = {(spell["spell"], spell.get("charges", 0)) for item in items for spell in item.get("spells", [])}
        assert text_of.spell_costs(texts[name]) <= ours, name


@needs_the_text
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("Staff of Power", '"dc": 17', '"dc": 18'),
        ("Wand of Fireballs", '"dc": 15', '"dc": 16'),
        ("Flame Tongue", '"2d6"', '"1d6"'),
        ("Belt of Giant Strength", '"becomes": 21', '"becomes": 22'),
        ("Dagger of Venom", '"poisoned"', '"stunned"'),
        ("Potions of Healing", '"8d4 + 8"', '"8d4 + 9"'),
    ],
)
def test_a_changed_number_is_noticed(texts: dict[str, str], name: str, old: str, new: str) -> None:
    data = json.dumps(FAMILIES[name])
    assert old in data
    assert text_of.wrong(name, json.loads(data.replace(old, new, 1)), texts[name])


def test_everything_that_is_named_is_in_the_catalogue() -> None:
    spells = {spell.name for spell in catalogue.spells().values()}
    monsters = {monster.name for monster in catalogue.monsters().values()} | {"chosen", "Giant Fly"}
    gear = {item.name for item in catalogue.equipment().values()}
    sorts = {"light", "medium", "heavy", "simple", "martial", "melee", "ammunition"}
    for item in catalogue.magic_items().values():
        assert {spell.spell for spell in item.spells} <= spells, item.name
        assert {*item.base, *item.but} <= gear | sorts, item.name
        assert item.rarity in catalogue.rarities(), item.name
    summoned = {name for effect in effects_of(ITEMS) for name in effect.get("blocks", [])}
    assert summoned <= monsters


def is_told(item: dict[str, Any]) -> bool:
    """True where nothing of an item is for the rules to resolve."""
    kinds = {effect["name"] if effect["kind"] == "special" else effect["kind"] for effect in effects_of(item)}
    return "spells" not in item and kinds <= TOLD | {"table", "create", "illusion", "chance"}


def test_an_item_of_words_alone_says_why_and_no_other_does() -> None:
    assert [item["name"] for item in ITEMS if is_told(item) != ("reason" in item)] == []
    assert [
        item["name"] for item in ITEMS if "reason" in item and not catalogue.magic_items()[item["key"]].reason
    ] == []


def test_the_page_counts_the_items_and_names_those_of_words_alone() -> None:
    page = PAGE.read_text(encoding="utf-8")
    all_of, alone = (
        Counter(item["category"] for item in some) for some in (ITEMS, [i for i in ITEMS if "reason" in i])
    )
    rows = [f"| {category} | {count} | {alone[category]} |" for category, count in sorted(all_of.items())]
    rows.append(f"| all | {len(ITEMS)} | {alone.total()} |")
    rows += [f"| {item['name']} | {item['reason']} |" for item in ITEMS if "reason" in item]
    assert [row for row in rows if row not in page] == []
