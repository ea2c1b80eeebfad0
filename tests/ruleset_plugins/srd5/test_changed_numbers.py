"""The comparisons with the rules' text read every number of the data, and what they cannot read is counted.

Each sort of number in a file (by the keys that lead to it) is changed once: the comparison must notice.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support import srd5_comparison, srd5_items
from tests.support import srd5_unread as unread
from tests.support.srd5_heads import block_data, block_head, spell_data, spell_head
from tests.support.srd5_text import TEXTS, block_texts, raw, spell_texts

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
Path = tuple[str | int, ...]
Notices = Callable[[dict[str, Any]], bool]
ANOTHER = 9973
"""A number that no text has."""

ELSEWHERE = {
    "spells": {"materials.*.count", "effects.*.old", "effects.*.old_slot"},
    "monsters": set(),
    "magic_items": {"key", "name", "family", "plus", "rarity"},
}
"""Numbers that another test compares: the counts of materials, dice of 2014, names and bonuses of items."""
IN_WORDS = {"effects.*.rows.*.words", "effects.*.words"}
"""Numbers in words of our own, for the GM to read."""


def numbers(data: Any, path: Path = ()) -> Iterator[Path]:
    """The ways to all numbers of an entry, those in texts too."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from numbers(value, (*path, key))
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from numbers(value, (*path, place))
    elif not isinstance(data, bool) and re.search(r"\d", str(data)):
        yield path


def sort_of(path: Path) -> str:
    return ".".join("*" if isinstance(step, int) or step.isdigit() else step for step in path)


def changed(entry: dict[str, Any], path: Path) -> dict[str, Any]:
    """The entry with another number there."""
    copy: dict[str, Any] = json.loads(json.dumps(entry))
    within: Any = copy
    for step in path[:-1]:
        within = within[step]
    old = within[path[-1]]
    within[path[-1]] = re.sub(r"\d+", str(ANOTHER), old, count=1) if isinstance(old, str) else old + ANOTHER
    return copy


def spells_differ() -> Notices:
    texts = spell_texts()

    def notices(entry: dict[str, Any]) -> bool:
        text = texts[entry["name"]]
        return bool(srd5_comparison.spell_differences(entry, text)) or spell_data(entry) != spell_head(text)

    return notices


def blocks_differ() -> Notices:
    texts = block_texts()

    def notices(entry: dict[str, Any]) -> bool:
        text, data = texts[entry["name"]], block_data(entry)
        is_excepted = {field for name, field in unread.HEADS if name == entry["name"]}
        heads = (value != data[field] for field, value in block_head(text).items() if field not in is_excepted)
        return bool(srd5_comparison.block_differences(entry, text)) or any(heads)

    return notices


def items_differ() -> Notices:
    texts, families = srd5_items.item_texts(), defaultdict[str, list[dict[str, Any]]](list)
    for item in raw("magic_items.json"):
        families[item.get("family", item["name"])].append(item)

    def notices(entry: dict[str, Any]) -> bool:
        heading = entry.get("family", entry["name"])
        family = [entry if each["key"] == entry["key"] else each for each in families[heading]]
        text, printed = texts[heading], srd5_items.charges(texts[heading])
        ours = {(spell["spell"], spell.get("charges", 0)) for item in family for spell in item.get("spells", [])}
        charged = {"charges": entry.get("charges", ""), "regains": entry.get("regains", "")}
        return (
            bool(srd5_items.wrong(heading, family, text))
            or ("charges" in entry and charged != printed)
            or not srd5_items.spell_costs(text) <= ours
        )

    return notices


@pytest.mark.parametrize(
    ("file", "compare"), [("spells", spells_differ), ("monsters", blocks_differ), ("magic_items", items_differ)]
)
def test_a_change_of_any_number_is_noticed(file: str, compare: Callable[[], Notices]) -> None:
    notices, seen, missed = compare(), set[str](), []
    for entry in raw(f"{file}.json"):
        for path in numbers(entry):
            sort = sort_of(path)
            if sort not in seen | ELSEWHERE[file] | IN_WORDS:
                seen.add(sort)
                if not notices(changed(entry, path)):
                    missed.append((entry["name"], sort))
    assert len(seen) > 200
    assert missed == []


UNREAD = {
    "spells": (srd5_comparison.SPELL_EXCEPTIONS, 22),
    "stat blocks": (srd5_comparison.BLOCK_EXCEPTIONS, 3),
    "classes": (unread.CLASSES, 35),
    "origins": (unread.ORIGINS, 4),
    "equipment": (unread.EQUIPMENT, 2),
    "magic items": (unread.MAGIC_ITEMS, 13),
    "hazards": (unread.HAZARDS, 9),
}
"""Entries with a sentence that the comparison cannot read, and how many there are at most."""


@pytest.mark.parametrize("what", UNREAD)
def test_what_cannot_be_read_does_not_grow(what: str) -> None:
    entries, most = UNREAD[what]
    assert len(entries) <= most, f"{len(entries)} of {what} have sentences that the comparison cannot read"
