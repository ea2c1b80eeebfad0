"""Every poison, trap, contagion and place is in the catalogue, with each number of its text."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from rollbook.rulesets.srd5 import catalogue
from tests.support import srd5_unread as unread
from tests.support.srd5_characters import differences
from tests.support.srd5_text import TEXTS, plain, raw

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
HAZARDS = {entry["name"]: entry for entry in raw("hazards.json")}
INSIDE = {"Demonic Possession": "Environmental Curses"}
LEVELS = {"number": (4, 10, 16, 17, 20)}  # ranges of levels, told by where they begin


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The sections of every level of heading, tables with 00 as 100."""
    found: dict[str, str] = {}
    for path in (TEXTS / "Gameplay-Toolbox.md", TEXTS / "Magic-Items" / "Overview.md"):
        chapter = re.sub(r"\b00 \|", "100 |", plain(path.read_text(encoding="utf-8")))
        for section in re.split(r"^(?=#+ )", chapter, flags=re.MULTILINE):
            title = re.match(r"#+ ([^(\n]+?)(?: \([\d]+ GP\))?\n", section)
            if title:
                found.setdefault(title[1], section)
    for name in ("Fear Effects", "Mental Stress Effects"):
        found[name] += found[f"Sample {name.removesuffix(' Effects')} DCs" if name[0] == "F" else f"Sample {name}"]
    return found


def wrong(entry: dict[str, Any], text: str) -> list[Any]:
    skipped = ("key", "name", "category", "rule", "price")
    data = {key: value for key, value in entry.items() if key not in skipped}
    body = re.sub(r"^\*\w+ Trap.*|^#+ .*|^\*\w+ Poison\*", "", text, flags=re.MULTILINE)
    allowed = dict(unread.HAZARDS.get(entry["name"], {}))
    if entry["category"] == "trap":
        allowed["number"] = (*LEVELS["number"], *allowed.get("number", ()))
    return [(entry["name"], *each) for each in differences(data, body, allowed)]


def test_every_hazard_says_what_its_text_says(texts: dict[str, str]) -> None:
    assert [each for name, entry in HAZARDS.items() for each in wrong(entry, texts[INSIDE.get(name, name)])] == []


@pytest.mark.parametrize(
    ("begin", "end", "category"),
    [("### Sample Poisons", "## Traps", "poison"), ("### Example Traps", "## Combat Encounters", "trap")],
)
def test_there_is_no_other_poison_or_trap(begin: str, end: str, category: str) -> None:
    chapter = plain((TEXTS / "Gameplay-Toolbox.md").read_text(encoding="utf-8"))
    part = chapter.partition(begin)[2].partition(end)[0]
    names = {re.sub(r" \(.*", "", name) for name in re.findall(r"^#### (.+)$", part, re.MULTILINE)}
    assert {entry["name"] for entry in HAZARDS.values() if entry["category"] == category} == names


def test_every_poison_has_its_kind_and_price(texts: dict[str, str]) -> None:
    for entry in HAZARDS.values():
        if entry["category"] == "poison":
            text = texts[entry["name"]]
            price = re.search(r"\((\d+) GP\)", text)
            assert price
            assert entry["price"] == 100 * int(price[1]), entry["name"]
            assert f"*{entry['form'].capitalize()} Poison*" in text, entry["name"]


def test_every_trap_is_a_nuisance_or_deadly_for_its_levels(texts: dict[str, str]) -> None:
    for entry in HAZARDS.values():
        if entry["category"] == "trap":
            found = re.findall(r"(Nuisance|Deadly) Trap \(Levels (\d+-\d+)\)", texts[entry["name"]])
            assert entry["severity"] == {name.lower(): levels for name, levels in found}, entry["name"]


def test_a_changed_number_is_noticed(texts: dict[str, str]) -> None:
    data = json.dumps(HAZARDS["Wyvern Poison"])
    assert wrong(json.loads(data.replace('"dc": 14', '"dc": 15')), texts["Wyvern Poison"])


def test_every_hazard_names_its_rule() -> None:
    rules = {row["rule"] for row in raw("rules.json")}
    assert {hazard.rule for hazard in catalogue.hazards().values()} <= rules
