"""What all games do when somebody crosses into them or out of them: numbers, things and conditions by what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domain.campaign import Character
from domain.crossing import Passport
from domain.table import Table
from ruleset_plugins.gear_in_use import ARMOUR, SHIELD, WEAPON
from ruleset_plugins.typed_numbers import set_number

ELSEWHERE = "from another game"
"""The reason of numbers that somebody brings along."""

HUMAN_PACES = range(24, 41)
"""Feet a round that somebody of human size makes in one game or another."""

AS_MEANT = {"light": "light", "medium": "medium", "heavy": "heavy"}
"""Armour where it is called what it means."""


def bring_number(table: Table, name: str, stat: str, amount: int) -> None:
    """A number on a newcomer's sheet is so and so from here on, whatever another game made of it."""
    set_number(table, name, stat, amount, reason=ELSEWHERE)


def meanings(who: Character, locally: Mapping[str, str]) -> tuple[str, ...]:
    """What the conditions that somebody is in mean to other games; ``locally`` says what each is called here."""
    return tuple(meaning for meaning, own in locally.items() if who.has(own))


def worn_meant(
    passport: Passport, *, armours: Mapping[str, str] = AS_MEANT, shield: str = SHIELD
) -> Iterator[tuple[str, str]]:
    """Armour and a shield, each with its use here; ``armours`` says what stands for a meaning, and the rest is left out."""
    if passport.worn and passport.armour in armours:
        yield passport.worn, f"{ARMOUR}:{armours[passport.armour]}"
    if passport.shield:
        yield passport.shield, shield


def things_meant(
    passport: Passport, *, weapons: Mapping[str, str], armours: Mapping[str, str] = AS_MEANT
) -> Iterator[tuple[str, str]]:
    """What is worn and held, each with its use here; a weapon for whose meaning nothing stands counts as a medium one."""
    yield from worn_meant(passport, armours=armours)
    for item, meaning in passport.weapons.items():
        yield item, f"{WEAPON}:{weapons.get(meaning, weapons['medium'])}"
