"""Levels by a table of experience."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.kit import levels
from rollbook.plugin import events
from tests.support.bare_table import joined_events, recorded_events, table_after


@attrs.frozen
class Row:
    level: int
    experience: int


ROWS = (Row(1, 0), Row(2, 100), Row(3, 300))


@pytest.mark.parametrize(("experience", "level"), [(-5, 1), (0, 1), (99, 1), (100, 2), (299, 2), (300, 3), (9_999, 3)])
def test_the_highest_level_that_so_much_experience_reaches(experience: int, level: int) -> None:
    assert levels.reached(ROWS, experience) == level


def test_who_begins_at_a_level_has_the_experience_that_belongs_to_it() -> None:
    table = table_after(joined_events("robin", "marian"))
    levels.begin_at(table, "robin", 3, 300)
    levels.begin_at(table, "marian", 1, 0)
    assert recorded_events(table) == (
        events.ExperienceAwarded(character="robin", amount=300, reason="starts at level 3"),
        events.LevelGained(character="robin", levels=3),
        events.LevelGained(character="marian", levels=1),
    )


@given(before=st.integers(0, 30), after=st.integers(0, 30))
def test_a_level_is_reached_from_wherever_somebody_was(before: int, after: int) -> None:
    table = table_after((*joined_events("robin"), events.LevelGained(character="robin", levels=before)))
    levels.set_level(table, "robin", after)
    assert table.character("robin").level == after
    assert len(recorded_events(table)) == (before != after)
