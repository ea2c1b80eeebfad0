"""Differences between the catalogue and the rules' text, as sentences: for a spell, and for a stat block feature by feature."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.support import srd5_text as text_of

HEAD = ("key", "name", "level", "school", "classes", "components", "materials")
SECTIONS = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions")
FREE = {0.0, 1.0}
"""Numbers that text and data say in too many ways: none, and one."""

SPELL_EXCEPTIONS: dict[str, dict[str, Iterable[object]]] = {
    "Acid Arrow": {"dice": ("2d4",)},  # "both initial and later" damage, the later dice missing in the text
    "Sunbeam": {"dice": ("1d8",), "growth": (True, "1d8"), "number": (1,)},  # "above 1", a paragraph of another spell
    "Control Weather": {"number": (2, 3, 4), "damage": ("cold",)},  # stages by their number, one of them called cold
    "Confusion": {"number": (3, 4)},  # the four directions
    "Dimension Door": {"number": (200, 300, 45), "feet": (200, 300)},  # examples
    "Druidcraft": {"damage": ("fire",)},  # a small flame
    "Elementalism": {"damage": ("fire",)},
    "Prestidigitation": {"damage": ("fire",)},
    "Thaumaturgy": {"damage": ("fire",)},
    "Plane Shift": {"damage": ("fire",)},  # the name of a plane
    "Prismatic Wall": {"number": (2, 4, 5, 6, 7)},  # the layers in their order
    "Resurrection": {"span": ("100 year",)},  # "a century"
    "Revivify": {"span": ("1 minute",)},  # "the last minute"
    "Sequester": {"number": (1000,), "span": ("1000 year",)},  # an example
    "Teleport": {"number": (6, 14, 25, 34, 44, 51, 54, 74, 2, 3, 4, 7, 100)},  # where rows begin, directions, and 00
    "Bestow Curse": {"number": (6, 8)},  # the ends of ranges of slots, which begin the next one
    "Geas": {"number": (8,)},
    "Hunter's Mark": {"number": (4,)},
    "Hex": {"number": (4,)},
    "Magic Weapon": {"number": (5,)},
    "Dispel Magic": {"number": (4,)},  # "level 4 or higher"
    "Chromatic Orb": {"number": (2,)},  # "level 2+"
}
BLOCK_EXCEPTIONS: dict[tuple[str, str], dict[str, Iterable[object]]] = {
    ("Assassin", "Evasion"): {"save": ("dex",)},  # saves against anything
    ("Efreeti", "Elemental Restoration"): {"damage": ("fire",)},  # the name of a plane
    ("Troll Limb", "Troll Spawn"): {"number": (11,)},  # the other faces of the die
}


def spell_differences(entry: dict[str, Any], text: str) -> list[str]:
    """Differences between a spell of the catalogue and its text, the printed head apart."""
    body = text.partition("**Duration:**")[2].partition("\n")[2]
    data = _without(OF_2014, {key: value for key, value in entry.items() if key not in HEAD})
    found = [*compared(data, body, text), *_growth(entry, body)]
    allowed = SPELL_EXCEPTIONS.get(entry["name"], {})
    level = {entry["level"], 5, 11, 17} if entry["level"] == 0 else {entry["level"]}
    return [
        f"{entry['name']}: {what} {value} only in the {where}"
        for what, value, where in found
        if value not in {*allowed.get(what, ()), *(level if what == "number" and where == "text" else ())}
    ]


OF_2014 = ("old", "old_slot")
"""Fields with the dice of the edition before, of which the text says nothing (test_casting has them)."""


def _without(fields: tuple[str, ...], value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without(fields, each) for key, each in value.items() if key not in fields}
    return [_without(fields, each) for each in value] if isinstance(value, list) else value


def block_differences(entry: dict[str, Any], text: str) -> list[str]:
    """Differences of a stat block: its printed head, the names of its features, and each feature."""
    head, _, body = text.partition("\n@ ")
    plain = {key: value for key, value in entry.items() if key not in SECTIONS}
    printed = (
        text_of.numbers(head)
        | text_of.counted(head)
        | {float(n) for n in re.findall(r"Uses: (\d)(?: \((\d))?", text) for n in n if n}
    )
    numbers = text_of.numbers(text_of.as_text(plain))
    found = [
        f"{entry['name']}: number {value} of the head"
        for value in (text_of.numbers(head) - numbers) | (numbers - printed - FREE)
    ]
    found += [f"{entry['name']}: dice of the head"] * (text_of.dice(head) != text_of.dice(text_of.as_text(plain)))
    texts = features(body)
    data = {feature["name"]: feature for section in SECTIONS for feature in entry.get(section, [])}
    found += [f"{entry['name']}: the feature {name}" for name in texts.keys() ^ data.keys()]
    for name in texts.keys() & data.keys():
        allowed = BLOCK_EXCEPTIONS.get((entry["name"], name), {})
        found += [
            f"{entry['name']}, {name}: {what} {value} only in the {where}"
            for what, value, where in compared(data[name], texts[name], texts[name])
            if value not in allowed.get(what, ())
        ]
    return found


def features(body: str) -> dict[str, str]:
    """The features of a stat block, each with its usage in brackets and its text."""
    parts = re.split(
        r"^(?:- )?\*{2,3}(?=[A-Z][^*\n]*\.\*{2,3})",
        re.sub(r"^(@ |---|\*Legendary Action Uses).*", "", body, flags=re.MULTILINE),
        flags=re.MULTILINE,
    )
    found: dict[str, str] = {}
    for part in parts[1:]:
        name = re.match(r"[^*(]+?(?= ?\(|\.\*)", part)
        assert name
        found[name[0].removesuffix(".")] = part
    first, second, third = (found.pop(f"{which} Roar", "") for which in ("First", "Second", "Third"))
    return {name: part + first + second + third if name == "Roar" else part for name, part in found.items()}


def compared(data: object, body: str, whole: str) -> Iterator[tuple[str, object, str]]:
    """Every difference as what it is about, the value, and where alone it stands."""
    strict, loose = text_of.as_text(data, "words", "trigger"), text_of.as_text(data)
    effects = list(text_of.effects_of(data))
    yield from _sets("dice", text_of.dice(body), text_of.dice(strict), text_of.dice(body), text_of.dice(loose))
    yield from _sets("save", text_of.saves(body), set(_saves_in(effects)))
    yield from _sets("feet", text_of.feet(body) - {0, 1}, set(), set(), {int(n) for n in text_of.numbers(loose)})
    yield from _sets("span", text_of.spans(body), text_of.spans(strict), text_of.spans(whole), text_of.spans(loose))
    yield from _sets(
        "number",
        text_of.numbers(body) - FREE,
        text_of.numbers(loose) - FREE,
        text_of.numbers(whole) | text_of.counted(whole),
        text_of.numbers(loose),
    )
    tokens = set(re.findall(r"[a-z]+", f"{json.dumps(data)}".lower()))
    said = set(re.findall(r"[a-z]+", text_of.as_text(data, "words", "trigger", "name").lower()))
    lower = set(re.findall(r"[a-z]+", whole.lower()))
    for what, words in (("damage", text_of.DAMAGE), ("condition", text_of.CONDITIONS)):
        yield from _sets(what, text_of.words_of(body, words), said & set(words), lower, tokens)


def _sets(
    what: str, text: set[Any], data: set[Any], also_text: set[Any] | None = None, also_data: set[Any] | None = None
) -> Iterator[tuple[str, object, str]]:
    """Values only in the text, and those only in the data. What also counts as being in either may be more."""
    yield from ((what, value, "text") for value in text - (data if also_data is None else also_data))
    yield from ((what, value, "data") for value in data - (text if also_text is None else also_text))


def _saves_in(effects: list[dict[str, Any]]) -> Iterator[str]:
    for effect in effects:
        if effect["kind"] == "save":
            yield effect["ability"]
        if isinstance(effect.get("repeat"), dict) and "ability" in effect["repeat"]:
            yield effect["repeat"]["ability"]
        if "regurgitate" in effect:
            yield effect["regurgitate"]["save"]


def _growth(entry: dict[str, Any], body: str) -> Iterator[tuple[str, object, str]]:
    """The paragraph about higher slots or levels against the fields that say so."""
    higher = re.search(r"(?:Using a Higher-Level Spell Slot|Cantrip Upgrade)\.\*+(.*)", body)
    text = higher[1] if higher else ""
    grown = [
        value
        for effect in (*text_of.effects_of(entry), entry.get("area", {}), entry.get("targets", {}))
        for key, value in effect.items()
        if key in ("slot", "cantrip", "per_slot", "up_to_slot")
    ]
    grown += [effect["dice"] for effect in text_of.effects_of(entry) if "cantrip" in effect and "dice" in effect]
    other = [entry[key] for key in ("slots", "duration_slot", "range_cantrip", "block") if key in entry]
    at = [effect["at"] for effect in text_of.effects_of(entry) if isinstance(effect.get("at"), dict)]
    at += [effect["numbers"]["slots"] for effect in text_of.effects_of(entry) if "slots" in effect.get("numbers", {})]
    if bool(text) != bool(grown or other or at):
        yield "growth", bool(text), "text" if text else "data"
    if text and not other:
        yield from _sets("growth", text_of.dice(text), text_of.dice(" ; ".join(map(str, _flat(grown)))))
        counts = {abs(float(value)) for value in _flat([grown, at]) if isinstance(value, int)}
        yield from _sets("growth", set(), counts, text_of.numbers(text) | text_of.counted(text), set())


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from _flat(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from _flat(each)
    elif not isinstance(value, bool):
        yield value
