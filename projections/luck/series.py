"""Two looks at the order of a series of faces: how often the same one comes twice, and how often the side changes.

Numbers that are thought up repeat too rarely. So may a die that is only set down. Neither says which.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Final

import attrs

from rollbook.domain.base.records import Record

REPEATS_FROM: Final = 200
RUNS_FROM: Final = 40
"""Shorter series are not looked at."""

NINETEEN_OF_TWENTY: Final = 1.959963984540054


@attrs.frozen
class Count(Record):
    """Something that was counted, and its mean and variance with fair dice."""

    seen: int
    mean: float
    variance: float

    @property
    def z(self) -> float:
        """How many standard deviations more than expected."""
        return (self.seen - self.mean) / sqrt(self.variance) if self.variance > 0 else 0.0

    @property
    def band(self) -> tuple[int, int]:
        """Between what counts nineteen of twenty fair series lie."""
        half = NINETEEN_OF_TWENTY * sqrt(self.variance)
        return max(0, round(self.mean - half)), round(self.mean + half)


def repeats(faces: Sequence[int], sides: int) -> Count | None:
    """How often a face came twice in a row; None if the series is too short."""
    if len(faces) < REPEATS_FROM:
        return None
    chances = len(faces) - 1
    seen = sum(one == other for one, other in pairwise(faces))
    return Count(seen, chances / sides, chances * (sides - 1) / sides**2)


def runs(faces: Sequence[int], sides: int) -> Count | None:
    """How many runs above or below the middle there are (Wald and Wolfowitz); None if the series is too short.

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
