"""Stretches of time in the order of the clock; and how often is often: once in 24 hours, or once on a day of the calendar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.kit import clock
from rollbook.plugin import Refused, Ruleset, Sheet, events
from rollbook.testing.scenarios import rule
from tests.support.bare_table import joined_events, recorded_events, table_after

CLOCKS, LENGTHS = st.integers(0, 500), st.integers(1, 60)


@given(CLOCKS, LENGTHS, CLOCKS)
def test_the_next_end_is_the_first_after_now(now: int, length: int, start: int) -> None:
    end = clock.next_end(now, length, start)
    assert now < end <= now + length
    assert (end - start) % length == 0


@given(CLOCKS, CLOCKS, LENGTHS, st.integers(0, 100))
def test_completed_counts_those_ends(before: int, more: int, length: int, start: int) -> None:
    after = before + more
    ends = [at for at in range(before + 1, after + 1) if (at - start) % length == 0]
    assert clock.completed(before, after, length, start) == len(ends)


def test_time_that_passes_in_an_action_does_what_time_does() -> None:
    seen = []

    def time_passed(table: Table, before: int, *, rest: bool) -> None:
        seen.append((before, table.clock, rest))

    def sheet(who: Character, campaign: CampaignState) -> Sheet:
        return Sheet(character=who.id, name=who.name)

    game = Ruleset(key="t", title="T", version="1", summary="a test", actions=(), sheet=sheet, time_passed=time_passed)
    table = table_after((events.TimePassed(seconds=100),), ruleset=game)
    clock.advance(table, clock.HOUR, rest=True)
    assert seen == [(100, 3_700, True)]
    assert recorded_events(table) == (events.TimePassed(seconds=clock.HOUR, activity="rest"),)
    clock.advance(table, clock.HOUR, rest=True)
    assert clock.resting_since(table, 0) == 100
    without_rules = table_after()
    clock.advance(without_rules, 5)
    assert without_rules.clock == 5
    assert clock.resting_since(without_rules, 3) == 3


def test_what_time_does_to_somebody_who_rests_does_not_end_the_rest() -> None:
    def time_passed(table: Table, before: int, *, rest: bool) -> None:
        table.record(events.DamageTaken(character="ann", amount=1, dealt=1))

    def sheet(who: Character, campaign: CampaignState) -> Sheet:
        return Sheet(character=who.id, name=who.name)

    game = Ruleset(key="t", title="T", version="1", summary="a test", actions=(), sheet=sheet, time_passed=time_passed)
    table = table_after((events.CharacterJoined(character="ann", name="Ann"),), ruleset=game)
    for _ in range(2):
        clock.advance(table, clock.HOUR, rest=True)
    assert clock.resting_since(table, table.clock) == 0
    assert table.character("ann").lost == 2
    clock.advance(table, clock.HOUR)
    assert clock.resting_since(table, table.clock) == table.clock


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


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("10 minutes", 600), ("up to 1 hour", 3_600), ("2 days", 172_800), ("1 round", 6), ("a while", 0), ("", 0)],
)
def test_a_span_in_words_has_seconds(text: str, seconds: int) -> None:
    assert clock.span_seconds(text, round_seconds=6) == seconds
