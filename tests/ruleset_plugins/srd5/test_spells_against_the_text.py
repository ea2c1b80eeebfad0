"""Every number, die, distance, span, save, damage type and condition of a spell is in the catalogue as in the rules' text.

The text is read by ``tests.support.srd5_text``, which knows nothing of how the catalogue was made.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.srd5_comparison import SPELL_EXCEPTIONS, spell_differences
from tests.support.srd5_heads import spell_data, spell_head
from tests.support.srd5_text import TEXTS, raw, spell_texts

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
SPELLS = {entry["name"]: entry for entry in raw("spells.json")}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return spell_texts()


def test_the_catalogue_has_every_spell_and_no_other(texts: dict[str, str]) -> None:
    assert SPELLS.keys() == texts.keys()


def test_every_spell_says_what_its_text_says(texts: dict[str, str]) -> None:
    assert [each for name, entry in SPELLS.items() for each in spell_differences(entry, texts[name])] == []


def test_every_spell_has_the_head_that_is_printed(texts: dict[str, str]) -> None:
    heads = {name: (spell_head(texts[name]), spell_data(entry)) for name, entry in SPELLS.items()}
    assert [(name, printed, ours) for name, (printed, ours) in heads.items() if printed != ours] == []


def test_the_exceptions_are_spells() -> None:
    assert SPELL_EXCEPTIONS.keys() <= SPELLS.keys()


def changed(name: str, old: str, new: str) -> dict[str, Any]:
    text = json.dumps(SPELLS[name])
    assert old in text
    found: dict[str, Any] = json.loads(text.replace(old, new, 1))
    return found


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("Fireball", '"8d6"', '"9d6"', "dice 8d6 only in the text"),
        ("Fireball", '"8d6"', '"9d6"', "dice 9d6 only in the data"),
        ("Fireball", '"feet": 20', '"feet": 25', "feet 20 only in the text"),
        ("Fireball", '"ability": "dex"', '"ability": "con"', "save con only in the data"),
        ("Fireball", '"fire"', '"cold"', "damage fire only in the text"),
        ("Fireball", '"slot": "1d6"', '"slot": "8d6"', "growth 8d6 only in the data"),
        ("Fire Bolt", '"3d10"', '"3d8"', "dice 3d8 only in the data"),
        ("Hold Person", '"paralyzed"', '"stunned"', "condition stunned only in the data"),
        ("Hold Person", '"slot": 1', '"slot": 3', "growth 3.0 only in the data"),
        ("Sunburst", '"lasts": "1 minute"', '"lasts": "2 minutes"', "span 2 minute only in the data"),
        ("Magic Missile", '"1d4 + 1"', '"1d4 + 2"', "dice 1d4 + 1 only in the text"),
        ("Shield", '"by": "5"', '"by": "6"', "number 6.0 only in the data"),
        ("Bestow Curse", '"5": "8 hours"', '"5": "9 hours"', "span 8 hour only in the text"),
        ("Cure Wounds", '"slot": "2d8"', '"slotless": "2d8"', "growth True only in the text"),
    ],
)
def test_a_changed_number_is_noticed(texts: dict[str, str], name: str, old: str, new: str, said: str) -> None:
    assert f"{name}: {said}" in spell_differences(changed(name, old, new), texts[name])


@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("Wish", lambda spell: spell.update(level=8), "level"),
        ("Bless", lambda spell: spell["materials"][0].update(price=50), "prices"),
        ("Bless", lambda spell: spell.pop("concentration"), "concentration"),
        ("Identify", lambda spell: spell.pop("ritual"), "ritual"),
        ("Shield", lambda spell: spell.update(range="touch"), "range"),
        ("Bane", lambda spell: spell.update(components="VS"), "components"),
    ],
)
def test_a_changed_head_is_noticed(
    texts: dict[str, str], name: str, change: Callable[[dict[str, Any]], object], field: str
) -> None:
    entry = json.loads(json.dumps(SPELLS[name]))
    change(entry)
    assert spell_data(entry)[field] != spell_head(texts[name])[field]
