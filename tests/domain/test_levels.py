"""Experience of one game is worth in another the part of a level that it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.rules.crossing import LEVEL, Levels
from rollbook.domain.state.campaign_state import EMPTY


@st.composite
def tables(draw: st.DrawFn) -> tuple[Levels, list[int]]:
    """A table of a few levels, each of which takes more than the one before."""
    steps = draw(st.lists(st.integers(1, 200_000), min_size=1, max_size=30))
    needed = [sum(steps[:at]) for at in range(len(steps) + 1)]
    return Levels(
        experience_for=lambda level, _: needed[min(level, len(needed)) - 1], highest=lambda _: len(needed)
    ), needed


@given(tables(), st.integers(0, 3_000_000))
def test_how_far_somebody_is_says_how_much_experience_that_is(table: tuple[Levels, list[int]], experience: int) -> None:
    levels, _ = table
    assert levels.experience_at(levels.progress(experience, EMPTY), EMPTY) == experience


@given(tables())
def test_a_level_begins_with_what_it_takes(table: tuple[Levels, list[int]]) -> None:
    levels, needed = table
    for level, experience in enumerate(needed, 1):
        assert levels.level_at(experience, EMPTY) == level
        assert levels.progress(experience, EMPTY) == level * LEVEL
        assert levels.experience_at(level * LEVEL, EMPTY) == experience


@given(tables(), st.integers(0, 3_000_000), st.integers(0, 3_000_000))
def test_more_experience_is_never_less_far(table: tuple[Levels, list[int]], one: int, other: int) -> None:
    levels, _ = table
    assert (one <= other) == (levels.progress(one, EMPTY) <= levels.progress(other, EMPTY)) or one > other
