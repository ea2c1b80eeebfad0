"""Pools, and counters that count something of one thing: the oil that a lantern has burnt, the weeks spent on a skill.

Such a pool is called ``WHAT:OF``, as in ``burnt:lantern``; names are made and read here and nowhere else.
"""

from collections.abc import Iterator, Mapping

from rollbook.domain import events
from rollbook.domain.rules.table import Table

__all__ = ["change", "count", "counted", "counter", "empty"]


def counter(what: str, of: str) -> str:
    """The name of the pool that counts this of that."""
    return f"{what}:{of}"


def count(pools: Mapping[str, int], what: str, of: str) -> int:
    """The number on a counter, never below 0."""
    return max(pools.get(counter(what, of), 0), 0)


def counted(pools: Mapping[str, int], what: str) -> Iterator[tuple[str, int]]:
    """The things on which this is counted, each with its count; 0 is left out."""
    for pool, many in pools.items():
        kind, _, of = pool.partition(":")
        if kind == what and of and many > 0:
            yield of, many


def change(table: Table, holder: str, pool: str, by: int, reason: str) -> None:
    """Add so many to a pool, or take them out if below 0; ``holder`` as for the events."""
    if by > 0:
        table.record(events.PoolGained(holder=holder, pool=pool, amount=by, reason=reason))
    elif by < 0:
        table.record(events.PoolSpent(holder=holder, pool=pool, amount=-by, reason=reason))


def empty(table: Table, holder: str, pool: str, reason: str) -> int:
    """Empty a character's pool. Returns the amount that was in it."""
    held = max(table.character(holder).pools.get(pool, 0), 0)
    change(table, holder, pool, -held, reason)
    return held
