"""Moments on pages that are of no campaign's table, such as how long a link holds."""

from datetime import UTC, datetime


def when(at: int) -> str:
    """A moment (microseconds, UTC) for people, "" for 0."""
    return f"{datetime.fromtimestamp(at / 1_000_000, UTC):%Y-%m-%d %H:%M} UTC" if at else ""
