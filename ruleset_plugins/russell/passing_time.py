"""What time does: rest heals, what had a time of its own runs out (R3.17, R3.43, Q3.13)."""

from __future__ import annotations

from ruleset_plugins import Table, conditions
from ruleset_plugins.conditions import STUNNED
from ruleset_plugins.russell.rest import rested
from ruleset_plugins.russell.turns import end_moments
from ruleset_plugins.russell.wounds import recovered_from_stun


def time_passed(table: Table, before: int, *, rest: bool) -> None:
    """The hook of the clock. Eight hours of rest are a good night; Wounds close in downtime."""
    seconds = table.clock - before
    for who in table.characters():
        stunned = who.conditions.get(STUNNED)
        if stunned is not None and 0 < stunned.until <= table.clock:
            recovered_from_stun(table, who.id)
        conditions.run_out(table, who.id)
        if table.encounter is None:
            end_moments(table, who.id)
        if rest:
            rested(table, who.id, seconds)
