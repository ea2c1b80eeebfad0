"""Honest dice stay honest however often somebody looks, and a die that is uneven is found in the long run."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from math import exp, inf, log

import pytest

from rollbook.projections.luck.patterns import directional, shape

E = Callable[[list[int], int], float]
LOOK_EVERY = 30
"""Rolls: after each session."""


@pytest.mark.parametrize("e", [directional, shape])
@pytest.mark.parametrize(("sides", "rolls"), [(2, 8), (3, 5), (4, 5), (6, 3)])
def test_fair_dice_win_nothing_on_average_exactly(e: E, sides: int, rolls: int) -> None:
    every = list(product(range(1, sides + 1), repeat=rolls))
    assert sum(exp(e(list(faces), sides)) for faces in every) / len(every) == pytest.approx(1)


@pytest.mark.parametrize("e", [directional, shape])
@pytest.mark.parametrize("seen", [(), (6,), (1, 6, 6), (2, 2, 3, 5)])
def test_the_next_roll_of_a_fair_die_changes_nothing_on_average(e: E, seen: tuple[int, ...]) -> None:
    """A martingale: so looking at any moment, and stopping at the best one, wins nothing either."""
    after = sum(exp(e([*seen, face], 6)) for face in range(1, 7)) / 6
    assert after == pytest.approx(exp(e(list(seen), 6)))


def test_no_dice_say_nothing() -> None:
    assert directional([], 20) == pytest.approx(0)
    assert shape([], 20) == pytest.approx(0)


def ever(e: E, faces: list[int], sides: int = 20) -> tuple[float, float]:
    """The highest value at any look, and the last one."""
    looks = [e(faces[:seen], sides) for seen in range(LOOK_EVERY, len(faces) + 1, LOOK_EVERY)]
    return max(looks, default=-inf), looks[-1]


@pytest.mark.parametrize("e", [directional, shape])
def test_of_two_thousand_honest_records_at_most_one_in_twenty_ever_looks_uneven(e: E) -> None:
    chance = random.Random(20)
    looked = [ever(e, chance.choices(range(1, 21), k=300)) for _ in range(2_000)]
    assert sum(most >= log(20) for most, _ in looked) <= 2_000 / 20
    values = [exp(last) for _, last in looked]
    mean = sum(values) / len(values)
    error = (sum((value - mean) ** 2 for value in values) / len(values) ** 2) ** 0.5
    assert mean <= 1 + 3 * error


def found(e: E, weights: list[float], rolls: int, records: int = 60) -> float:
    """The share of records of such a die that ever look uneven."""
    chance = random.Random(8)
    drawn = (chance.choices(range(1, len(weights) + 1), weights, k=rolls) for _ in range(records))
    return sum(ever(e, faces, len(weights))[0] >= log(20) for faces in drawn) / records


TWENTY_TWICE = [18 / 19] * 19 + [2.0]
UPPER_HALF = [0.8] * 10 + [1.2] * 10


def test_a_die_that_shows_20_twice_as_often_is_found_in_the_long_run() -> None:
    assert found(shape, TWENTY_TWICE, 200) < 0.4
    assert found(shape, TWENTY_TWICE, 2_000) > 0.9
    assert found(directional, TWENTY_TWICE, 4_000) > 0.9


def test_a_die_that_falls_high_is_found_by_its_direction_long_before_its_shape() -> None:
    assert found(directional, UPPER_HALF, 500) > 0.75 > found(shape, UPPER_HALF, 500) + 0.2
    assert found(directional, UPPER_HALF[::-1], 500) > 0.75


def test_a_very_long_uneven_record_has_a_value_all_the_same() -> None:
    assert directional([20] * 5_000, 20) > 1_000
    assert shape([20] * 5_000, 20) > 1_000
