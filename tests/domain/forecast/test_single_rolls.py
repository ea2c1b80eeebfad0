"""A forecast knows how each single roll behind it falls."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rollbook.domain.dice.odds import distribution
from rollbook.domain.forecast.roll_outcomes import every_roll, roll_outcomes, rolls_behind


@pytest.mark.parametrize(
    "text",
    ["1d20", "3d6", "4d6kh3", "2d20kl1 + 5", "1d8 - 1d4", "2d4ro<=2 + 1d6", "3d6cs>=5", "2d6mi2", "-1d6 + 3", "7"],
)
def test_totals_have_the_chances_of_the_exact_odds(text: str) -> None:
    known = roll_outcomes(text, natural=False)
    whole = sum(known.weights.values())
    assert known.followed == 1
    assert {known.totals[at]: Fraction(weight, whole) for at, weight in known.weights.items()} == distribution(text)


@pytest.mark.parametrize(
    "text", ["1d20 + 3", "2d20kh1 + 1d4 + 2", "1d6x + 1d4", "5 + 1d4", "3d4", "1d4 + 1d6x", "2d3x", "1d4ro=1 - 1d6"]
)
def test_the_natural_face_is_that_of_the_die_in_the_first_term(text: str) -> None:
    known = roll_outcomes(text, natural=True)
    found: dict[tuple[int, int], Fraction] = {}
    for roll, part in every_roll(text):
        key = (roll.total, roll.natural)
        found[key] = found.get(key, Fraction(0)) + part
    whole = sum(known.weights.values()) / known.followed
    totals: dict[int, Fraction] = {}
    for at, weight in known.weights.items():
        key = (known.totals[at], known.naturals[at])
        assert abs(weight / whole - found.get(key, 0)) < Fraction(1, 10**6)
        totals[key[0]] = totals.get(key[0], Fraction(0)) + weight / whole
    if not distribution(text).is_approximate:
        assert totals == distribution(text)


@pytest.mark.parametrize("natural", [False, True])
@pytest.mark.parametrize(
    "text", ["1d6x + 1d4", "1d4 + 2d4x", "2d4rr=1 + 1d6", "1d4x - 1d6", "max(1d4x, 1d6)", "2d6xkh1"]
)
def test_the_single_rolls_behind_the_results_are_all_of_them_but_for_hardly_anything(text: str, natural: bool) -> None:
    known, behind = roll_outcomes(text, natural=natural), rolls_behind(text, natural=natural)
    whole = sum(known.weights.values()) / known.followed
    lost = sum((1 - sum(share for _, share in behind.get(at, ()))) * weight for at, weight in known.weights.items())
    assert 0 <= lost / whole < Fraction(1, 10**5)
