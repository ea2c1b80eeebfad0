"""Moments on pages that are of no campaign's table, such as how long a link holds."""

from rollbook.application.time_zones import IN_UTC


def when(at: int) -> str:
    """A moment (microseconds, UTC) for people, "" for 0."""
    return IN_UTC.time(at) if at else ""
