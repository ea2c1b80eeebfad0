"""Every stat block has the head that is printed, and every feature the numbers, dice, saves and conditions of its text.

The text is read by ``tests.support.srd5_text``, which knows nothing of how the catalogue was made.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import srd5_unread as unread
from tests.support.srd5_comparison import BLOCK_EXCEPTIONS, block_differences
from tests.support.srd5_heads import block_data, block_head
from tests.support.srd5_text import TEXTS, block_texts, raw

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
BLOCKS = {entry["name"]: entry for entry in raw("monsters.json")}


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return block_texts()


def test_the_catalogue_has_every_stat_block_and_no_other(texts: dict[str, str]) -> None:
    assert BLOCKS.keys() == texts.keys()


def test_every_stat_block_says_what_its_text_says(texts: dict[str, str]) -> None:
    assert [each for name, entry in BLOCKS.items() for each in block_differences(entry, texts[name])] == []


def test_every_stat_block_has_the_head_that_is_printed(texts: dict[str, str]) -> None:
    wrong = {
        (name, field): (value, block_data(entry)[field])
        for name, entry in BLOCKS.items()
        for field, value in block_head(texts[name]).items()
        if value != block_data(entry)[field]
    }
    assert wrong.keys() == unread.HEADS.keys(), wrong


def test_the_exceptions_are_features() -> None:
    named = {(name, feature["name"]) for name, entry in BLOCKS.items() for feature in _features(entry)}
    assert BLOCK_EXCEPTIONS.keys() <= named


def _features(entry: dict[str, Any]) -> list[dict[str, Any]]:
    sections = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions")
    return [feature for section in sections for feature in entry.get(section, [])]


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("Aboleth", '"bonus": 9', '"bonus": 8', "Tentacle: number 8.0 only in the data"),
        ("Aboleth", '"escape": 14', '"escape": 24', "Tentacle: number 24.0 only in the data"),
        ("Aboleth", '"2d6 + 5"', '"2d6 + 6"', "Tentacle: dice 2d6 + 5 only in the text"),
        ("Aboleth", '"average": 12', '"average": 13', "Tentacle: number 12.0 only in the text"),
        ("Aboleth", '"grappled"]', '"prone"]', "Tentacle: condition prone only in the data"),
        ("Aboleth", '"ability": "int"', '"ability": "wis"', "Consume Memories: save int only in the text"),
        ("Ghoul", '"paralyzed"', '"stunned"', "Claw: condition stunned only in the data"),
        ("Adult Red Dragon", '"recharge": "5-6"', '"recharge": "4-6"', "Fire Breath: number 4.0 only in the data"),
        ("Adult Red Dragon", '"per_day": 3', '"per_day": 2', "Legendary Resistance: number 2.0 only in the data"),
        ("Lich", '"dc": 20', '"dc": 19', "Spellcasting: number 19.0 only in the data"),
        ("Wolf", '"walk": 40', '"walk": 45', "number 45.0 of the head"),
        ("Wolf", '"hit_dice": "2d8 + 2"', '"hit_dice": "2d8 + 3"', "dice of the head"),
        ("Wolf", '"name": "Bite"', '"name": "Nip"', "the feature Nip"),
    ],
)
def test_a_changed_number_is_noticed(texts: dict[str, str], name: str, old: str, new: str, said: str) -> None:
    text = json.dumps(BLOCKS[name])
    assert old in text
    found = block_differences(json.loads(text.replace(old, new, 1)), texts[name])
    assert any(said in each for each in found), found


@pytest.mark.parametrize(
    ("field", "old", "new"),
    [
        ("ac", '"ac": 17', '"ac": 16'),
        ("initiative", '"initiative": 7', '"initiative": 6'),
        ("abilities", '"save": 8', '"save": 4'),
        ("senses", '"darkvision": 120', '"darkvision": 60'),
        ("xp", '"xp": 5900', '"xp": 7200'),
    ],
)
def test_a_changed_head_is_noticed(texts: dict[str, str], field: str, old: str, new: str) -> None:
    text = json.dumps(BLOCKS["Aboleth"])
    assert old in text
    assert block_data(json.loads(text.replace(old, new, 1)))[field] != block_head(texts["Aboleth"])[field]
