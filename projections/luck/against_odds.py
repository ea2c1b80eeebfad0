"""Comparison of rolls with fair dice, by the exact mean and variance of each roll as it was asked for.

Advantage, keeps, rerolls and minima are all in the expression, and its odds are exact; only exploding dice, which have
no last outcome, are approximate ("about").
"""

from collections.abc import Iterable
from functools import lru_cache
from math import erfc, fsum, sqrt
from typing import Final

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.odds import Distribution, distribution
from rollbook.domain.events import CheckResolved, DiceRolled

FEWEST: Final = 30
"""Fewest rolls from which anything is said about luck."""

TWO_OF_THREE: Final = 0.9674215661017014
"""Number of standard deviations to both sides that hold two of three fair series."""


@lru_cache(maxsize=1_024)
def odds_of(expression: str) -> Distribution | None:
    """The exact odds of an expression; None if it cannot be read or is too big to compute."""
    try:
        return distribution(expression)
    except DiceError:
        return None


def z_of(seen: float, mean: float, variance: float) -> float:
    """The number of standard deviations of a value above the mean; 0 if nothing could vary."""
    return (seen - mean) / sqrt(variance) if variance > 0 else 0.0


def fair(mean: float, variance: float, deviations: float = TWO_OF_THREE) -> tuple[float, float]:
    """The range of two of three fair series, or of those within so many ``deviations`` from the mean."""
    half = deviations * sqrt(variance)
    return mean - half, mean + half


def below(z: float) -> float:
    """The share of fair series that come to ``z`` standard deviations or less."""
    return erfc(-z / sqrt(2)) / 2


def party_share(z: float, many: int) -> float:
    """The share of parties of ``many`` in which one is at least this unlucky (``z`` below 0) or lucky (above)."""
    return 1 - (1 - below(-abs(z))) ** many


@attrs.frozen
class Luck(Record):
    """Totals against fair dice: the sum, its mean and variance, and the number of rolls left out for unknown odds."""

    rolls: int = 0
    total: int = 0
    mean: float = 0.0
    variance: float = 0.0
    is_approximate: bool = False
    left_out: int = 0

    @property
    def z(self) -> float:
        return z_of(self.total, self.mean, self.variance)

    @property
    def band(self) -> tuple[float, float]:
        """The range of the sums of two of three fair series of these rolls."""
        return fair(self.mean, self.variance)

    @property
    def is_enough(self) -> bool:
        return self.rolls >= FEWEST


def luck(rolls: Iterable[DiceRolled]) -> Luck:
    """The luck of these rolls."""
    known: list[tuple[int, Distribution]] = []
    left_out = 0
    for roll in rolls:
        odds = odds_of(roll.expression)
        if odds is None or (roll.total not in odds and not odds.is_approximate):
            left_out += 1
        elif odds.variance > 0:
            known.append((roll.total, odds))
    return Luck(
        rolls=len(known),
        total=sum(total for total, _ in known),
        mean=fsum(float(each.mean) for _, each in known),
        variance=fsum(float(each.variance) for _, each in known),
        is_approximate=any(each.is_approximate for _, each in known),
        left_out=left_out,
    )


@attrs.frozen
class Hits(Record):
    """Number of rolls that met their targets, against the expected number."""

    checks: int = 0
    met: int = 0
    expected: float = 0.0
    variance: float = 0.0

    @property
    def z(self) -> float:
        return z_of(self.met, self.expected, self.variance)

    @property
    def is_enough(self) -> bool:
        return self.checks >= FEWEST


def hits(pairs: Iterable[tuple[DiceRolled, CheckResolved]]) -> Hits:
    """Count the rolls that met the target of the check that followed.

    Only the target counts, not a rule about a natural 20 or 1, so that the chance is exact. A check whose successes lie
    at or below its target is rolled under.
    """
    listed = list(pairs)
    under = rolled_under(listed)
    checks = met = 0
    expected = variance = 0.0
    for roll, check in listed:
        odds = odds_of(roll.expression)
        if odds is None or roll.total not in odds:
            continue
        target = check.target
        low = check.check in under
        chance = float(1 - odds.at_least(target + 1) if low else odds.at_least(target))
        checks += 1
        met += roll.total <= target if low else roll.total >= target
        expected += chance
        variance += chance * (1 - chance)
    return Hits(checks, met, expected, variance)


def rolled_under(pairs: Iterable[tuple[DiceRolled, CheckResolved]]) -> frozenset[str]:
    """The checks that succeed low: more of their outcomes fit "at most the target" than "at least".

    The highest and the lowest face have no vote, because rules treat them in their own ways.
    """
    votes: dict[str, int] = {}
    for roll, check in pairs:
        ends = {1, *(die.sides for die in roll.dice)}
        if check.total != check.target and roll.natural not in ends:
            fits = 1 if check.success == (check.total < check.target) else -1
            votes[check.check] = votes.get(check.check, 0) + fits
    return frozenset(name for name, vote in votes.items() if vote > 0)
