"""Every entry of the rules' glossary, and every chapter, has its numbers among the rules."""

from __future__ import annotations

import re

import pytest

from tests.support.proofs import rules_of
from tests.support.srd5_text import TEXTS

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
RULES = {rule.rule: rule for rule in rules_of("srd5")}
ONLY_WORDS = {
    "adventure",
    "creature",
    "hazard",
    "campaign",
    "character sheet",
    "encounter",
    "monster",
    "nonplayer character",
    "player character",
}
"""Entries that say what a word means, and nothing else."""
ELSEWHERE = {
    "ability check": 5, "ability score and modifier": 2, "advantage": 15, "alignment": 215, "armor class": 11,
    "attack roll": 9, "bloodied": 77, "bonus action": 28, "bright light": 35, "cantrip": 236, "challenge rating": 303,
    "climb speed": 118, "cone": 105, "cover": 62, "critical hit": 80, "cube": 105, "cylinder": 105, "d20 test": 4,
    "damage roll": 78, "damage types": 83, "darkness": 35, "death saving throw": 94, "difficult terrain": 53,
    "difficulty class": 6, "dim light": 35, "disadvantage": 15, "emanation": 105, "fly speed": 141, "healing": 88,
    "heavily obscured": 34, "heroic inspiration": 18, "hit point dice": 227, "hit points": 76, "hover": 141,
    "immunity": 87, "jumping": 154, "knocking out a creature": 89, "lightly obscured": 33, "line": 105,
    "magical effect": 170, "occupied space": 58, "opportunity attacks": 68, "proficiency": 23, "reach": 67,
    "reaction": 30, "resistance": 84, "round down": 3, "save": 7, "size": 56, "skill": 22, "spell": 170,
    "spell attack": 219, "spellcasting focus": 244, "sphere": 105, "stable": 95, "stat block": 301, "surprise": 43,
    "swim speed": 195, "target": 59, "temporary hit points": 101, "unoccupied space": 58, "vulnerability": 84,
    "weapon attack": 9, "action": 27, "attitude": 32, "damage": 76, "object": 113, "weapon": 253,
}  # fmt: skip
"""Entries that repeat what another chapter says, with the number of a rule there."""
CHAPTERS = {
    "Playing the Game", "Rules Glossary", "Character Creation", "Character Origins", "Equipment", "Feats", "Spells",
    "Magic Items", "Monsters", "Gameplay Toolbox", "Classes", "Barbarian", "Bard", "Cleric", "Druid", "Fighter", "Monk",
    "Paladin", "Ranger", "Rogue", "Sorcerer", "Warlock", "Wizard",
}  # fmt: skip


def entries() -> list[str]:
    text = (TEXTS / "Rules-Glossary.md").read_text(encoding="utf-8").replace("’", "'")
    text = text.partition("## Rules Definitions")[2]
    return [re.sub(r" \[.*", "", name).lower() for name in re.findall(r"^## (.+)$", text, re.MULTILINE)]


def sources() -> set[str]:
    """The entries that a rule names as its place."""
    found = [rule.source.partition(": ")[2] for rule in RULES.values() if rule.source.startswith("Rules Glossary")]
    return {re.sub(r" \[.*", "", name).strip().lower() for source in found for name in source.split(",")}


def test_every_entry_of_the_glossary_has_a_rule() -> None:
    assert len(entries()) > 140
    known = sources() | ELSEWHERE.keys() | ONLY_WORDS
    assert [entry for entry in entries() if entry not in known] == []


def test_what_stands_elsewhere_is_a_rule_of_another_place() -> None:
    assert [word for word, number in ELSEWHERE.items() if f"R5.{number}" not in RULES] == []
    assert ELSEWHERE.keys() <= set(entries())
    assert not ELSEWHERE.keys() & ONLY_WORDS


def test_every_chapter_has_rules_and_every_rule_a_chapter() -> None:
    assert {rule.source.partition(":")[0] for rule in RULES.values()} == CHAPTERS
