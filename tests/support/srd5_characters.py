"""Reads classes, species, feats and backgrounds in the rules' text, to compare them with the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.support.srd5_comparison import compared
from tests.support.srd5_text import ABILITIES, TEXTS, plain

CLASSES = TEXTS / "Classes"
GROWN = {
    "Improved Brutal Strike": "Brutal Strike", "Improved Blessed Strikes": "Blessed Strikes",
    "Improved Elemental Fury": "Elemental Fury", "Improved Cunning Strike": "Cunning Strike",
    "Devious Strikes": "Cunning Strike", "Aura Expansion": "Aura of Protection",
}  # fmt: skip
"""Features whose numbers are with those that they improve."""
ELSEWHERE = ("Ability Score Improvement", "Spellcasting", "Pact Magic", "Epic Boon")
"""Features whose numbers are those of the levels, or of the class itself."""


def class_text(name: str) -> str:
    """The chapter of a class, without its list of spells."""
    text = plain((CLASSES / f"{name}.md").read_text(encoding="utf-8").replace("’", "'"))
    before, found, after = text.partition(f"## {name} Spell List")
    return before + after[after.index(f"## {name} Subclass") :] if found else text


def traits(text: str) -> dict[str, str]:
    """The core traits of a class by their names."""
    return dict(re.findall(r"^\| \*\*(.+?)\*\* \| (.+?) \|$", text, re.MULTILINE))


def level_rows(text: str) -> list[dict[str, str]]:
    """The rows of a class's table by their headings."""
    found = re.search(r"^\| Level \| Proficiency Bonus \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found
    heads = [cell.strip() for cell in found[0].splitlines()[0].strip("|").split("|")]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in found[1].splitlines()]
    return [dict(zip(heads, row, strict=True)) for row in rows]


def feature_texts(text: str) -> dict[str, str]:
    """The features of a class and its subclass, those of a name together, the grown ones with what they grow from."""
    found: dict[str, str] = {}
    for level, name, body in re.findall(r"^### Level (\d+): (.+)\n((?:(?!#{2,3} ).*\n)*)", text, re.MULTILINE):
        if not name.endswith("Subclass"):
            key = GROWN.get(name, name)
            found[key] = found.get(key, "") + f"Level {level}: {name}\n{body}"
    return found


def option_texts(text: str) -> dict[str, str]:
    """Metamagic or invocations by their names."""
    options = re.search(r"^## (?:Metamagic|Eldritch Invocation) Options\n((?:(?!## ).*\n)*)", text, re.MULTILINE)
    return dict(re.findall(r"^### (.+)\n((?:(?!### ).*\n)*)", options[1], re.MULTILINE)) if options else {}


def by_name(features: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Features of the catalogue, grouped as those of the text are."""
    found: dict[str, list[dict[str, Any]]] = {}
    for feature in features:
        found.setdefault(GROWN.get(feature["name"], feature["name"]), []).append(feature)
    return found


def differences(data: Any, text: str, allowed: dict[str, Any]) -> Iterator[tuple[str, object, str]]:
    """Differences between a feature and its text, but for what is ``allowed``."""
    for what, value, where in compared(without_rules(data), text, text):
        if value not in allowed.get(what, ()):
            yield what, value, where


def without_rules(data: Any) -> Any:
    """An entry without the numbers of its rules."""
    if isinstance(data, dict):
        return {key: without_rules(value) for key, value in data.items() if key != "rule"}
    return [without_rules(each) for each in data] if isinstance(data, list) else data


def abilities_in(text: str) -> list[str]:
    """The abilities that are named, in their order."""
    return [ABILITIES[name] for name in re.findall("|".join(ABILITIES), text)]


def listed(cell: str) -> list[str]:
    """The names in a cell, in lower case, without what introduces them."""
    bare = re.sub(r"\*.*?\*:?|\(.*?\)", "", cell)
    return [name.strip().lower() for name in re.split(r",? or |, | and ", bare) if name.strip()]


def kits(cell: str) -> list[tuple[int, int]]:
    """The number of things and the gold of each choice of starting equipment."""
    found = []
    for kit in re.split(r"\([ABC]\) ", cell)[1:]:
        gold = re.search(r"(\d+) GP", kit)
        assert gold
        names = [name for name in re.split(r", (?:and )?", kit.replace(gold[0], "")) if re.search(r"[A-Z]\w", name)]
        found.append((sum(int((re.match(r"\d+", name) or ["1"])[0]) for name in names), int(gold[1])))
    return found


def sections(text: str, marks: str) -> dict[str, str]:
    """The sections under headings with so many marks, by their names."""
    parts = re.split(rf"^{marks} (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def benefits(text: str) -> dict[str, str]:
    """The paragraphs with a name, each with what follows it."""
    return dict(re.findall(r"^\*\*\*(.+?)\.\*\*\* ((?:(?!\*\*\*).*\n?)*)", text, re.MULTILINE))
