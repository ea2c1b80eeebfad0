"""Arrows and rocks: what a weapon shoots, and how many are left (R4.51, Q4.43)."""

from __future__ import annotations

from ruleset_plugins import Character, Table, events
from ruleset_plugins.grid.weapons import AMMUNITION, Held

USE = "ammunition"


def _item(who: Character, kind: str) -> str:
    """What somebody has of a sort of ammunition: the thing's name, "" for nothing."""
    row = AMMUNITION[kind]
    fitting = (
        item
        for item, gear in who.gear.items()
        if gear.count > 0 and (gear.use == f"{USE}:{kind}" or (not gear.use and item.casefold() in (row.item, row.key)))
    )
    return next(fitting, "")


def can_shoot(who: Character, weapon: Held) -> bool:
    """Whether there is anything left to shoot with it."""
    return not weapon.row.ammunition or bool(_item(who, weapon.row.ammunition))


def check_shot(table: Table, who: Character, weapon: Held) -> None:
    """Refuse to shoot with nothing: before anybody gets an opening of it."""
    if not can_shoot(who, weapon):
        row = AMMUNITION[weapon.row.ammunition]
        table.refuse(
            f"{who.name} has no {row.item} left for the {weapon.row.name}. The GM gives more: give {who.id} {row.item}"
        )


def shoot(table: Table, who: Character, weapon: Held) -> None:
    """One shot is gone, and does not come back. Refused without any."""
    if not weapon.row.ammunition:
        return
    check_shot(table, who, weapon)
    table.record(events.GearLost(character=who.id, item=_item(who, weapon.row.ammunition)))


def supply(table: Table, name: str, kind: str) -> None:
    """What one begins with who comes with such a weapon."""
    row = AMMUNITION[kind]
    if not _item(table.character(name), kind):
        table.record(events.GearGained(character=name, item=row.item, count=row.count, use=f"{USE}:{kind}"))
