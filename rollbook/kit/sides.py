"""Sides of a fight: the one that the GM has set, or player characters and hirelings against monsters; and the verb ``side``."""

from rollbook.plugin import Action, Character, CharacterKind, Table, character, choice, events

__all__ = ["FOES", "NEITHER", "PARTY", "SIDE", "SIDES", "Side", "are_allies", "are_enemies", "side_of", "take"]

SIDE = "side"
"""The kind of the trait that says a side."""

PARTY, FOES, NEITHER = "party", "foes", "neither"
SIDES = (PARTY, FOES, NEITHER)
_BY_KIND = {CharacterKind.PLAYER_CHARACTER: PARTY, CharacterKind.HIRELING: PARTY, CharacterKind.MONSTER: FOES}


def side_of(who: Character) -> str:
    """Party, foes or neither: the side set last, or else player characters and hirelings against monsters."""
    said = [side for side in who.traits_of(SIDE) if side in SIDES]
    return said[-1] if said else _BY_KIND.get(who.kind, NEITHER)


def are_enemies(one: Character, other: Character) -> bool:
    """True if two fight each other; those with neither side have no enemies."""
    sides = {side_of(one), side_of(other)}
    return len(sides) == 2 and NEITHER not in sides


def are_allies(one: Character, other: Character) -> bool:
    """True if two are different and on the same side."""
    return one.id != other.id and side_of(one) == side_of(other) != NEITHER


def take(table: Table, name: str, side: str) -> None:
    """Record a character's side."""
    for old in table.character(name).traits_of(SIDE):
        table.record(events.TraitLost(character=name, trait=old, kind=SIDE))
    table.record(events.TraitGained(character=name, trait=side, kind=SIDE))


class Side(Action, verb="side", gm_only=True):
    """Set a character's side."""

    sentence = "puts {who} on the side of {side:key}"

    who: str = character("who takes sides")
    side: str = choice("with the party, with the foes, or with neither", SIDES)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if side_of(who) == self.side:
            side = self.side if self.side == NEITHER else f"the {self.side}"
            table.refuse(f"{who.name} already sides with {side}.", "side")
        take(table, who.id, self.side)
