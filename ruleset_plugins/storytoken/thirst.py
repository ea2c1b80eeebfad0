"""A vampire's thirst: what only blood brings back, and drinking it (R0.157, Q0.55)."""

from __future__ import annotations

from ruleset_plugins import Character, Kind, Table, events
from ruleset_plugins.storytoken.conditions import heals
from ruleset_plugins.storytoken.heritages import heritage_of
from ruleset_plugins.storytoken.injury import BLOOD, THIRST, restore
from ruleset_plugins.storytoken.turning import is_undead


def feed(table: Table, who: Character, amount: int, *, source: str = "") -> None:
    """A vampire drinks: so many hit points come back, thirst first. The blighted get nothing, for it is nature (R0.66)."""
    if not heritage_of(who).daily_thirst or amount < 1 or not heals(who):
        return
    quenched = min(amount, who.pools.get(THIRST, 0))
    if quenched:
        table.record(events.PoolSpent(holder=who.id, pool=THIRST, amount=quenched, reason=BLOOD))
    restore(table, who.id, amount, tags=(BLOOD,), source=source or who.id)


def check_drinks(table: Table, who: Character) -> None:
    """Refuse blood for those who do not live on it, and for the blighted."""
    if not heritage_of(who).daily_thirst:
        table.refuse(f"{who.name} does not live on blood; only a vampire does. Other healing is: heal {who.id} DICE")
    if not heals(who):
        table.refuse(f"{who.name} is blighted: blood gives nothing back until that is lifted.")


def check_not_thirst_alone(table: Table, who: Character) -> None:
    """Refuse healing that can do nothing, because blood alone brings back all that is missing."""
    if 0 < who.lost <= who.pools.get(THIRST, 0):
        table.refuse(f"{who.name} lacks nothing but blood, and no other healing helps: heal {who.id} DICE --by {BLOOD}")


def check_bleeds(table: Table, victim: Character) -> None:
    """Refuse to feed on what has no living blood."""
    if victim.kind is Kind.THING or is_undead(victim):
        table.refuse(f"{victim.name} has no living blood to feed on. Leave out --grappled, and it is a bite like any.")
