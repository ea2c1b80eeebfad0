"""Every number, formula and use that a feature names is one that its class, the feature or a magic item has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.srd5_text import ROOT, effects_of, raw

CLASSES = {entry["key"]: entry for entry in raw("classes.json")}
WORDS = {
    *(
        "str",
        "dex",
        "con",
        "int",
        "wis",
        "cha",
        "proficiency",
        "level",
        "half",
        "slot",
        "spell",
        "spellcasting",
        "ability",
    ),
    *("charge", "chosen", "mod", "d"),
}
"""The words of formulas that need no number of a feature."""
ALWAYS = {"spell slot", "pact slot", "level 5 slot", "sneak attack dice", "charges", "hit die"}
"""Things to spend that no feature brings."""
FIELDS = ("dice", "by", "plus", "uses", "per", "dc", "die")
PAGE = ROOT / "tests" / "ruleset_plugins" / "srd5" / "SPECIALS.md"


def traits(found: list[dict[str, Any]], above: tuple[dict[str, Any], ...] = ()) -> Iterator[tuple[dict[str, Any], ...]]:
    """Every feature and part of one, with those that it is a part of."""
    for trait in found:
        yield (trait, *above)
        yield from traits(trait.get("parts", []), (trait, *above))


def of_class(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [*entry["features"], *entry["subclass"]["features"], *entry.get("options", [])]


def columns(entry: dict[str, Any]) -> set[str]:
    return {name for level in entry["levels"] for name in level.get("numbers", {})}


def unknown(value: str, known: set[str]) -> set[str]:
    """The words of a formula that are neither numbers by their names nor those of every formula."""
    for name in sorted(known, key=len, reverse=True):
        value = value.replace(name, " ")
    return {*re.findall(r"[a-z]+", value)} - WORDS


@pytest.mark.parametrize("key", CLASSES)
def test_every_word_of_a_formula_is_a_number(key: str) -> None:
    entry, wrong = CLASSES[key], []
    everywhere = columns(entry) | {name for each in traits(of_class(entry)) for name in each[0].get("numbers", {})}
    for trait, *_ in traits(of_class(entry)):
        said = [trait.get("uses", ""), trait.get("dc", "")]
        said += [
            str(effect[field]) for effect in effects_of(trait.get("effects", [])) for field in FIELDS if field in effect
        ]
        wrong += [(trait["name"], value, word) for value in said for word in unknown(value, everywhere | ALWAYS)]
    assert wrong == []


@pytest.mark.parametrize("key", CLASSES)
def test_whatever_is_spent_is_something_that_the_class_has(key: str) -> None:
    entry = CLASSES[key]
    found = [each[0] for each in traits(of_class(entry))]
    known = ALWAYS | columns(entry) | {trait["name"].lower() for trait in found if "uses" in trait}
    spent = {name for trait in found for field in ("spends", "restored") for name in trait.get(field, {})}
    assert spent <= known


def test_items_spend_charges_only_if_they_have_some() -> None:
    for item in raw("magic_items.json"):
        spent = {name for power in item.get("powers", []) for name in power.get("spends", {})}
        charged = [spell for spell in item.get("spells", []) if spell.get("charges")]
        if "charges" in spent or charged:
            assert "charges" in item, item["name"]


def test_a_feature_at_several_levels_is_named_by_its_levels() -> None:
    for entry in CLASSES.values():
        named = {(level["level"], name) for level in entry["levels"] for name in level.get("features", [])}
        own = {(trait["level"], trait["name"]) for trait in entry["features"]}
        assert own <= named, entry["name"]


def test_the_page_of_rules_of_their_own_has_every_name_with_its_numbers() -> None:
    found: dict[str, set[str]] = {}
    for file in (
        "spells",
        "monsters",
        "equipment",
        "masteries",
        "classes",
        "species",
        "feats",
        "magic_items",
        "hazards",
    ):
        for entry in raw(f"{file}.json"):
            for effect in effects_of(list(entry.values())):
                if effect["kind"] == "special":
                    found.setdefault(effect["name"], set()).update(effect.get("numbers", {}))
    page = PAGE.read_text(encoding="utf-8")
    rows = [f"| {name} | {', '.join(sorted(numbers))} |" for name, numbers in sorted(found.items())]
    assert [row for row in rows if row not in page] == []
    assert page.count("\n| ") - 2 == len(rows)
