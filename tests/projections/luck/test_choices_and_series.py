"""What was set aside, and in which order faces came, is compared with what nobody chose and nobody thought up."""

from __future__ import annotations

import random
from itertools import pairwise, permutations
from unittest.mock import patch

import pytest

from rollbook.domain.dice.odds import distribution
from rollbook.domain.events import DiceRolled
from rollbook.projections.luck.patterns import rank, repeats, runs, selectivity


def rolled(total: int, expression: str = "1d20") -> DiceRolled:
    return DiceRolled(roller="robin", purpose="to hit", expression=expression, total=total)


@pytest.mark.parametrize("expression", ["1d20", "2d20kh1", "4d6kh3", "1d6//2"])
def test_the_mean_rank_of_all_outcomes_is_the_middle(expression: str) -> None:
    odds = distribution(expression)
    assert sum(float(chance) * rank(total, odds) for total, chance in odds.items()) == pytest.approx(0.5)


def test_rolls_that_nobody_chose_rank_in_the_middle() -> None:
    chance = random.Random(1)
    found = [selectivity(rolled(chance.randint(1, 20)) for _ in range(8)).z for _ in range(800)]
    assert abs(sum(found) / 800) < 0.12
    assert 0.85 < sum(z * z for z in found) / 800 < 1.15


def test_five_rolls_of_the_lower_half_are_seldom_by_chance() -> None:
    found = selectivity(rolled(face) for face in (2, 4, 5, 7, 9))
    assert found.is_enough
    assert found.rank == pytest.approx((1.5 + 3.5 + 4.5 + 6.5 + 8.5) / 5 / 20)
    assert found.z < -1.9


def test_four_rolls_say_nothing() -> None:
    assert not selectivity(rolled(1) for _ in range(4)).is_enough
    assert selectivity([]).rank == 0.5
    assert selectivity([rolled(3, "3"), rolled(1, "no dice")]).rolls == 0


def test_an_honest_series_repeats_as_often_as_it_should_and_an_invented_one_too_rarely() -> None:
    chance = random.Random(4)
    honest = [repeats(chance.choices(range(1, 21), k=201), 20) for _ in range(300)]
    assert all(found is not None for found in honest)
    assert sum(found.seen for found in honest if found) / 300 == pytest.approx(10, abs=0.6)
    invented = [1]
    while len(invented) < 300:
        invented.append(chance.choice([face for face in range(1, 21) if face != invented[-1]]))
    found = repeats(invented, 20)
    assert found is not None
    assert (found.seen, found.z < -3, found.band[0] > 0) == (0, True, True)
    assert repeats(invented[:199], 20) is None


def test_the_mean_number_of_runs_is_that_of_all_orders() -> None:
    faces = [1, 2, 3, 9, 10, 11]
    every = [1 + sum((a > 6) != (b > 6) for a, b in pairwise(order)) for order in permutations(faces)]
    with patch("rollbook.projections.luck.patterns.RUNS_FROM", 2):
        found = runs(faces, 12)
    assert found is not None
    assert found.mean == pytest.approx(sum(every) / len(every))
    assert found.variance == pytest.approx(sum(many**2 for many in every) / len(every) - found.mean**2)


def test_a_series_that_swings_to_and_fro_has_too_many_runs() -> None:
    found = runs([1, 20] * 30, 20)
    assert found is not None
    assert (found.seen, found.z > 5) == (60, True)
    assert runs([1, 20] * 19, 20) is None
    assert runs([20] * 60, 20) is None
    assert runs([4] * 60, 7) is None
