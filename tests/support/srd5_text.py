"""Reads the Markdown of the fifth edition's open rules, to compare it with the catalogue: spells, stat blocks, numbers.

It shares nothing with how the catalogue was made. It finds sets: of dice, feet, spans, abilities, words and plain numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TEXTS = ROOT.parent / "shared" / "rules" / "srd-5.2.1"
"""The place of the rules' own text, if it is at hand: it is no part of this repository."""

ABILITIES = {
    "Strength": "str",
    "Dexterity": "dex",
    "Constitution": "con",
    "Intelligence": "int",
    "Wisdom": "wis",
    "Charisma": "cha",
}
DAMAGE = [
    "acid",
    "bludgeoning",
    "cold",
    "fire",
    "force",
    "lightning",
    "necrotic",
    "piercing",
    "poison",
    "psychic",
    "radiant",
    "slashing",
    "thunder",
]
CONDITIONS = [
    "blinded",
    "charmed",
    "deafened",
    "exhaustion",
    "frightened",
    "grappled",
    "incapacitated",
    "invisible",
    "paralyzed",
    "petrified",
    "poisoned",
    "prone",
    "restrained",
    "stunned",
    "unconscious",
]
COUNTS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
MORE_COUNTS = {
    "half": 0.5, "halved": 0.5, "halves": 0.5, "twice": 2, "double": 2, "doubled": 2, "hundred": 100, "once": 1,
    "twenty-five": 25, "fifty": 50, "a": 1, "an": 1, "century": 100, "first": 1, "second": 2, "third": 3, "both": 2,
}  # fmt: skip
SPAN = r"(\d+)[ -](round|minute|hour|day|year)s?"
SIZES = "Tiny|Small|Medium|Large|Huge|Gargantuan"


def plain(text: str) -> str:
    """One sort of dash and no thousands separators."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.replace("−", "-").replace("–", "-").replace("—", " - "))


def spell_texts() -> dict[str, str]:
    """Every spell's text by its name."""
    found: dict[str, str] = {}
    for path in sorted((TEXTS / "Spells").glob("Descriptions-*.md")):
        parts = re.split(r"^## (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found |= {name.strip(): plain(body) for name, body in zip(parts[1::2], parts[2::2], strict=True)}
    return found


def block_texts() -> dict[str, str]:
    """Every stat block's text by its name. The same one printed twice counts once."""
    found: dict[str, str] = {}
    for path in [*sorted((TEXTS / "Monsters").glob("Monsters-*.md")), TEXTS / "Animals.md"]:
        text = re.sub(
            r"^#+ (?=Traits|Actions|Bonus Actions?|Reactions|Legendary Actions)",
            "@ ",
            plain(path.read_text(encoding="utf-8")),
            flags=re.MULTILINE,
        )
        for section in re.split(r"^(?=#+ )", text, flags=re.MULTILINE):
            match = re.match(rf"#+ (.+)\n+\*(?:{SIZES})\b", section)
            if match and match[1] not in found:
                found[match[1].strip()] = section
    return found


def dice(text: str) -> set[str]:
    """Dice as ``2d6``, with a constant as ``2d6 + 3``."""
    bare = re.sub(r"\bd20 tests?", " ", text, flags=re.IGNORECASE)
    return {re.sub(r"^d", "1d", found) for found in re.findall(r"\d*d\d+(?: [+-] \d+)?(?!\d)", bare)}


def feet(text: str) -> set[int]:
    """Distances in feet."""
    found = re.findall(r"(\d+)[ -](?:foot|feet|ft)\b", text) + re.findall(r"range (\d+)/(\d+) ft", text)
    flat = [each for item in found for each in (item if isinstance(item, tuple) else (item,))]
    return {int(each) for each in flat}


def spans(text: str) -> set[str]:
    """Spans of time, as ``10 minute``."""
    return {f"{count} {unit}" for count, unit in re.findall(SPAN, text)}


def saves(text: str) -> set[str]:
    """The abilities with which somebody saves."""
    names = "|".join(ABILITIES)
    return {
        ABILITIES[name]
        for name in re.findall(rf"\b({names}) saving throw(?!s)", text, re.IGNORECASE)
        if name in ABILITIES
    } | {ABILITIES[name] for name in re.findall(rf"\*(?:Response - )?({names}) Saving Throw", text)}


def words_of(text: str, words: list[str]) -> set[str]:
    """Those of these words that stand in the text with a capital, outside the names of spells."""
    bare = re.sub(r"(?<!\*)\*(?!\*)[^*\n]+\*(?!\*)", " ", text)
    return {word for word in words if re.search(rf"\b{word.capitalize()}\b", bare)}


def numbers(text: str) -> set[float]:
    """Every number in digits, without those of dice."""
    return {
        float(found)
        for found in re.findall(r"(?<![\dd.])\d+(?![\dd])", re.sub(r"\d*d\d+|\b[Dd]20 [Tt]ests?", " ", text))
    }


def counted(text: str) -> set[float]:
    """Every number in words."""
    low = set(re.findall(r"[a-z-]+", text.lower()))
    return {float(i) for i, word in enumerate(COUNTS) if word in low} | {
        MORE_COUNTS[word] for word in low & MORE_COUNTS.keys()
    }


def values(entry: object, *skipped: str) -> Iterator[object]:
    """Every plain value in an entry, with the keys of its objects that are numbers."""
    if isinstance(entry, dict):
        for key, value in entry.items():
            if key.isdigit():
                yield int(key)
            if key not in skipped:
                yield from values(value, *skipped)
    elif isinstance(entry, list):
        for value in entry:
            yield from values(value, *skipped)
    else:
        yield entry


def effects_of(entry: object) -> Iterator[dict[str, Any]]:
    """Every effect in an entry, at any depth."""
    if isinstance(entry, dict):
        if "kind" in entry and "key" not in entry:
            yield entry
        for value in entry.values():
            yield from effects_of(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from effects_of(value)


def as_text(entry: object, *skipped: str) -> str:
    """All values of an entry as one text."""
    return " ; ".join(str(value) for value in values(entry, *skipped) if not isinstance(value, bool))


def raw(file: str) -> list[dict[str, Any]]:
    """The entries of a data file, unread."""
    text = (ROOT / "ruleset_plugins" / "srd5" / "data" / file).read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found
