"""The campaign's clock in a ruleset's hands: stretches that are over, in the order of the clock.

Clock readings are seconds since the campaign began.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domain import events
from domain.table import Table

MINUTE, HOUR, DAY = 60, 3_600, 86_400


def let_pass(table: Table, seconds: int, *, rest: bool = False) -> None:
    """Time passes as part of an action: the clock moves on, and the ruleset does what time does."""
    before = table.clock
    table.record(events.TimePassed(seconds=seconds))
    if table.ruleset is not None:
        table.ruleset.time_passed(table, before, rest=rest)


def next_end(now: int, length: int, start: int = 0) -> int:
    """When the first full stretch of ``length`` seconds after ``now`` is over, counted from ``start``."""
    return now + length - (now - start) % length


def completed(before: int, after: int, length: int, start: int = 0) -> int:
    """How many stretches of ``length`` seconds, counted from ``start``, end after ``before`` and up to ``after``."""
    return (after - start) // length - (before - start) // length


def ticks(before: int, after: int, lengths: Mapping[str, tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """Everything that ends after ``before`` and up to ``after``: (clock, name) in the order of the clock.

    ``lengths`` says of each name how long its stretch is and from when it is counted. What ends in the same second comes in
    the order of ``lengths``.
    """
    now = before
    while True:
        due = [
            (next_end(now, length, start), place, name) for place, (name, (length, start)) in enumerate(lengths.items())
        ]
        if not due or min(due)[0] > after:
            return
        now = min(due)[0]
        yield from ((now, name) for at, _, name in due if at == now)
