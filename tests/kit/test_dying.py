"""Who falls, dies and comes round is decided in one place, by the lines of a game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.rules.table import Table
from rollbook.kit import dying
from rollbook.plugin import events
from rollbook.testing.scenarios import rule
from tests.support.bare_table import condition, hurt, recorded_events, table_with

LINES = dying.Lines(dies_at=-10)
MOST = 7


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
    table = table_with(hurt(MOST - left), *map(condition, before))
    dying.settle(table, "robin", most=MOST, lines=LINES)
    assert tuple(table.character("robin").conditions) == after
    again = len(table.finish().events)
    dying.settle(table, "robin", most=MOST, lines=LINES)
    assert len(table.finish().events) == again, "settling twice changes nothing more"


def test_a_game_has_its_own_word_for_being_down_and_need_not_kill() -> None:
    table = table_with(hurt(MOST + 500))
    dying.settle(table, "robin", most=MOST, lines=dying.Lines(down="defeated"))
    assert tuple(table.character("robin").conditions) == ("defeated",)


def test_a_game_may_have_nobody_down() -> None:
    table = table_with(hurt(MOST))
    dying.settle(table, "robin", most=MOST, lines=dying.Lines(down=""))
    assert recorded_events(table) == ()


def test_death_ends_what_is_less() -> None:
    table = table_with(condition("unconscious"), condition("stunned"))
    dying.die(table, "robin", source="guard", ends=("unconscious", "stunned"))
    assert tuple(table.character("robin").conditions) == ("dead",)
    assert table.character("robin").conditions["dead"].source == "guard"


@rule("Q0.83", "Q1.2")
@given(lost=st.integers(0, 20), before=st.integers(1, 20), after=st.integers(1, 20))
def test_a_current_value_follows_its_maximum_up_and_is_clamped_by_it_on_the_way_down(
    lost: int, before: int, after: int
) -> None:
    table = table_with(hurt(lost))
    left = before - lost
    dying.follow_maximum(table, "robin", before=before, after=after)
    now = after - table.character("robin").lost
    if after >= before:
        assert now == left + after - before
    else:
        assert now == min(left, after)


@rule("Q0.83", "Q1.2", "QG.9")
@given(lost=st.integers(0, 40), before=st.integers(1, 20), after=st.integers(1, 20))
def test_the_dead_have_as_many_hit_points_left_as_before_whatever_their_maximum(
    lost: int, before: int, after: int
) -> None:
    table = table_with(hurt(lost), condition("dead"))
    dying.follow_maximum(table, "robin", before=before, after=after)
    assert after - table.character("robin").lost == min(before - lost, after)
    assert table.character("robin").has("dead")


def changed(table: Table, *, given: int, rises: int) -> bool:
    """Robin's hit points are corrected and the maximum of 10 rises, and both are followed."""
    before = table.character("robin")
    table.record(events.HitPointsCorrected(character="robin", amount=given, reason="ruled"))
    return dying.follow_change(
        table, before, most=lambda who: 10 if who is before else 10 + rises, lines=lambda _: LINES
    )


@rule("QG.8", "QG.9")
@pytest.mark.parametrize(
    ("lost", "given", "rises", "lives"),
    [
        (20, 11, 0, True),
        (20, 1, 0, True),
        (25, 5, 0, False),
        (25, 16, 0, True),
        (13, 2, 0, False),
        (13, 4, 0, True),
        (4, 1, 0, True),
        (4, -1, 0, False),
        (20, 0, 50, False),
        (4, 0, 50, False),
        (20, 1, 50, True),
    ],
)
def test_a_ruling_to_above_0_or_back_over_the_line_of_death_revives(
    lost: int, given: int, rises: int, *, lives: bool
) -> None:
    table = table_with(hurt(lost), condition("dead"))
    assert changed(table, given=given, rises=rises) is lives
    assert table.character("robin").has("dead") is not lives
