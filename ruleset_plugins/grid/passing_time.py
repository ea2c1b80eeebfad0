"""What time does: who is down bleeds or recovers outside a fight too, spells run out, and castings come back (R4.43, R4.46)."""

from __future__ import annotations

from ruleset_plugins import DAY, Table, completed, conditions
from ruleset_plugins.grid.casting import refresh
from ruleset_plugins.grid.health import INCAPACITATED, bleed, max_hp
from ruleset_plugins.grid.settings import DAY as FOR_A_DAY
from ruleset_plugins.grid.settings import house


def time_passed(table: Table, before: int, *, rest: bool) -> None:  # noqa: ARG001 - nobody recovers faster by resting
    """The hook of the clock. Whoever is in a fight has turns of their own to bleed in."""
    people = [who.id for who in table.characters()]
    fighters = table.encounter.order if table.encounter else ()
    for name in people:
        if name not in fighters:
            _lie(table, name, _rounds(table, before))
        conditions.run_out(table, name)
    if house(table).cast_refresh == FOR_A_DAY and completed(before, table.clock, DAY):
        refresh(table, people)


def _rounds(table: Table, before: int) -> int:
    length = house(table).round_seconds
    return completed(before, table.clock, length) if length else 0


def _lie(table: Table, name: str, rounds: int) -> None:
    """A round is a turn to somebody who lies there; at the latest after twenty they are dead, or on the mend and awake."""
    for _ in range(rounds):
        who = table.character(name)
        if not who.has(INCAPACITATED) or who.has(conditions.DEAD) or not max_hp(who, house(table)):
            return
        bleed(table, who)
        after = table.character(name)
        if (after.lost, after.conditions) == (who.lost, who.conditions):
            return
