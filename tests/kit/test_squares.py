"""Squares of a map: typed, told, counted, and joined by ways."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.kit import squares
from rollbook.plugin import Refused, Square, events
from tests.support.bare_table import recorded_events, table_with

axes = st.integers(min_value=-6, max_value=6)
on_the_level = st.tuples(axes, axes, st.just(0))
anywhere = st.tuples(axes, axes, axes)


@pytest.mark.parametrize(
    ("typed", "square"), [(("3", "4"), (3, 4, 0)), (("-3", "+4", "2"), (-3, 4, 2)), (("0", "0", "0"), (0, 0, 0))]
)
def test_a_square_is_two_numbers_or_three(typed: tuple[str, ...], square: Square) -> None:
    assert squares.parse(table_with(), typed) == square


@pytest.mark.parametrize("typed", [(), ("3",), ("3", "x"), ("1", "2", "3", "4"), ("10001", "0")])
def test_anything_else_is_refused(typed: tuple[str, ...]) -> None:
    with pytest.raises(Refused, match="A square is two numbers, east and north, as in 3,4"):
        squares.parse(table_with(), typed)


@given(anywhere)
def test_a_square_is_read_as_it_is_told(square: Square) -> None:
    assert squares.parse(table_with(), squares.text(square).split(",")) == square


@given(anywhere, anywhere)
def test_distance_is_the_longest_axis_and_the_number_of_steps(one: Square, other: Square) -> None:
    assert squares.stepped(one, squares.between(one, other)) == other
    assert squares.distance(one, other) == squares.distance(other, one) == len(list(squares.straight(one, other)))


def test_around_a_square_are_eight_and_twenty_four() -> None:
    assert len(squares.around((0, 0, 0))) == 8
    assert len(squares.around((5, 5, 1), 2)) == 24
    assert all(squares.distance((5, 5, 1), each) in (1, 2) for each in squares.around((5, 5, 1), 2))


@given(on_the_level, st.frozensets(on_the_level, max_size=12), st.integers(min_value=0, max_value=3))
def test_ways_lead_step_by_step_to_what_is_not_barred(start: Square, barred: frozenset[Square], most: int) -> None:
    for end, way in squares.ways(start, most, barred).items():
        assert way[-1] == end and len(way) <= most and not barred & set(way)
        assert all(squares.distance(one, other) == 1 for one, other in pairwise((start, *way)))


@given(on_the_level, on_the_level)
def test_with_nothing_in_the_way_a_way_is_as_long_as_the_distance(start: Square, end: Square) -> None:
    way = squares.joined(start, (end,), ())
    assert len(way) == squares.distance(start, end) and (way or (start,))[-1] == end


def test_a_way_goes_round_what_bars_it_or_else_straight_through() -> None:
    wall = [(1, north, 0) for north in range(-2, 3)]
    round_it = squares.joined((0, 0, 0), ((2, 0, 0),), wall)
    assert not {*round_it} & {*wall} and len(round_it) > 2
    cell = squares.around((0, 0, 0))
    assert squares.joined((0, 0, 0), ((2, 0, 0),), cell) == ((1, 0, 0), (2, 0, 0))


def test_who_is_put_on_the_first_square_is_known_to_stand_there() -> None:
    table = table_with()
    assert not squares.was_placed(table.character("robin"))
    squares.put(table, "robin", (0, 0, 0))
    assert squares.was_placed(table.character("robin"))
    squares.put(table, "robin", (2, -1, 0), cost=2)
    assert table.character("robin").position == (2, -1, 0)
    assert recorded_events(table) == (
        events.TraitGained(character="robin", trait="on the map", kind="square"),
        events.Moved(character="robin", east=2, north=-1, up=0, cost=2),
    )
