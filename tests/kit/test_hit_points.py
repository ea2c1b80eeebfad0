"""Hit points as games share them: what is lost and what comes back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rollbook.kit import conditions, hit_points
from rollbook.plugin import events
from rollbook.testing.scenarios import rule
from tests.support.bare_table import condition, hurt, recorded_events, table_with


def test_all_that_is_dealt_is_lost_even_below_zero() -> None:
    table = table_with()
    assert hit_points.lose(table, "robin", 14, tags=("fire",), source="guard") == 14
    assert recorded_events(table) == (
        events.DamageTaken(character="robin", amount=14, dealt=14, tags=("fire",), source="guard"),
    )


@given(st.integers(0, 60), st.integers(-20, 20), st.integers(0, 70))
def test_nobody_loses_more_than_is_dealt_and_with_a_floor_not_what_they_have_not(
    dealt: int, left: int, spared: int
) -> None:
    table = table_with()
    assert hit_points.lose(table, "robin", dealt, spared=spared) == max(dealt - spared, 0)
    stopped = hit_points.lose(table, "robin", dealt, spared=spared, at_most=left)
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
