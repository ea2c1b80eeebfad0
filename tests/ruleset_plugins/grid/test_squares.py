"""Squares and the lines between them: laws that hold wherever on the map and however it is turned."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.kit.squares import between, distance, stepped, straight
from rollbook.rulesets.grid.settings import CENTER, ONE, ONE_TWO_ONE, SQUARE
from rollbook.rulesets.grid.squares import cost_of, in_reach, is_flanked, squares_in, steps_of
from rollbook.testing.scenarios import rule

NUMBERS = st.integers(-50, 50)
SQUARES = st.tuples(NUMBERS, NUMBERS, st.integers(-5, 5))
RING = [(east, north, 0) for east, north in product((-1, 0, 1), repeat=2) if (east, north) != (0, 0)]
BESIDE = st.sampled_from([each for each in product((-1, 0, 1), repeat=3) if any(each)])
GEOMETRY = st.sampled_from((CENTER, SQUARE))
HERE = (0, 0, 0)


def turned(square):
    """A quarter turn to the left."""
    return -square[1], square[0], square[2]


@rule("R4.30", "Q4.16")
@given(SQUARES, SQUARES)
def test_distance_is_the_same_both_ways_and_reach_is_exactly_one_square_in_any_direction(one, other) -> None:
    assert distance(one, other) == distance(other, one)
    assert in_reach(one, other) == (one != other and all(abs(each) <= 1 for each in between(one, other)))


@rule("R4.37", "Q4.21")
@given(SQUARES, BESIDE, BESIDE, GEOMETRY)
def test_flanking_does_not_depend_on_who_is_named_first_nor_on_where_on_the_map(enemy, one, other, geometry) -> None:
    here = is_flanked(HERE, one, other, geometry)
    assert is_flanked(HERE, other, one, geometry) == here
    assert is_flanked(enemy, stepped(enemy, one), stepped(enemy, other), geometry) == here
    assert is_flanked(HERE, turned(one), turned(other), geometry) == here


@rule("R4.37", "Q4.21")
@given(BESIDE, BESIDE)
def test_by_the_centre_only_opposite_squares_flank_and_by_the_square_these_and_more(one, other) -> None:
    opposite = tuple(-each for each in one) == other
    assert is_flanked(HERE, one, other, CENTER) == opposite
    assert is_flanked(HERE, one, other, SQUARE) >= opposite


@rule("R4.37", "Q4.21")
def test_around_a_square_four_pairs_flank_by_its_centre_and_eight_more_by_its_area() -> None:
    pairs = list(combinations(RING, 2))
    by_centre = {pair for pair in pairs if is_flanked(HERE, *pair, CENTER)}
    by_area = {pair for pair in pairs if is_flanked(HERE, *pair, SQUARE)}
    assert (len(by_centre), len(by_area - by_centre)) == (4, 8)
    assert by_centre < by_area
    assert ((-1, 0, 0), (1, 1, 0)) in by_area
    assert not is_flanked(HERE, (-1, -1, 0), (-1, 1, 0), SQUARE)


@given(BESIDE, SQUARES, GEOMETRY)
def test_nobody_flanks_from_beyond_reach_or_with_themselves(one, far, geometry) -> None:
    assert not is_flanked(HERE, one, one, geometry)
    if not in_reach(HERE, far):
        assert not is_flanked(HERE, one, far, geometry)


@rule("R4.29")
@pytest.mark.parametrize(("feet", "squares"), [(30, 6), (20, 4), (35, 7), (4, 0), (25, 5), (-5, 0)])
def test_a_square_is_five_feet_and_only_whole_ones_count(feet, squares) -> None:
    assert squares_in(feet) == squares


@rule("Q4.16")
def test_a_diagonal_costs_a_square_or_one_and_two_by_turns() -> None:
    slanted, plain = (1, 1, 0), (0, 1, 0)
    assert [cost_of((slanted,) * many, ONE) for many in range(5)] == [0, 1, 2, 3, 4]
    assert [cost_of((slanted,) * many, ONE_TWO_ONE) for many in range(5)] == [0, 1, 3, 4, 6]
    assert cost_of((plain, plain, plain, slanted), ONE_TWO_ONE) == cost_of((plain, plain, plain, slanted), ONE) == 4


@given(SQUARES, SQUARES)
def test_the_straight_way_arrives_by_single_steps_and_is_the_shortest(start, end) -> None:
    at, steps = start, steps_of(start, straight(start, end))
    for step in steps:
        assert in_reach(at, stepped(at, step))
        at = stepped(at, step)
    assert at == end
    assert len(steps) == distance(start, end)
