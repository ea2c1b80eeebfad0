"""The campaign clock: time passing, stretches completed, and powers with limited uses.

Readings are seconds since the campaign began.
"""

import re

from rollbook.domain.actions import time_and_experience
from rollbook.plugin import Character, Table, events

__all__ = [
    "CALENDAR",
    "DAY",
    "HOUR",
    "MINUTE",
    "PASSING",
    "ROLLING",
    "advance",
    "completed",
    "duration",
    "next_end",
    "power_ready_in",
    "resting_since",
    "rests",
    "span_seconds",
    "use_power",
]

MINUTE, HOUR, DAY = 60, 3_600, 86_400

advance = time_and_experience.advance
rests = time_and_experience.rests
PASSING = time_and_experience.PASSING
"""See ``rollbook.domain.actions.time_and_experience``."""


def resting_since(table: Table, default: int) -> int:
    """The clock second at which the present rest began, which may go over several commands; ``default`` if nobody rests."""
    stretch = table.stretch
    return (
        table.clock - stretch.seconds
        if stretch is not None and time_and_experience.is_rest(stretch.activity)
        else default
    )


def next_end(now: int, length: int, start: int = 0) -> int:
    """The end, after ``now``, of the stretch of ``length`` seconds, counted from ``start``, in which ``now`` lies."""
    return now + length - (now - start) % length


def completed(before: int, after: int, length: int, start: int = 0) -> int:
    """The number of stretches of ``length`` seconds from ``start`` on that end after ``before`` and up to ``after``."""
    return (after - start) // length - (before - start) // length


ROLLING, CALENDAR = "rolling24h", "calendar"
"""Meanings of "once per day" (Q0.70)."""


def power_ready_in(table: Table, who: Character, power: str, *, length: int = DAY, calendar: bool = False) -> int:
    """Seconds until a power may be used again, 0 if it may be now; ``calendar`` counts by days of the calendar."""
    usage = who.usages.get(power)
    if usage is None:
        return 0
    again = (usage.last // length + 1) * length if calendar else usage.last + length
    return max(0, again - table.clock)


def use_power(table: Table, who: Character, power: str, *, target: str = "", calendar: bool = False) -> None:
    """Use a power that rests for a day afterwards. Refused while it rests, with the time left."""
    rests = power_ready_in(table, who, f"{power}:{target}" if target else power, calendar=calendar)
    if rests:
        table.refuse(f"{who.name} has used {power} already; it can be used again in {duration(rests)}.")
    table.record(events.PowerUsed(character=who.id, power=power, target=target))


_SPAN = r"(?:up to )?(\d+) (round|minute|hour|day)s?"


def span_seconds(text: str, *, round_seconds: int = 0) -> int:
    """The seconds of a stretch of time in words, ``10 minutes`` or ``up to 1 hour``; 0 for anything else.

    A game in which rounds have a length says so in ``round_seconds``.
    """
    span = re.fullmatch(_SPAN, text)
    units = {"round": round_seconds, "minute": MINUTE, "hour": HOUR, "day": DAY}
    return int(span[1]) * units[span[2]] if span is not None else 0


def duration(seconds: int) -> str:
    """A stretch of time in the largest units that it fills: ``3 hours 20 minutes``, ``40 seconds``."""
    parts = []
    for length, name in ((DAY, "day"), (3_600, "hour"), (MINUTE, "minute"), (1, "second")):
        many, seconds = divmod(seconds, length)
        if many:
            parts.append(f"{many} {name}{'' if many == 1 else 's'}")
    return " ".join(parts[:2]) or "no time"
