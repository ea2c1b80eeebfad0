"""Powers that can be used only so often: once in 24 hours or once in each day of the calendar, in a scene, in a session."""

from __future__ import annotations

from domain import events
from domain.campaign import Character
from domain.table import Table
from ruleset_plugins.time_passing import DAY, MINUTE

ROLLING, CALENDAR = "rolling24h", "calendar"
"""What "once per day" may mean (Q0.70)."""


def ready_in(table: Table, who: Character, power: str, *, length: int = DAY, calendar: bool = False) -> int:
    """In how many seconds a power may be used again, 0 if it may be now; ``calendar`` counts by days of the calendar."""
    usage = who.usages.get(power)
    if usage is None:
        return 0
    again = (usage.last // length + 1) * length if calendar else usage.last + length
    return max(0, again - table.clock)


def use(
    table: Table, who: Character, power: str, *, target: str = "", length: int = DAY, calendar: bool = False
) -> None:
    """Use a power that rests for ``length`` seconds afterwards. Refused, with how long it still rests, before that."""
    key = f"{power}:{target}" if target else power
    rests = ready_in(table, who, key, length=length, calendar=calendar)
    if rests:
        table.refuse(f"{who.name} has used {power} already; it can be used again in {in_words(rests)}.")
    table.record(events.PowerUsed(character=who.id, power=power, target=target))


def in_words(seconds: int) -> str:
    """A stretch of time in the largest units that it fills: ``3 hours 20 minutes``, ``40 seconds``."""
    parts = []
    for length, name in ((DAY, "day"), (3_600, "hour"), (MINUTE, "minute"), (1, "second")):
        many, seconds = divmod(seconds, length)
        if many:
            parts.append(f"{many} {name}{'' if many == 1 else 's'}")
    return " ".join(parts[:2]) or "no time"
