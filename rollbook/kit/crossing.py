"""Crossing of characters in or out of a game: stats, gear and conditions by their meanings."""

from collections.abc import Iterator, Mapping

from rollbook.kit import equipment, stat_entry
from rollbook.plugin import Character, Passport, Table

__all__ = ["FROM_ANOTHER_GAME", "HUMAN_SPEED", "armour_for", "bring_stat", "gear_for", "shared_conditions"]

FROM_ANOTHER_GAME = "from another game"
"""The reason for numbers that a character brings along."""

HUMAN_SPEED = range(24, 41)
"""Feet a round that a human moves in one game or another."""

ARMOUR_AS_MEANT = {"light": "light", "medium": "medium", "heavy": "heavy"}
"""Armour in games that call it by its meaning."""


def bring_stat(table: Table, name: str, stat: str, amount: int) -> None:
    """Set a number on a newcomer's sheet, whatever another game made of it."""
    stat_entry.set_to(table, name, stat, amount, reason=FROM_ANOTHER_GAME)


def shared_conditions(who: Character, locally: Mapping[str, str]) -> tuple[str, ...]:
    """The meanings, for other games, of a character's conditions; ``locally`` has this game's word for each meaning."""
    return tuple(meaning for meaning, own in locally.items() if who.has(own))


def armour_for(
    passport: Passport, *, armours: Mapping[str, str] = ARMOUR_AS_MEANT, shield: equipment.Use = (equipment.SHIELD,)
) -> Iterator[tuple[str, equipment.Use]]:
    """Armour and a shield, each with its use here; armour whose meaning is not in ``armours`` is left out."""
    if passport.worn and passport.armour in armours:
        yield passport.worn, (equipment.ARMOUR, armours[passport.armour])
    if passport.shield:
        yield passport.shield, shield


def gear_for(
    passport: Passport, *, weapons: Mapping[str, str], armours: Mapping[str, str] = ARMOUR_AS_MEANT
) -> Iterator[tuple[str, equipment.Use]]:
    """Things worn and held, each with its use here; a weapon whose meaning is not in ``weapons`` counts as medium."""
    yield from armour_for(passport, armours=armours)
    for item, meaning in passport.weapons.items():
        yield item, (equipment.WEAPON, weapons.get(meaning, weapons["medium"]))
