"""Hit points as games share them: what is lost, what comes back, who falls, dies and comes round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.events import Event
from domain.table import Table
from ruleset_plugins import events
from ruleset_plugins.kit import conditions, hit_points
from ruleset_plugins.testing.scenarios import rule
from tests.support.bare_table import joined_events, recorded_events, table_after

HP = 10


def hurt(amount: int) -> events.DamageTaken:
    return events.DamageTaken(character="robin", amount=amount, dealt=amount)


def condition(name: str) -> events.ConditionBegan:
    return events.ConditionBegan(character="robin", condition=name)


def table_with(*more: Event) -> Table:
    return table_after((*joined_events("robin"), *more))


def test_all_that_is_dealt_is_lost_even_below_zero() -> None:
    table = table_with()
    assert hit_points.lose(table, "robin", 14, left=HP, tags=("fire",), source="guard") == 14
    assert recorded_events(table) == (
        events.DamageTaken(character="robin", amount=14, dealt=14, tags=("fire",), source="guard"),
    )


@given(st.integers(0, 60), st.integers(-20, 20), st.integers(0, 70))
def test_nobody_loses_more_than_is_dealt_and_with_a_floor_not_what_they_have_not(
    dealt: int, left: int, spared: int
) -> None:
    table = table_with()
    assert hit_points.lose(table, "robin", dealt, left=left, spared=spared) == max(dealt - spared, 0)
    stopped = hit_points.lose(table, "robin", dealt, left=left, spared=spared, stop_at_zero=True)
    assert stopped == min(max(dealt - spared, 0), max(left, 0))
    assert all(isinstance(event, events.DamageTaken) and event.dealt == dealt for event in recorded_events(table))


@rule("QG.9")
@given(lost=st.integers(-5, 30), amount=st.integers(-3, 40), keep=st.integers(0, 10))
def test_nobody_gets_back_more_than_was_lost(lost: int, amount: int, keep: int) -> None:
    table = table_with(hurt(lost))
    back = hit_points.regain(table, "robin", amount, keep_lost=keep)
    assert back == max(0, min(amount, lost - keep))
    assert table.character("robin").lost == lost - back
    assert len(recorded_events(table)) == (back > 0)


@rule("QG.9")
def test_the_dead_get_nothing_back() -> None:
    table = table_with(hurt(30), condition(conditions.DEAD))
    assert hit_points.regain(table, "robin", 5) == 0
    assert recorded_events(table) == ()


@pytest.mark.parametrize(
    ("left", "before", "after"),
    [
        (1, (), ()),
        (0, (), ("unconscious",)),
        (-9, (), ("unconscious",)),
        (-10, (), ("dead",)),
        (-30, ("unconscious",), ("dead",)),
        (0, ("unconscious",), ("unconscious",)),
        (3, ("unconscious",), ()),
        (3, ("dead",), ("dead",)),
        (-9, ("dead",), ("dead",)),
    ],
)
def test_who_goes_down_who_dies_and_who_comes_round(left: int, before: tuple[str, ...], after: tuple[str, ...]) -> None:
    table = table_with(*map(condition, before))
    hit_points.apply_thresholds(table, "robin", left=left, dies_at=-10)
    assert tuple(table.character("robin").conditions) == after
    again = len(table.finish().events)
    hit_points.apply_thresholds(table, "robin", left=left, dies_at=-10)
    assert len(table.finish().events) == again, "settling twice changes nothing more"


@rule("QG.8", "QG.9")
def test_a_ruling_undoes_death() -> None:
    table = table_with(condition("dead"))
    hit_points.apply_thresholds(table, "robin", left=-3, dies_at=-10, ruled=True)
    assert tuple(table.character("robin").conditions) == ("unconscious",)


def test_a_game_has_its_own_word_for_being_down() -> None:
    table = table_with()
    hit_points.apply_thresholds(table, "robin", left=0, dies_at=-1, down="defeated")
    assert table.character("robin").has("defeated")
    assert not table.character("robin").has("unconscious")


@rule("Q0.83", "Q1.2")
@given(lost=st.integers(0, 20), before=st.integers(1, 20), after=st.integers(1, 20))
def test_a_current_value_follows_its_maximum_up_and_is_clamped_by_it_on_the_way_down(
    lost: int, before: int, after: int
) -> None:
    table = table_with(hurt(lost))
    left = before - lost
    hit_points.follow_maximum(table, "robin", before=before, after=after)
    now = after - table.character("robin").lost
    if after >= before:
        assert now == left + after - before
    else:
        assert now == min(left, after)


def test_the_dead_stay_as_they_are_whatever_their_maximum() -> None:
    table = table_with(hurt(30), condition("dead"))
    hit_points.follow_maximum(table, "robin", before=10, after=5)
    assert recorded_events(table) == ()
