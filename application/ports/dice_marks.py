"""How far the dice of a session were ever handed out, as those who keep seeds note it; a mark only ever rises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.record import StreamCounter

CLOSED = "closed"
"""The line of a session whose seed was revealed: whatever it would roll now, everybody can work out."""


@attrs.frozen
class DiceMarks(Record):
    """How many rolls of each run were handed out, and whether the session was ``closed`` somewhere."""

    used: Mapping[StreamCounter, int] = attrs.field(factory=dict)
    closed: bool = False

    def is_ahead_of(self, used: Mapping[StreamCounter, int], fork: int) -> bool:
        """Whether rolls of canon (0) or a timeline were handed out here that a history does not know of."""
        return any(count > used.get(run, 0) for run, count in self.used.items() if run.fork == fork)

    def and_also(self, other: DiceMarks) -> DiceMarks:
        """What either of two says, the higher where both do."""
        runs = (*self.used, *(run for run in other.used if run not in self.used))
        used = {run: max(self.used.get(run, 0), other.used.get(run, 0)) for run in runs}
        return DiceMarks(used, self.closed or other.closed)

    def lines(self) -> list[str]:
        """The marks as they are written."""
        rows = [f"{int(run.screen)} {run.fork} {run.seat} {count}" for run, count in self.used.items()]
        return [*rows, CLOSED] if self.closed else rows


def marks_in(lines: Iterable[str]) -> DiceMarks:
    """The marks that lines say."""
    counts: dict[str, list[str]] = {}
    for line in lines:  # many, of few runs
        run, _, count = line.rpartition(" ")
        counts.setdefault(run, []).append(count)
    used: dict[StreamCounter, int] = {}
    for run, said in counts.items():
        with suppress(ValueError):
            screen, fork, seat = map(int, run.split())
            if known := [int(count) for count in said if count.isdigit()]:
                used[StreamCounter(bool(screen), fork, seat)] = max(known)
    return DiceMarks(used, CLOSED in counts.get("", ()))
