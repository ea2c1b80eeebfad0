"""Shots and throws into a melee: a missing die of 1 to 5 hits somebody else in it, whatever their armour (R3.80, Q3.28)."""

from rollbook.kit import require
from rollbook.plugin import Character, Table
from rollbook.rulesets.russell.fight.movement import engaged_allies

ASTRAY = 5
"""A missing die of this or less hits somebody else in the melee; a 1 does so instead of being a fumble (Q3.28)."""

STRAY = "stray shot"
"""The word for such a hit."""


def endangered(table: Table, shooter: Character, target: Character, named: tuple[str, ...]) -> tuple[str, ...]:
    """Who may be hit instead of the target: those whom the GM named, or else the shooter's side engaged with it."""
    for name in named:
        require.living(table, name)
        if name in (shooter.id, target.id):
            table.refuse("--melee names the others who fight the target hand to hand.", parameter="melee")
    return named or engaged_allies(table, shooter, target)


def hit_instead(table: Table, shooter: Character, melee: tuple[str, ...]) -> str:
    """Who of those in the melee is hit; among several a die decides (QG.6)."""
    if len(melee) == 1:
        return melee[0]
    return melee[table.roll(f"1d{len(melee)}", roller=shooter.id, purpose="who is hit").total - 1]
