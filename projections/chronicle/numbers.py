"""Tables of a chronicle, and its dates."""

from datetime import datetime, tzinfo

import attrs

from rollbook.domain.base.number_words import counted

MICROSECONDS = 1_000_000


@attrs.frozen(kw_only=True)
class Table:
    """Rows under columns. ``numeric`` says of each column whether it is written to the right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]


def day(at: int, zone: tzinfo) -> str:
    """Microseconds since 1970 as a day in a zone: ``22 November 2026``; "" for 0, which is not known."""
    if not at:
        return ""
    moment = datetime.fromtimestamp(at / MICROSECONDS, zone)
    return f"{moment.day} {moment:%B %Y}"


def days(first: int, last: int, zone: tzinfo) -> str:
    """From the first day to the last: one day alone if they are the same."""
    begun, ended = day(first, zone), day(last, zone)
    return begun if begun == ended or not ended else f"{begun} to {ended}" if begun else ended


def listed(names: list[str] | tuple[str, ...]) -> str:
    """``Robin, Marian and Will``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def points(amount: int) -> str:
    """``1 hit point``, ``7 hit points``."""
    return counted(amount, "hit point")
