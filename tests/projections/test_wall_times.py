"""Days and minutes of a zone are found where its clocks show them, whatever season it is now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.projections.filters import spans

BERLIN, HAVANA, SYDNEY = (ZoneInfo(name) for name in ("Europe/Berlin", "America/Havana", "Australia/Sydney"))
ZONES = (BERLIN, HAVANA, SYDNEY, ZoneInfo("Asia/Kathmandu"), ZoneInfo("America/Los_Angeles"), UTC)
MOMENTS = st.datetimes(datetime(1975, 1, 1), datetime(2036, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001


def micros(at: datetime) -> int:
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


@given(MOMENTS, st.sampled_from(ZONES))
def test_a_moment_is_found_by_the_minute_and_the_day_that_clocks_show(at: datetime, zone: ZoneInfo) -> None:
    shown = at.astimezone(zone)
    for text in (f"{shown:%Y-%m-%d}", f"{shown:%Y-%m-%dT%H:%M}", f"{shown:%Y-%m-%d %H:%M}"):
        assert any(first <= micros(at) <= last for first, last in spans(text, zone))


@given(MOMENTS, st.sampled_from(ZONES), st.sampled_from(["%Y-%m-%d", "%Y-%m-%dT%H:%M"]))
def test_nothing_else_is_found(at: datetime, zone: ZoneInfo, form: str) -> None:
    text = at.astimezone(zone).strftime(form)
    for first, last in spans(text, zone):
        for moment, is_in in ((first, True), (last, True), (first - 1, False), (last + 1, False)):
            shown = datetime.fromtimestamp(moment // 1_000_000, UTC).astimezone(zone).strftime(form)
            assert (shown == text) == is_in


def test_the_hour_that_comes_twice_is_found_twice() -> None:
    one, other = spans("2026-10-25T02:30", BERLIN)
    assert other[0] - one[0] == 3_600_000_000
    assert one[1] - one[0] == other[1] - other[0] == 59_999_999


def test_what_clocks_skip_is_empty_and_lies_where_they_skip_it() -> None:
    ((first, last),) = spans("2026-03-29T02:30", BERLIN)
    assert last < first
    assert first == spans("2026-03-29T03:00", BERLIN)[0][0] == spans("2026-03-29T01:59", BERLIN)[0][1] + 1


def test_a_day_is_as_long_as_its_clocks_make_it() -> None:
    hours = [
        (last - first + 1) // 3_600_000_000
        for day in ("03-29", "10-25")
        for first, last in spans(f"2026-{day}", BERLIN)
    ]
    assert hours == [23, 25]


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31", "0001-01-01T00:00", "9999-12-31T23:59"])
@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_the_first_and_the_last_day_of_all_are_days_or_a_sentence(text: str, zone: ZoneInfo) -> None:
    try:
        assert spans(text, zone)
    except ValueError as sentence:
        assert "is not a time" in str(sentence)
