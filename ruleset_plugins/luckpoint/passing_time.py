"""What time does: open wounds bleed, hours heal and bring luck back, what has a time runs out (R1.12, R1.47, R1.49)."""

from __future__ import annotations

from ruleset_plugins import Character, Table, completed, conditions
from ruleset_plugins.conditions import BLEEDING, DEAD
from ruleset_plugins.luckpoint.luck import hours_completed, regain_luck
from ruleset_plugins.luckpoint.settings import OWN_TURN, house
from ruleset_plugins.luckpoint.wounds import bleed, healing_per_hour, restore


def time_passed(table: Table, before: int, *, rest: bool) -> None:  # noqa: ARG001 - hours heal whether one rests or not
    """The hook of the clock. Whoever bleeds does not heal (Q1.13); the dead are left in peace (QG.9)."""
    for who in table.characters():
        if who.has(DEAD):
            continue
        if who.has(BLEEDING):
            _bleed(table, who, before)
        hours = hours_completed(table, who, before)
        if hours and not table.character(who.id).has(DEAD):
            _recover(table, who, hours)
        conditions.run_out(table, who.id)


def _bleed(table: Table, who: Character, before: int) -> None:
    """Once for every round since the wound, the round in which it was struck included (Q1.12)."""
    fight = table.encounter
    if fight is not None and who.id in fight.order and house(table).bleed_at == OWN_TURN:
        return
    since = who.conditions[BLEEDING].since
    bleed(table, who.id, completed(max(before, since), table.clock, house(table).round_seconds, since))


def _recover(table: Table, who: Character, hours: int) -> None:
    if who.lost > 0 and not who.has(BLEEDING):
        restore(table, who.id, hours * healing_per_hour(who), tags=("rest",))
    regain_luck(table, who.id, hours)
