"""Flanking: two on one side with an enemy between them, and what the rogue makes of it (R4.37, R4.38)."""

from __future__ import annotations

from ruleset_plugins import Character, Table
from ruleset_plugins.grid.health import INCAPACITATED, is_conscious
from ruleset_plugins.grid.settings import house
from ruleset_plugins.grid.sides import are_allies, around, enemies_of
from ruleset_plugins.grid.squares import in_reach, is_flanked

FLANKING = 2
"""What flanking adds to the attack."""


def opponents(table: Table, who: Character) -> tuple[Character, ...]:
    """The conscious enemies within melee reach; with any, somebody is in combat (R4.30)."""
    return tuple(other for other in enemies_of(table, who) if in_reach(who.position, other.position))


def has_flanked(table: Table, attacker: Character, target: Character, *, melee: bool) -> bool:
    """Whether an attack comes on a flanked target: always on one who lies there, else by where two stand (Q4.22, Q4.24)."""
    if target.has(INCAPACITATED):
        return True
    if not melee or not is_conscious(attacker):
        return False
    geometry = house(table).flank_geometry
    return any(
        is_flanked(target.position, attacker.position, ally.position, geometry)
        for ally in around(table)
        if are_allies(attacker, ally) and ally.id != target.id and is_conscious(ally)
    )
