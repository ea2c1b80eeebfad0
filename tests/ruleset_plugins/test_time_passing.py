"""Stretches of time, in the order of the clock."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.state import CampaignState, Character
from domain.table import Table
from ruleset_plugins import Ruleset, Sheet, events
from ruleset_plugins.kit import clock
from ruleset_plugins.testing.scenarios import rule
from tests.support.bare_table import recorded_events, table_after

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
    assert [at for at, _ in clock.ticks(before, after, {"it": (length, start)})] == ends


@rule("Q0.29")
@given(CLOCKS, CLOCKS, st.dictionaries(st.sampled_from("abcd"), st.tuples(LENGTHS, CLOCKS)))
def test_everything_comes_in_the_order_of_the_clock_and_then_of_its_naming(before: int, more: int, lengths) -> None:
    found = list(clock.ticks(before, before + more, lengths))
    assert [at for at, _ in found] == sorted(at for at, _ in found)
    names = list(lengths)
    assert found == sorted(found, key=lambda each: (each[0], names.index(each[1])))
    assert len(found) == sum(clock.completed(before, before + more, *each) for each in lengths.values())


def test_what_ends_in_the_same_second_comes_in_the_order_given() -> None:
    lengths = {"harm": (clock.HOUR, 0), "rest": (2 * clock.HOUR, 0), "minute": (30 * clock.MINUTE, 0)}
    assert list(clock.ticks(0, 2 * clock.HOUR, lengths))[-3:] == [
        (2 * clock.HOUR, "harm"),
        (2 * clock.HOUR, "rest"),
        (2 * clock.HOUR, "minute"),
    ]
    assert clock.DAY == 24 * clock.HOUR


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
