"""Whether the rolls that were undone were rather low: the middle rank of the dice that were set aside by choice."""

from collections.abc import Iterable
from math import sqrt
from typing import Final

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.odds import Distribution
from rollbook.domain.events import DiceRolled
from rollbook.projections.luck.bands import odds_of

FEWEST_CHOICES: Final = 5
"""So many rolls have to be set aside before their rank says anything."""


@attrs.frozen
class Selectivity(Record):
    """Rolls that one seat set aside. ``rank`` is their mean place among what they could have been: 0 lowest, 1 highest."""

    rolls: int
    rank: float

    @property
    def z(self) -> float:
        """How far the mean rank lies from the middle, in standard deviations of ranks that nobody chose."""
        return (self.rank - 0.5) * sqrt(12 * self.rolls)

    @property
    def is_enough(self) -> bool:
        return self.rolls >= FEWEST_CHOICES


def selectivity(rolls: Iterable[DiceRolled]) -> Selectivity:
    """The mean mid-rank of what was seen, in the exact odds of each roll; rolls that cannot be counted out are left out."""
    ranks = [rank(roll.total, odds) for roll in rolls if (odds := odds_of(roll.expression)) and len(odds) > 1]
    return Selectivity(len(ranks), sum(ranks) / len(ranks) if ranks else 0.5)


def rank(total: int, odds: Distribution) -> float:
    """The chance of less, and half the chance of the same."""
    return float(1 - odds.at_least(total) + odds.get(total, 0) / 2)
