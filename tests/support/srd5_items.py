"""Reads magic items in the rules' text, to compare them with the catalogue."""

from __future__ import annotations

import re
from typing import Any

from tests.support import srd5_unread as unread
from tests.support.srd5_characters import differences
from tests.support.srd5_text import TEXTS, plain

CATEGORIES = {"Armor": "armour", "Wondrous Item": "wondrous"}
SORTS = {"armor": "armour", "ammunition": "ammunition", "melee weapon": "melee"}
RARITIES = r"Common|Uncommon|Very Rare|Rare|Legendary|Artifact"
HEAD = ("key", "name", "family", "category", "rarity", "base", "but", "by", "attunement", "consumable", "plus", "curse")


def item_texts() -> dict[str, str]:
    """The text of every heading, with 00 as 100 and fractions as decimals."""
    found: dict[str, str] = {}
    for path in sorted((TEXTS / "Magic-Items").glob("Items-*.md")):
        text = plain(path.read_text(encoding="utf-8")).replace("3/4", "0.75").replace("’", "'")
        text = re.sub(r"-00( +\|)", r"-100\1", text)
        parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
        found |= {name.strip(): body for name, body in zip(parts[1::2], parts[2::2], strict=True)}
    return found


def head(text: str) -> dict[str, Any]:
    """The line under a heading, in the fields of the catalogue. ``rarities`` are all that it names."""
    line = re.search(r"^\*([A-Z].*)\*$", text, re.MULTILINE)
    assert line
    first = re.match(r"([A-Z][a-z]+(?: Item)?)(?: \(([^)]*)\))?, (.*)", line[1])
    assert first
    wanted = re.search(r"\(?Requires Attunement(?: by ([^)]*))?\)", first[3])
    rest = first[3].replace(wanted[0], "") if wanted else first[3]
    return {
        "category": CATEGORIES.get(first[1], first[1].lower()),
        "base": _bases(first[2] or ""),
        "attunement": bool(wanted),
        "by": _names((wanted[1] or "") if wanted else ""),
        "rarities": [each.lower() for each in re.findall(RARITIES, rest)],
    }


def _bases(words: str) -> list[str]:
    """Bases of an item, exceptions included."""
    sort = words.startswith("Any ")
    names = re.split(r",? or |, Except |, ", words.removeprefix("Any "))
    return [SORTS.get(name.lower(), name.lower()) if sort and name != "Hide Armor" else name for name in names if name]


def _names(words: str) -> list[str]:
    bare = words.lower().replace("a creature attuned to a ", "")
    return [re.sub(r"^an? ", "", name) for name in re.split(r",? or |, ", bare) if name]


def body(text: str) -> str:
    """The text after the line under the heading."""
    return re.split(r"^\*[A-Z].*\*$", text, maxsplit=1, flags=re.MULTILINE)[1]


def charges(text: str) -> dict[str, str]:
    """The charges of an item, and how many come back."""
    most = re.search(r"(?:has|have|starts with|contains) (\d+d?\d*(?: [+-] \d+)?) charges", text)
    back = re.search(r"regains? (all|\d+d?\d*(?: [+-] \d+)?) expended charges?", text)
    return {"charges": most[1] if most else "", "regains": back[1] if back else ""}


def spell_costs(text: str) -> set[tuple[str, int]]:
    """The spells in a table of charges, each with what it costs."""
    found = re.findall(r"\*([A-Z][\w/' ]+)\*(?: \([^)|]*\))? \| (\d+)", text)
    return {(name, int(cost)) for name, cost in found} | {
        (name, int(cost)) for name, cost in re.findall(r"\*([A-Z][\w ]+)\* \((\d) charges?\)", text)
    }


def wrong(heading: str, items: list[dict[str, Any]], text: str) -> list[Any]:
    """The differences between the items under a heading and their text."""
    data = [{key: value for key, value in item.items() if key not in HEAD} for item in items]
    allowed = {**unread.MAGIC_ITEMS.get(heading, {}), "dice": ("1d20",)}
    return [(heading, *each) for each in differences(data, f"{heading}\n{body(text)}", allowed)]
