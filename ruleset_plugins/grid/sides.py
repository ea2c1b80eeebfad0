"""Who stands with whom: a side for everybody, by what they are or as the GM says (R4.30)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import attrs

from ruleset_plugins import Action, Character, Kind, Table, character, choice, conditions, events
from ruleset_plugins.grid.health import is_conscious

SIDE = "side"
PARTY, FOES, NEITHER = "party", "foes", "neither"
SIDES = (PARTY, FOES, NEITHER)
_BY_KIND = {Kind.PLAYER_CHARACTER: PARTY, Kind.HIRELING: PARTY, Kind.MONSTER: FOES}


def side_of(who: Character) -> str:
    """Party, foes or neither: what was said last, or else player characters and hirelings against monsters."""
    said = [side for side in who.traits_of(SIDE) if side in SIDES]
    return said[-1] if said else _BY_KIND.get(who.kind, NEITHER)


def are_enemies(one: Character, other: Character) -> bool:
    """Whether two fight each other; nobody is the enemy of somebody who stands with neither side."""
    sides = {side_of(one), side_of(other)}
    return len(sides) == 2 and NEITHER not in sides


def are_allies(one: Character, other: Character) -> bool:
    """Whether two different people stand on the same side."""
    return one.id != other.id and side_of(one) == side_of(other) != NEITHER


def around(table: Table) -> tuple[Character, ...]:
    """Who counts on the map, in the order in which they act: those in the fight, or else everybody in play."""
    encounter = table.encounter
    people: Iterable[Character] = (
        (table.character(name) for name in encounter.order if table.knows(name)) if encounter else table.characters()
    )
    return tuple(who for who in people if who.present and not who.has(conditions.DEAD))


def enemies_of(table: Table, who: Character) -> tuple[Character, ...]:
    """The conscious enemies of somebody, in a stable order."""
    return tuple(other for other in around(table) if are_enemies(who, other) and is_conscious(other))


def take_side(table: Table, name: str, side: str) -> None:
    """Record on which side somebody stands from here on."""
    for old in table.character(name).traits_of(SIDE):
        table.record(events.TraitLost(character=name, trait=old, kind=SIDE))
    table.record(events.TraitGained(character=name, trait=side, kind=SIDE))


@attrs.frozen(kw_only=True)
class Side(Action):
    """Say on which side somebody fights."""

    verb: ClassVar[str] = "side"
    gm_only: ClassVar[bool] = True

    who: str = character("who takes sides")
    side: str = choice("with the party, with the foes, or with neither", SIDES)

    def resolve(self, table: Table) -> None:
        """From here on they are enemies of the other side."""
        who = table.character(self.who)
        if side_of(who) == self.side:
            table.refuse(f"{who.name} already stands with {_told(self.side)}.")
        take_side(table, who.id, self.side)


def _told(side: str) -> str:
    return side if side == NEITHER else f"the {side}"
