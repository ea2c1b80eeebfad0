"""How often is often: once in 24 hours, once on a day of the calendar, and how long it still rests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.table import Table
from ruleset_plugins import DAY, HOUR, MINUTE, Refused, events, in_words, ready_in, use
from ruleset_plugins.testing import rule
from tests.ruleset_plugins.at_a_table import facts_of, joined, table_after


def used(at: int, now: int, target: str = "") -> Table:
    return table_after(
        (
            *joined("robin"),
            events.TimePassed(seconds=at),
            events.PowerUsed(character="robin", power="rally", target=target),
            events.TimePassed(seconds=now - at),
        )
    )


@rule("Q0.70")
@pytest.mark.parametrize(
    ("at", "now", "rolling", "calendar"),
    [
        (20 * HOUR, 20 * HOUR, DAY, 4 * HOUR),
        (20 * HOUR, DAY, 20 * HOUR, 0),
        (20 * HOUR, DAY + 20 * HOUR - 1, 1, 0),
        (20 * HOUR, DAY + 20 * HOUR, 0, 0),
        (0, DAY - 1, 1, 1),
        (0, DAY, 0, 0),
    ],
)
def test_a_day_is_24_hours_or_one_of_the_calendar(at: int, now: int, rolling: int, calendar: int) -> None:
    table = used(at, now)
    robin = table.character("robin")
    assert ready_in(table, robin, "rally") == rolling
    assert ready_in(table, robin, "rally", calendar=True) == calendar


@given(st.integers(0, 3 * DAY), st.integers(0, 3 * DAY), st.integers(1, 2 * DAY))
def test_after_the_wait_it_can_be_used(at: int, more: int, length: int) -> None:
    table = used(at, at + more)
    robin = table.character("robin")
    for calendar in (False, True):
        wait = ready_in(table, robin, "rally", length=length, calendar=calendar)
        assert 0 <= wait <= length
        later = used(at, at + more + wait)
        assert ready_in(later, later.character("robin"), "rally", length=length, calendar=calendar) == 0


def test_a_use_is_recorded_and_the_next_refused_with_how_long_it_rests() -> None:
    table = table_after(joined("robin"))
    use(table, table.character("robin"), "rally")
    with pytest.raises(Refused, match="Robin has used rally already; it can be used again in 1 day"):
        use(table, table.character("robin"), "rally")
    assert facts_of(table) == (events.PowerUsed(character="robin", power="rally"),)


def test_each_target_is_counted_by_itself() -> None:
    table = used(0, 0, target="marian")
    robin = table.character("robin")
    assert ready_in(table, robin, "rally") == 0
    assert ready_in(table, robin, "rally:marian") == DAY
    use(table, robin, "rally", target="guard")
    with pytest.raises(Refused, match="has used rally already"):
        use(table, table.character("robin"), "rally", target="guard")


def test_a_shorter_rest_is_over_sooner() -> None:
    table = used(0, 10 * MINUTE)
    assert ready_in(table, table.character("robin"), "rally", length=15 * MINUTE) == 5 * MINUTE


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "no time"),
        (1, "1 second"),
        (40, "40 seconds"),
        (60, "1 minute"),
        (3_661, "1 hour 1 minute"),
        (12_000, "3 hours 20 minutes"),
        (2 * DAY + 5, "2 days 5 seconds"),
    ],
)
def test_time_in_the_two_largest_units_that_it_fills(seconds: int, words: str) -> None:
    assert in_words(seconds) == words
