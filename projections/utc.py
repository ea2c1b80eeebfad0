"""Moments in UTC, as other programs read them."""

from datetime import UTC, datetime, timedelta

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def moment(at: int) -> str:
    """Microseconds since 1970 as RFC 3339 has them, UTC: ``2026-11-22T18:04:05.000017Z``. "" if unknown, or out of its range."""
    when = _moment(at)
    return f"{when:%Y-%m-%dT%H:%M:%S}.{when.microsecond:06}Z" if when else ""


def second(at: int) -> str:
    """Microseconds since 1970 as spreadsheets read them, UTC: ``2026-11-22 18:04:05``."""
    when = _moment(at)
    return f"{when:%Y-%m-%d %H:%M:%S}" if when else ""


def _moment(at: int) -> datetime | None:
    try:
        found = _BEGINNING + timedelta(microseconds=at)
    except OverflowError:
        return None
    return found if at and found.year >= 1000 else None
