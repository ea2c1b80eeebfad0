"""Tests of people's own choices: e-values and patterns of faces that were typed in, ranks of rolls that were undone.

An e-value is the money of a bettor who starts with 1 and cannot gain on average as long as the dice are fair. So the chance
that honest dice ever bring it to ``e`` is at most 1 in ``e``, whenever and however often anyone looks. Both e-values are
natural logarithms, because a long uneven series has one of hundreds of digits. Invented numbers repeat too rarely; so
may those of a die that is set down instead of rolled. Nothing here says which.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import exp, fsum, lgamma, log, log1p, sqrt
from typing import Final

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.odds import Distribution
from rollbook.domain.events import DiceRolled
from rollbook.projections.luck.against_odds import fair, odds_of, z_of

REPEATS_FROM: Final = 200
RUNS_FROM: Final = 40
"""Shortest series that are tested."""

NINETEEN_OF_TWENTY: Final = 1.959963984540054


@attrs.frozen
class Count(Record):
    """A count, and its mean and variance with fair dice."""

    seen: int
    mean: float
    variance: float

    @property
    def z(self) -> float:
        return z_of(self.seen, self.mean, self.variance)

    @property
    def band(self) -> tuple[int, int]:
        """The range of the counts in nineteen of twenty fair series."""
        low, high = fair(self.mean, self.variance, NINETEEN_OF_TWENTY)
        return max(0, round(low)), round(high)


def repeats(faces: Sequence[int], sides: int) -> Count | None:
    """Count the faces that came twice in a row; None if the series is too short."""
    if len(faces) < REPEATS_FROM:
        return None
    chances = len(faces) - 1
    seen = sum(one == other for one, other in pairwise(faces))
    return Count(seen, chances / sides, chances * (sides - 1) / sides**2)


def runs(faces: Sequence[int], sides: int) -> Count | None:
    """Count the runs above or below the middle (Wald and Wolfowitz); None if the series is too short or one-sided.

    The very middle of an odd number of sides belongs to neither.
    """
    above = [2 * face > sides + 1 for face in faces if 2 * face != sides + 1]
    high = sum(above)
    low = len(above) - high
    if len(above) < RUNS_FROM or not high or not low:
        return None
    seen = 1 + sum(one != other for one, other in pairwise(above))
    many = high + low
    mean = 2 * high * low / many + 1
    return Count(seen, mean, (mean - 1) * (mean - 2) / (many - 1))


STAKES: Final = (-0.5, -0.3, -0.15, 0.15, 0.3, 0.5)
"""Stakes on high (or low) faces; the mean of all six is one bet, without a choice beforehand."""

EACH_FACE: Final = 8.0
"""Strength of the prior of ``shape`` that dice are fair: as if each face had been seen so often before."""

SHOWN_FROM: Final = 20.0
"""Smallest e-value that is worth a report."""


def directional(faces: Sequence[int], sides: int) -> float:
    """The logarithm of the e-value against dice that fall high, or low, too often."""
    middle, half = (sides + 1) / 2, (sides - 1) / 2
    counts = Counter(faces)
    grown = [fsum(many * log1p(stake * (face - middle) / half) for face, many in counts.items()) for stake in STAKES]
    most = max(grown)
    return most + log(fsum(exp(each - most) for each in grown) / len(grown))


def shape(faces: Sequence[int], sides: int) -> float:
    """The logarithm of the e-value against dice that show some face, whichever it is, too often."""
    whole = EACH_FACE * sides
    shown = fsum(lgamma(EACH_FACE + many) - lgamma(EACH_FACE) for many in Counter(faces).values())
    return lgamma(whole) - lgamma(whole + len(faces)) + shown + len(faces) * log(sides)


FEWEST_CHOICES: Final = 5
"""Fewest rolls set aside from which their rank says anything."""


@attrs.frozen
class Selectivity(Record):
    """Rolls that one seat set aside. ``rank`` is their mean place among what they could have been: 0 lowest, 1 highest."""

    rolls: int
    rank: float

    @property
    def z(self) -> float:
        """The distance of the mean rank from the middle, in standard deviations of ranks without a choice."""
        return (self.rank - 0.5) * sqrt(12 * self.rolls)

    @property
    def is_enough(self) -> bool:
        return self.rolls >= FEWEST_CHOICES


def selectivity(rolls: Iterable[DiceRolled]) -> Selectivity:
    """The mean mid-rank of the totals in the exact odds of each roll; rolls of unknown odds are left out."""
    ranks = [rank(roll.total, odds) for roll in rolls if (odds := odds_of(roll.expression)) and len(odds) > 1]
    return Selectivity(len(ranks), sum(ranks) / len(ranks) if ranks else 0.5)


def rank(total: int, odds: Distribution) -> float:
    """The chance of a lower total, plus half the chance of the same one."""
    return float(1 - odds.at_least(total) + odds.get(total, 0) / 2)
