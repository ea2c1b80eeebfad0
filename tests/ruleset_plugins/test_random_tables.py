"""Tables that are rolled on have a row for every result, and only one."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleset_plugins import RulesetBroken, banded, events, roll_on, row_of
from tests.ruleset_plugins.at_a_table import facts_of, joined, table_after


@attrs.frozen
class Row:
    lowest: int
    highest: int
    what: str


WEATHER = (Row(2, 5, "rain"), Row(6, 8, "clouds"), Row(9, 12, "sun"))


@pytest.mark.parametrize(
    ("result", "what"), [(2, "rain"), (5, "rain"), (6, "clouds"), (9, "sun"), (12, "sun"), (-3, "rain"), (40, "sun")]
)
def test_a_result_has_its_row_and_what_lies_beyond_the_first_or_last(result: int, what: str) -> None:
    assert row_of(banded("weather", WEATHER), result).what == what


@given(st.lists(st.integers(1, 6), min_size=1, max_size=8), st.integers(-5, 60))
def test_rows_that_follow_on_one_another_have_one_row_for_every_result(lengths: list[int], result: int) -> None:
    rows, low = [], 1
    for length in lengths:
        rows.append(Row(low, low + length - 1, ""))
        low += length
    found = row_of(banded("made up", rows), result)
    inside = min(max(result, 1), low - 1)
    assert found.lowest <= inside <= found.highest


@pytest.mark.parametrize("second", [Row(7, 8, "gap"), Row(5, 8, "overlap")])
def test_a_gap_or_an_overlap_breaks_the_ruleset(second: Row) -> None:
    with pytest.raises(RulesetBroken, match=rf"weather: the row from {second.lowest} does not follow on 5"):
        banded("weather", (WEATHER[0], second))


def test_the_roll_is_recorded_like_any_other() -> None:
    table = table_after(joined("robin"), dice=(3, 4))
    assert roll_on(table, WEATHER, "2d6", roller="robin", purpose="weather").what == "clouds"
    (rolled,) = facts_of(table)
    assert isinstance(rolled, events.DiceRolled)
    assert (rolled.purpose, rolled.total, rolled.secret) == ("weather", 7, False)
    hidden = table_after(joined("robin"), dice=(1, 1))
    roll_on(hidden, WEATHER, "2d6", roller="robin", purpose="weather", secret=True)
    (secret,) = facts_of(hidden)
    assert isinstance(secret, events.DiceRolled)
    assert secret.secret
