"""How a ship is flown in a fight: what its pilot chose, and when that is over (R0.172)."""

from __future__ import annotations

from ruleset_plugins import Table, conditions
from ruleset_plugins.storytoken.conditions import FLYING


def land(table: Table, pilot: str) -> None:
    """The manoeuvre is over, and with it what this pilot, and nobody else, made of the ship."""
    flying = table.character(pilot).conditions.get(FLYING)
    if flying is None:
        return
    conditions.end(table, pilot, FLYING)
    if table.knows(flying.source):
        course = table.character(flying.source).conditions.get(flying.detail)
        if course is not None and course.source == pilot:
            conditions.end(table, flying.source, course.name)
