"""A moment is the same however somebody comes to it: step by step, backwards, or by a jump."""

from __future__ import annotations

import random

import pytest

from rollbook.adapters.storage.read_model.rows_of_entries import RowsOfEntries
from rollbook.projections.replay import Course, Moments, both_sides, steps_of
from tests.support.golden_campaigns import RECORDED
from tests.support.pictures import RULEBOOK, golden

ORDERS = ("forwards", "backwards", "to and fro")


def in_order(order: str, many: int) -> list[int]:
    places = list(range(many))
    if order == "to and fro":
        random.Random(13).shuffle(places)
    return places[::-1] if order == "backwards" else places


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", RECORDED)
def test_every_moment_is_the_step_of_one_pass_over_the_history(name: str, order: str) -> None:
    history = golden(name)
    lines = RowsOfEntries("it", history.entries).log("it", everything=True)
    steps = list(steps_of(history, RULEBOOK, lines))
    moments = Moments(history, RULEBOOK)
    for place in in_order(order, len(steps)):
        before = steps[place - 1].number if place else 0
        assert moments.step(lines[place], before) == steps[place]
        assert moments.sides(lines[place].entry) == both_sides(steps, place)


@pytest.mark.parametrize("name", RECORDED)
def test_the_states_are_those_that_the_history_gives(name: str) -> None:
    history, moments = golden(name), Moments(golden(name), RULEBOOK)
    for number in in_order("to and fro", history.head + 1):
        assert moments.state(number, Course.THEN) == history.as_known_at(number)
        wanted = history.as_corrected_to(history.actions_at(number))
        assert moments.state(number, Course.CORRECTED) == wanted
