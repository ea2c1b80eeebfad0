"""Water: a waterskin's usage die, which everybody who rests drinks from (R3.40–R3.42)."""

from __future__ import annotations

from collections.abc import Sequence

from ruleset_plugins import Character, Table
from ruleset_plugins.russell.usage_dice import step, supplies, use_some

WATERSKIN = "waterskin"


def skin(who: Character) -> str:
    """Somebody's first waterskin that is not empty, "" for none."""
    return next((item for item in supplies(who, WATERSKIN) if step(who, item)), "")


def check_water(table: Table, group: Sequence[Character]) -> None:
    """Refuse to rest where nobody has anything to drink."""
    if not any(skin(who) for who in group):
        table.refuse(
            f"Resting takes water, and {', '.join(who.name for who in group)} have none: no waterskin, or an empty one. "
            f"At a well the GM says: fill NAME waterskin"
        )


def drink(table: Table, name: str, group: Sequence[Character]) -> bool:
    """Somebody drinks, best from their own skin, else from another's in the group. Returns whether there was water."""
    for holder in (name, *(who.id for who in group if who.id != name)):
        held = skin(table.character(holder))
        if held:
            use_some(table, holder, held)
            return True
    return False
