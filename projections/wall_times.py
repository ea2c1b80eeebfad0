"""Days and minutes as clocks show them, as stretches of time. Where clocks are put back, a minute comes twice: both are meant."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""The first and the last microsecond since 1970, UTC."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MINUTE = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
_MICROSECOND, _SECOND = timedelta(microseconds=1), timedelta(seconds=1)
_BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001 - what a clock in any zone shows


def spans(text: str, zone: tzinfo) -> Sequence[Span]:
    """When clocks in a zone show a day or a minute: once, or twice. Raises ValueError with a sentence.

    A minute that clocks skip is an empty stretch, at the moment in which they skip it.
    """
    try:
        if _DAY.fullmatch(text):
            day = datetime.fromisoformat(text)
            return ((_instants(day, zone)[0], _instants(day + timedelta(days=1), zone)[0] - 1),)
        if found := _MINUTE.fullmatch(text):
            return _minutes(datetime.fromisoformat(f"{found[1]}T{found[2]}"), zone)
        raise ValueError(text)
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is not a time, as in 2026-11-20 or 2026-11-20T21:30.") from None


def _minutes(shown: datetime, zone: tzinfo) -> Sequence[Span]:
    instants = _instants(shown, zone)
    length = 0 if _is_skipped(shown, zone) else timedelta(minutes=1) // _MICROSECOND
    return [(first, first + length - 1) for first in instants]


def _instants(shown: datetime, zone: tzinfo) -> Sequence[int]:
    """When clocks show something: in order, and twice where they are put back; where they skip it, when they do."""
    early, late = (_offset(shown, zone, fold) for fold in (0, 1))
    wall = (shown - _BEGINNING) // _MICROSECOND
    if early > late:
        return wall - early // _MICROSECOND, wall - late // _MICROSECOND
    if early < late:
        return (_skip(shown, zone),)
    return (wall - early // _MICROSECOND,)


def _offset(shown: datetime, zone: tzinfo, fold: int) -> timedelta:
    return shown.replace(tzinfo=zone, fold=fold).utcoffset() or timedelta()


def _is_skipped(shown: datetime, zone: tzinfo) -> bool:
    return _offset(shown, zone, 0) < _offset(shown, zone, 1)


def _skip(shown: datetime, zone: tzinfo) -> int:
    """The second in which clocks go from something earlier to something later than this."""
    before, after = ((shown - _offset(shown, zone, fold)).replace(tzinfo=UTC) for fold in (1, 0))
    seconds = range((after - before) // _SECOND)
    until = bisect_left(
        seconds, x=True, key=lambda second: (before + second * _SECOND).astimezone(zone).replace(tzinfo=None) >= shown
    )
    return (before + until * _SECOND - _BEGINNING.replace(tzinfo=UTC)) // _MICROSECOND
