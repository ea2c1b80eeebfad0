"""Chances in plain words: percent, fractions, averages."""

from fractions import Fraction

from rollbook.domain.dice.odds import Distribution

MOST_DENOMINATOR = 400
"""Fractions are shown up to this denominator: 1/400 is two twenties in a row."""


def percent(chance: Fraction) -> str:
    """``55.0 %``; a possible chance is never shown as 0, an uncertain one never as 100."""
    if 0 < chance < Fraction(1, 2_000):
        return "<0.1 %"
    if Fraction(1_999, 2_000) < chance < 1:
        return ">99.9 %"
    tenths = int(chance * 1_000 + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10} %"


def fraction(chance: Fraction) -> str:
    """``11/20``, "" where the denominator is large or there is nothing to say."""
    return str(chance) if 1 < chance.denominator <= MOST_DENOMINATOR else ""


def percent_and_fraction(chance: Fraction) -> str:
    """Percent, with the fraction behind it if that is small."""
    return f"{percent(chance)} {fraction(chance)}".strip()


def small_percent(chance: Fraction) -> str:
    """A very small share with its first digit that is not 0."""
    places = next((places for places in range(1, 10) if chance * 100 * 10**places >= 1), 0)
    return f"{float(chance * 100):.{places}f} %" if places else "less than 0.000000001 %"


def average(totals: Distribution) -> str:
    """The mean with one decimal, or none if it is whole."""
    mean = totals.mean
    return (str(mean) if mean.denominator == 1 else f"{float(mean):.1f}").replace("-", "−")
