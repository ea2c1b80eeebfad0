"""The party: its members, and the meaning of ``party`` in a list of names."""

from collections.abc import Sequence

from rollbook.kit import conditions, require
from rollbook.plugin import Character, CharacterKind, Table

KINDS = (CharacterKind.PLAYER_CHARACTER, CharacterKind.HIRELING)


def in_party(who: Character) -> bool:
    """Tell if a character is on the party's side: player characters and hirelings are."""
    return who.kind in KINDS


def travellers(table: Table) -> tuple[Character, ...]:
    """Player characters and hirelings who are in play and alive: Turns tire them."""
    return tuple(who for who in table.characters() if in_party(who) and not who.has(conditions.DEAD))


def company(table: Table, named: Sequence[str]) -> list[Character]:
    """Those named, or the whole party with its hirelings. A player may name only characters of their own seat."""
    group = require.party(table, named, travellers(table))
    for who in group:
        if not require.is_gm(table) and who.seat != table.seat:
            table.refuse(
                f"{who.name} is not played by {table.seat}. Name your own people, or ask the GM.",
                table.parameter_of(who.id),
            )
    return group


def players(table: Table, named: Sequence[str]) -> list[str]:
    """The ids of those named, or of all player characters who live."""
    if tuple(named) != require.PARTY:
        return [table.character(name).id for name in named]
    return [who.id for who in require.party(table)]
