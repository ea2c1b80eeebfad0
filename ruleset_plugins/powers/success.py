"""Four levels of success: by how much a roll meets its DC, and what a natural 20 or 1 does to that (R2.2–R2.5)."""

from __future__ import annotations

import enum

CRITICAL_MARGIN = 10
"""A success that beats the DC by so much is a critical one. Below the DC the house rules draw the line (Q2.1)."""


class Level(enum.IntEnum):
    """How well it went, worst first."""

    CRITICAL_FAILURE = 0
    FAILURE = 1
    SUCCESS = 2
    CRITICAL_SUCCESS = 3

    @property
    def word(self) -> str:
        """As the rulebook calls it."""
        return self.name.lower().replace("_", " ")

    @property
    def succeeds(self) -> bool:
        """Whether it counts as a success at all."""
        return self >= Level.SUCCESS

    def shifted(self, natural: int) -> Level:
        """One level better for a 20 on the die, one worse for a 1, and never off the scale (R2.4, R2.5, Q2.2)."""
        shift = {20: 1, 1: -1}.get(natural, 0)
        return Level(max(Level.CRITICAL_FAILURE, min(self + shift, Level.CRITICAL_SUCCESS)))


def computed(total: int, dc: int, crit_fail_margin: int) -> Level:
    """The level by comparison alone (R2.3): the bands touch one another and never overlap."""
    if total >= dc + CRITICAL_MARGIN:
        return Level.CRITICAL_SUCCESS
    if total >= dc:
        return Level.SUCCESS
    return Level.FAILURE if total > dc - crit_fail_margin else Level.CRITICAL_FAILURE


def level_of(total: int, dc: int, natural: int, crit_fail_margin: int) -> Level:
    """The level of success of a roll: compared first, then shifted by the face of the die that was kept (Q2.2, QG.3)."""
    return computed(total, dc, crit_fail_margin).shifted(natural)
