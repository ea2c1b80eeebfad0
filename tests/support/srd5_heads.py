"""The printed head of a spell and of a stat block, read line by line and compared field by field with the catalogue."""

from __future__ import annotations

import re
from typing import Any

from tests.support.srd5_text import ABILITIES, SIZES

ORDER = tuple(ABILITIES.values())


def spell_head(text: str) -> dict[str, Any]:
    """The head of a spell, in the fields of the catalogue."""
    kind = re.search(r"^\*(?:Level (\d) (\w+)|(\w+) Cantrip) \((.+)\)\*$", text, re.MULTILINE)
    lines = dict(re.findall(r"^\*\*(\w[\w ]*?)s?:\*\* (.+)$", text, re.MULTILINE))
    assert kind
    time, ritual = re.subn(r" or Ritual", "", lines["Casting Time"])
    duration = re.sub(r"^(?:Concentration, )?(?:[Uu]p to )?", "", lines["Duration"])
    letters, _, material = lines["Component"].partition("(")
    return {
        "level": int(kind[1] or 0),
        "school": (kind[2] or kind[3]).lower(),
        "classes": kind[4].lower().split(", "),
        "casting": re.sub(r"[,(].*| or .*", "", time).strip().lower(),
        "has_trigger": "," in time,
        "ritual": bool(ritual),
        "range": lines["Range"].lower(),
        "components": re.sub(r"\W", "", letters),
        "prices": sorted(int(price) for price in re.findall(r"(\d+)\+? (?:GP|CP|Copper)", material)),
        "consumes": "consume" in material,
        "duration": {"Instantaneous": "instant"}.get(duration, duration.lower()),
        "concentration": lines["Duration"].startswith("Concentration"),
    }


def spell_data(entry: dict[str, Any]) -> dict[str, Any]:
    """The same of an entry."""
    materials = entry.get("materials", [])
    same = {key: entry[key] for key in ("level", "school", "classes", "casting", "range", "components", "duration")}
    return {
        **same,
        "has_trigger": "trigger" in entry,
        "ritual": entry.get("ritual", False),
        "prices": sorted(each["price"] for each in materials),
        "consumes": any(each.get("consumed") for each in materials),
        "concentration": entry.get("concentration", False),
    }


def block_head(text: str) -> dict[str, Any]:
    """The head of a stat block, in the fields of the catalogue."""
    head = text.partition("\n@ ")[0].replace("**CON**", "CON")
    line = {key: value.strip(" |") for key, value in re.findall(r"\*\*(\w+)\*\*:? ([^\n*]+)", head)}
    first = re.search(rf"^\*((?:{SIZES}).*), ([^,]+)\*$", head, re.MULTILINE)
    challenge = re.match(r"([\d/]+) \(\D*(\d+)(?: XP)?(?:, or (\d+) in lair)?; PB \+(\d)\)", line["CR"])
    assert first
    assert challenge
    senses = dict(re.findall(r"(\w+) (\d+) ft", line["Senses"]))
    return {
        "alignment": first[2].lower(),
        "size": re.findall(SIZES.lower(), first[1].lower().partition(" swarm of ")[0]),
        "ac": int(line["AC"]),
        "initiative": (int(line["Initiative"].split()[0]), int(line["Initiative"].split("(")[1][:-1])),
        "hit_points": (int(line["HP"].split()[0]), line["HP"].partition("(")[2].rstrip(")")),
        "speeds": sorted(int(feet) for feet in re.findall(r"(\d+) ft", line["Speed"])),
        "hover": "hover" in line["Speed"],
        "abilities": _abilities(head),
        "skills": {
            name.lower(): int(bonus)
            for name, bonus in re.findall(r"([A-Z][A-Za-z ]+?) ([+-]\d+)", line.get("Skills", ""))
        },
        "gear": sorted(name for name in re.split(r", ", re.sub(r" \(\d+\)", "", line.get("Gear", ""))) if name),
        "damage": {
            key: _listed(line.get(key.capitalize(), "")) for key in ("vulnerabilities", "resistances", "immunities")
        },
        "senses": {name.lower(): int(feet) for name, feet in senses.items()},
        "passive_perception": int(line["Senses"].rsplit(maxsplit=1)[-1]),
        "cr": challenge[1],
        "xp": (int(challenge[2]), int(challenge[3] or 0), int(challenge[4])),
    }


def _listed(words: str) -> set[str]:
    return {word.lower() for word in re.findall(r"\b[A-Z][a-z]+(?=[,;]| \(|$)", words)}


def _abilities(head: str) -> dict[str, tuple[int, ...]]:
    """Score, modifier and save of each ability, from any of the three tables in which they are printed."""
    if "**Score**" in head:
        rows = [
            [int(n) for n in re.findall(r"[+-]?\d+", row)]
            for row in re.findall(r"\*\*(?:Score|Mod|Save)\*\* (.*)", head)
        ]
        return {ability: (rows[0][i], rows[1][i], rows[2][i]) for i, ability in enumerate(ORDER)}
    cells = re.findall(r"(STR|DEX|CON|INT|WIS|CHA)[ |]+(\d+) \| ([+-]?\d+) \| ([+-]?\d+)", head)
    if cells:
        return {name.lower(): tuple(map(int, rest)) for name, *rest in cells}
    row = re.findall(r"(\d+) \(([+-]\d+)\)(?: Save ([+-]\d+))?", head.partition("| STR")[2])
    saves = dict(re.findall(r"(STR|DEX|CON|INT|WIS|CHA) ([+-]\d+)", head.partition("**Saves**")[2].partition("\n")[0]))
    return {
        ability: (int(score), int(modifier), int(saves.get(ability.upper(), save or modifier)))
        for ability, (score, modifier, save) in zip(ORDER, row, strict=True)
    }


def block_data(entry: dict[str, Any]) -> dict[str, Any]:
    """The same of an entry."""
    speed = entry["speed"]
    feet = [value for value in (*speed.values(), *speed.get("form", {}).values()) if type(value) is int]
    damage = {key: set(entry.get(key, [])) for key in ("vulnerabilities", "resistances", "immunities")}
    damage["immunities"] |= set(entry.get("condition_immunities", []))
    return {
        "alignment": entry["alignment"],
        "size": entry["size"],
        "ac": entry["ac"],
        "initiative": (entry["initiative"], entry["initiative_score"]),
        "hit_points": (entry["hit_points"], entry["hit_dice"]),
        "speeds": sorted(feet[1:] if "choose" in speed else feet),
        "hover": speed.get("hover", False),
        "abilities": {name: tuple(each.values()) for name, each in entry["abilities"].items()},
        "skills": entry.get("skills", {}),
        "gear": sorted(entry.get("gear", {})),
        "damage": damage,
        "senses": entry.get("senses", {}),
        "passive_perception": entry["passive_perception"],
        "cr": entry["cr"],
        "xp": (entry["xp"], entry.get("xp_in_lair", 0), entry["proficiency"]),
    }
