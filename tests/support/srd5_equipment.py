"""Reads the tables and descriptions of equipment in the rules' text, to compare them with the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.support.srd5_text import TEXTS, plain

COINS = {"CP": 1, "SP": 10, "GP": 100}
TABLES = (
    "Adventuring Gear", "Ammunition", "Arcane Focuses", "Druidic Focuses", "Holy Symbols", "Mounts and Other Animals",
    "Tack, Harness, and Drawn Vehicles", "Food, Drink, and Lodging", "Hirelings", "Spellcasting Services",
    "Airborne and Waterborne Vehicles",
)  # fmt: skip


def text() -> str:
    """The chapter, with fractions as decimals."""
    chapter = plain((TEXTS / "Equipment.md").read_text(encoding="utf-8"))
    return re.sub(r"(\d*)½", lambda found: f"{found[1] or 0}.5", chapter).replace("1/4", "0.25").replace("1/2", "0.5")


def rows(title: str) -> list[list[str]]:
    """The rows of a table, with its headings as rows of one cell."""
    found = re.search(rf"^### {title}\n\n((?:\|.*\n)+)", text(), re.MULTILINE)
    assert found, title
    lines = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in found[1].splitlines()[2:]]
    return [[cells[0]] if not any(cells[1:]) else cells for cells in lines]


def price(cell: str) -> int:
    """A price in copper."""
    found = re.search(r"(\d+) (CP|SP|GP)", cell)
    return int(found[1]) * COINS[found[2]] if found else 0


def pounds(cell: str) -> float:
    """A weight in pounds."""
    found = re.match(r"([\d.]+) lb", cell)
    return float(found[1]) if found else 0.0


def weapons() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every row of the weapons' table in the fields of the catalogue."""
    training, form = "", ""
    for cells in rows("Weapons"):
        if len(cells) == 1:
            training, form = cells[0].strip("*").lower().split()[:2]
            continue
        name, damage, properties, mastery, weight, cost = cells
        dice, kind = damage.split()
        found = {"training": training, "form": form, "dice": dice, "type": kind.lower(), "mastery": mastery.lower()}
        yield name, {"weapon": found | dict(_properties(properties)), "weight": pounds(weight), "price": price(cost)}


def _properties(cell: str) -> Iterator[tuple[str, Any]]:
    for word in ("Finesse", "Heavy", "Light", "Loading", "Reach", "Two-Handed", "Thrown"):
        if re.search(rf"\b{word}\b", cell):
            yield word.lower().replace("-", "_"), True
    if found := re.search(r"Range (\d+)/(\d+)(?:. (\w+))?", cell):
        yield from (("range", int(found[1])), ("long", int(found[2])))
        if found[3]:
            yield "ammunition", found[3].lower()
    if found := re.search(r"Versatile \((\w+)\)", cell):
        yield "versatile", found[1]
    if "unless mounted" in cell:
        yield "one_handed_when", "mounted"


def armours() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every row of the armours' table in the fields of the catalogue."""
    group: dict[str, str] = {}
    for cells in rows("Armor"):
        if len(cells) == 1:
            spans = [span.lower() for span in re.findall(r"\d+ Minutes?|Utilize", cells[0])]
            group = {"training": cells[0].strip("*").split()[0].lower(), "don": spans[0], "doff": spans[-1]}
            continue
        name, armour_class, strength, stealth, weight, cost = cells
        found: dict[str, Any] = {
            **group,
            "bonus" if "+2" in armour_class else "base": int(re.findall(r"\d+", armour_class)[0]),
        }
        found |= {"dexterity": True} if "Dex" in armour_class else {}
        found |= {"dexterity_most": 2} if "max 2" in armour_class else {}
        found |= {"strength": int(strength[4:])} if "Str" in strength else {}
        found |= {"stealth_disadvantage": True} if stealth == "Disadvantage" else {}
        yield name, {"armour": found, "weight": pounds(weight), "price": price(cost)}


def priced() -> list[tuple[int, float]]:
    """The price and the weight of each row of every other table, rows without a price left out."""
    return [
        (price(cells[-1]), pounds(next((cell for cell in cells if " lb." in cell), "")))
        for title in TABLES
        for cells in rows(title)
        if len(cells) > 1 and price(cells[-1])
    ]


def described() -> dict[str, str]:
    """The descriptions of gear and tools by their names, without the price."""
    parts = re.split(
        r"^#### (.+?) \((?!.*Lifestyle)[^)]*\)$",
        text().partition("### Artisan's Tools")[2].partition("## Mounts and Vehicles")[0],
        flags=re.MULTILINE,
    )
    return {name: body.partition("\n### ")[0] for name, body in zip(parts[1::2], parts[2::2], strict=True)}
