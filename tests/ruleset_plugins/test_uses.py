"""How often is often: once in 24 hours, once on a day of the calendar, and how long it still rests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.table import Table
from ruleset_plugins import Refused, events
from ruleset_plugins.kit import clock
from ruleset_plugins.testing.scenarios import rule
from tests.support.bare_table import joined_events, recorded_events, table_after


def used(at: int, now: int, target: str = "") -> Table:
    return table_after(
        (
            *joined_events("robin"),
            events.TimePassed(seconds=at),
            events.PowerUsed(character="robin", power="rally", target=target),
            events.TimePassed(seconds=now - at),
        )
    )


@rule("Q0.70")
@pytest.mark.parametrize(
    ("at", "now", "rolling", "calendar"),
    [
        (20 * clock.HOUR, 20 * clock.HOUR, clock.DAY, 4 * clock.HOUR),
        (20 * clock.HOUR, clock.DAY, 20 * clock.HOUR, 0),
        (20 * clock.HOUR, clock.DAY + 20 * clock.HOUR - 1, 1, 0),
        (20 * clock.HOUR, clock.DAY + 20 * clock.HOUR, 0, 0),
        (0, clock.DAY - 1, 1, 1),
        (0, clock.DAY, 0, 0),
    ],
)
def test_a_day_is_24_hours_or_one_of_the_calendar(at: int, now: int, rolling: int, calendar: int) -> None:
    table = used(at, now)
    robin = table.character("robin")
    assert clock.power_ready_in(table, robin, "rally") == rolling
    assert clock.power_ready_in(table, robin, "rally", calendar=True) == calendar


@given(st.integers(0, 3 * clock.DAY), st.integers(0, 3 * clock.DAY), st.integers(1, 2 * clock.DAY))
def test_after_the_wait_it_can_be_used(at: int, more: int, length: int) -> None:
    table = used(at, at + more)
    robin = table.character("robin")
    for calendar in (False, True):
        wait = clock.power_ready_in(table, robin, "rally", length=length, calendar=calendar)
        assert 0 <= wait <= length
        later = used(at, at + more + wait)
        assert clock.power_ready_in(later, later.character("robin"), "rally", length=length, calendar=calendar) == 0


def test_a_use_is_recorded_and_the_next_refused_with_how_long_it_rests() -> None:
    table = table_after(joined_events("robin"))
    clock.use_power(table, table.character("robin"), "rally")
    with pytest.raises(Refused, match="Robin has used rally already; it can be used again in 1 day"):
        clock.use_power(table, table.character("robin"), "rally")
    assert recorded_events(table) == (events.PowerUsed(character="robin", power="rally"),)


def test_each_target_is_counted_by_itself() -> None:
    table = used(0, 0, target="marian")
    robin = table.character("robin")
    assert clock.power_ready_in(table, robin, "rally") == 0
    assert clock.power_ready_in(table, robin, "rally:marian") == clock.DAY
    clock.use_power(table, robin, "rally", target="guard")
    with pytest.raises(Refused, match="has used rally already"):
        clock.use_power(table, table.character("robin"), "rally", target="guard")


def test_a_shorter_rest_is_over_sooner() -> None:
    table = used(0, 10 * clock.MINUTE)
    assert clock.power_ready_in(table, table.character("robin"), "rally", length=15 * clock.MINUTE) == 5 * clock.MINUTE


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "no time"),
        (1, "1 second"),
        (40, "40 seconds"),
        (60, "1 minute"),
        (3_661, "1 hour 1 minute"),
        (12_000, "3 hours 20 minutes"),
        (2 * clock.DAY + 5, "2 days 5 seconds"),
    ],
)
def test_time_in_the_two_largest_units_that_it_fills(seconds: int, words: str) -> None:
    assert clock.duration(seconds) == words
