"""Squares of a map: typed, told, counted, and joined by ways."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.kit import maps, squares
from rollbook.plugin import Opening, PlannedMove, Refused, Square, events
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


WALL = frozenset((1, north, 0) for north in range(-1, 2))


def planned(*stops: Square, most: int | None = None, taken: frozenset[Square] = frozenset()) -> PlannedMove:
    """A plan of a move from the origin that must go round a wall."""
    return maps.plan(
        (0, 0, 0),
        stops,
        most=most,
        barred=WALL,
        taken=taken,
        openings=lambda way: [Opening(who="guard", steps=1, at=way[0], said="as robin leaves")] if way else [],
        verb="move",
        params=lambda way: {"feet": 5 * len(way)},
        check=lambda said: squares.parse(table_with(), ["far"]) if said.get("feet", 0) > 20 else None,
    )


def test_a_plan_leads_round_what_bars_it_and_says_what_it_costs() -> None:
    plan = planned((2, 0, 0), taken=frozenset({(3, 0, 0)}))
    assert plan.way[-1] == (2, 0, 0) and not WALL & set(plan.way)
    assert plan.costs == tuple(range(1, len(plan.way) + 1))
    assert (plan.verb, plan.params, plan.refused) == ("move", {"feet": 5 * len(plan.way)}, "")
    assert plan.openings[0].at == plan.way[0]
    assert (3, 0, 0) not in plan.onward and (2, 1, 0) in plan.onward
    assert "A square is two numbers" in planned((6, 0, 0)).refused


def test_a_plan_reaches_no_farther_than_what_is_left() -> None:
    assert set(planned(most=1).onward) == set(squares.around((0, 0, 0))) - WALL
    assert planned(most=0).onward == ()
    assert planned().verb == "" and planned().params == {}


def test_a_way_is_direct_if_its_end_alone_says_it() -> None:
    straight = ((0, 1, 0), (0, 2, 0))
    assert maps.is_direct((0, 0, 0), straight, WALL)
    assert not maps.is_direct((0, 0, 0), ((-1, 1, 0), (0, 2, 0)), WALL)


def test_who_stands_there_threatens_as_far_as_they_reach() -> None:
    who = table_with(events.Moved(character="robin", east=2, north=0, up=0, cost=0)).character("robin")
    assert maps.stand(who, is_down=False, reach=2).reach == squares.around((2, 0, 0), 2)
    assert maps.stand(who, is_down=True, reach=0).reach == ()
    assert maps.stand(who, is_down=True, reach=0).side == "party"


@pytest.mark.parametrize(
    ("square", "steps", "after"),
    [
        ((1, 0, 0), 2, (3, 0, 0)),
        ((2, 2, 0), 1, (3, 3, 0)),
        ((4, 2, 0), 2, (6, 3, 0)),
        ((4, 0, 0), -2, (2, 0, 0)),
        ((4, 0, 0), -9, (1, 0, 0)),
        ((0, 0, 0), 3, (0, 0, 0)),
    ],
)
def test_who_is_pushed_goes_straight_away_and_who_is_pulled_comes_no_closer_than_beside(
    square: Square, steps: int, after: Square
) -> None:
    assert squares.pushed((0, 0, 0), square, steps) == after
