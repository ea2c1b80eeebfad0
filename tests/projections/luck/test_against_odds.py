"""Mean and variance are those of all ways in which the dice can fall, and a share of parties is what parties show."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import attrs
import pytest

from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.record import Die
from rollbook.domain.events import CheckResolved, DiceRolled
from rollbook.projections.luck.against_odds import (
    TWO_OF_THREE,
    Luck,
    below,
    hits,
    luck,
    odds_of,
    party_share,
    rolled_under,
)


class _Undrawn(Exception):
    def __init__(self, sides: int) -> None:
        self.sides = sides


def every_way(
    expression: str, drawn: tuple[int, ...] = (), chance: Fraction = Fraction(1)
) -> Iterator[tuple[int, Fraction]]:
    """Every total with its chance, by letting the dice fall in every way there is."""
    faces = iter(drawn)

    def draw(sides: int) -> int:
        face = next(faces, None)
        if face is None:
            raise _Undrawn(sides)
        return face

    try:
        yield evaluate(expression, draw).total, chance
    except _Undrawn as wanted:
        for face in range(1, wanted.sides + 1):
            yield from every_way(expression, (*drawn, face), chance / wanted.sides)


@pytest.mark.parametrize(
    "expression",
    [
        "1d20+5",
        "1d20adv+5",
        "1d20dis-1",
        "2d20kh1+4[double advantage]",
        "3d20kl1",
        "4d6kh3",
        "1d20ro=1",
        "2d6ro<=2",
        "1d6/^2",
        "1d6//2",
        "max(1,1d6-2)",
        "4d6mi2",
        "3d6cs>=5",
        "1d8+1d6-2",
        "2*(1d8+3)",
    ],
)
def test_mean_and_variance_are_those_of_all_ways_in_which_the_dice_can_fall(expression: str) -> None:
    ways = list(every_way(expression))
    assert sum(chance for _, chance in ways) == 1
    mean = sum(total * chance for total, chance in ways)
    variance = sum(total**2 * chance for total, chance in ways) - mean**2
    found = odds_of(expression)
    assert found is not None
    assert not found.is_approximate
    assert (found.mean, found.variance) == (mean, variance)


def test_advantage_is_not_called_luck() -> None:
    """Who rolls with advantage all the time and gets what advantage gives has no luck at all."""
    totals = [18, 19, 14, 17, 16, 15, 14, 13, 12, 10, 9, 7, 14, 14, 16] * 4
    with_ease = luck(rolled("2d20kh1", total) for total in totals)
    plain = luck(rolled("1d20", total) for total in totals)
    assert abs(with_ease.z) < 1
    assert plain.z > 4


def test_exploding_dice_are_about() -> None:
    found = luck([rolled("1d6x", 17)] * 40)
    assert found.is_approximate
    assert found.mean == pytest.approx(40 * 4.2, abs=0.01)


def test_what_cannot_be_counted_out_or_cannot_vary_is_left_out_of_the_sum() -> None:
    odd = [rolled("1d20", 10), rolled("3", 3), rolled("1d20", 99), rolled("of course", 3)]
    found = luck(odd)
    assert (found.rolls, found.total, found.left_out) == (1, 10, 2)


def test_nothing_is_said_below_thirty_rolls() -> None:
    assert not luck([rolled("1d20", 1)] * 29).is_enough
    assert luck([rolled("1d20", 1)] * 30).is_enough
    assert (Luck().z, Luck().band) == (0, (0, 0))


def test_fair_series_lie_as_they_should() -> None:
    chance = random.Random(3)
    found = []
    for _ in range(600):
        singles = [rolled("1d20+2", chance.randint(1, 20) + 2) for _ in range(25)]
        eased = [rolled("2d20kh1", max(chance.randint(1, 20), chance.randint(1, 20))) for _ in range(25)]
        found.append(luck([*singles, *eased]).z)
    assert abs(sum(found) / 600) < 0.15
    assert 0.85 < sum(z * z for z in found) / 600 < 1.15
    assert 0.61 < sum(abs(z) <= TWO_OF_THREE for z in found) / 600 < 0.73


# Parties.


@pytest.mark.parametrize("z", [-2.5, -1.13, -0.2, 0, 0.7, 1.645, 3])
@pytest.mark.parametrize("many", [1, 2, 5, 8])
def test_the_share_of_parties_is_the_formula(z: float, many: int) -> None:
    normal = NormalDist().cdf(-abs(z))
    assert below(z) == pytest.approx(NormalDist().cdf(z))
    assert party_share(z, many) == pytest.approx(1 - (1 - normal) ** many)


def test_in_a_party_of_five_somebody_is_significantly_unlucky_in_nearly_one_of_four() -> None:
    assert party_share(-1.645, 5) == pytest.approx(0.226, abs=0.001)
    assert party_share(-1.13, 5) == pytest.approx(0.5, abs=0.01)


def test_the_share_of_parties_is_what_simulated_parties_show() -> None:
    chance = random.Random(5)
    lowest = [min(chance.gauss(0, 1) for _ in range(4)) for _ in range(4_000)]
    assert sum(z <= -1.5 for z in lowest) / 4_000 == pytest.approx(party_share(-1.5, 4), abs=0.02)


# Targets.


def test_targets_are_met_as_often_as_the_exact_chance_says() -> None:
    pairs = [(rolled("2d20kh1+5", total), check(total, 15, success=total >= 15)) for total in (25, 12, 15, 9, 20)]
    found = hits(pairs)
    assert (found.checks, found.met) == (5, 3)
    assert found.expected == pytest.approx(5 * 0.7975)
    assert found.variance == pytest.approx(5 * 0.7975 * 0.2025)
    assert found.z == pytest.approx((3 - 5 * 0.7975) / sqrt(5 * 0.7975 * 0.2025))


def test_a_natural_20_that_a_rule_makes_a_success_has_not_met_its_target() -> None:
    twenty = attrs.evolve(rolled("1d20", 20), natural=20, dice=(Die(20, 20),))
    found = hits([(twenty, check(20, 25, success=True))])
    assert (found.met, found.expected, found.z) == (0, 0, 0)


def test_checks_that_are_rolled_under_are_met_below() -> None:
    outcomes = {5: True, 15: False, 11: True, 16: False}
    under = [check(total, 11, success=success) for total, success in outcomes.items()]
    pairs = [(rolled("1d20", each.total), each) for each in under]
    assert rolled_under(pairs) == {"attack"}
    found = hits(pairs)
    assert (found.met, found.expected) == (2, pytest.approx(4 * 0.55))


def rolled(expression: str, total: int) -> DiceRolled:
    return DiceRolled(roller="robin", purpose="to hit", expression=expression, total=total)


def check(total: int, target: int, *, success: bool) -> CheckResolved:
    return CheckResolved(character="robin", check="attack", total=total, target=target, success=success)
