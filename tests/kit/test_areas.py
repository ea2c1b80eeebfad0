"""Areas on squares: what lies in a ball, a cube, a cone, a line."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.kit import areas
from rollbook.plugin import Square

MIDDLE = (0, 0, 0)
EAST = (1, 0, 0)
axes = st.integers(min_value=-8, max_value=8)
anywhere = st.tuples(axes, axes, st.just(0))


def covered(shape: str, size: float, **how: float) -> set[Square]:
    """The squares of the level that an area round the middle covers."""
    return {each for each in level() if areas.around(shape, size, each, middle=MIDDLE, **how)}


def in_front(shape: str, size: float, **how: float) -> set[Square]:
    """The squares of the level that an area toward the east covers."""
    return {each for each in level() if areas.ahead(shape, size, each, start=MIDDLE, toward=EAST, **how)}


def level() -> list[Square]:
    return [(east, north, 0) for east, north in product(range(-8, 9), repeat=2)]


@pytest.mark.parametrize(("shape", "size", "many"), [(areas.SPHERE, 2, 25), (areas.CUBE, 3, 9), (areas.SQUARE, 2, 1)])
def test_a_ball_reaches_as_far_as_its_radius_and_a_cube_has_a_side(shape: str, size: int, many: int) -> None:
    assert len(covered(shape, size)) == many


def test_a_round_area_is_as_high_as_it_is_wide_unless_its_height_is_another() -> None:
    assert areas.around("cylinder", 2, (0, 0, 2), middle=MIDDLE)
    assert not areas.around("cylinder", 2, (0, 0, 3), middle=MIDDLE)
    assert areas.around("cylinder", 2, (2, 0, 8), middle=MIDDLE, height=8)


def test_a_cone_is_as_wide_as_it_is_far_away() -> None:
    assert in_front(areas.CONE, 3) == {
        *((1, 0, 0), (2, -1, 0), (2, 0, 0), (2, 1, 0)),
        *((3, -1, 0), (3, 0, 0), (3, 1, 0)),
    }


def test_a_line_has_a_width_and_a_cube_ahead_its_side() -> None:
    assert in_front(areas.LINE, 4) == {(far, 0, 0) for far in range(1, 5)}
    assert len(in_front(areas.LINE, 4, width=3)) == 12
    assert len(in_front(areas.CUBE, 3)) == 9


@given(anywhere, anywhere.filter(lambda square: square != MIDDLE))
def test_nothing_behind_or_on_the_start_is_covered(square: Square, toward: Square) -> None:
    for shape in (areas.CONE, areas.LINE, areas.CUBE):
        if areas.ahead(shape, 6, square, start=MIDDLE, toward=toward):
            assert square[0] * toward[0] + square[1] * toward[1] > 0
