"""Tokens by which a program acts from a seat, as a browser does with its cookie.

A token belongs to a link of the seat: it ends with the link, and with the seat's rights, which only the history has. It
may do what its scopes name, until a day that is set when it is made. As of links, only digests are kept.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

import attrs

from rollbook.domain.base.records import Record

MARK = "rollbook."
"""The beginning of every token. No cookie and no link has a full stop in it, so that none is ever taken for another."""


class Scope(StrEnum):
    """A purpose for which a token may be used. ``ACT`` and ``CORRECT`` record; ``EXPORT`` gives the whole edition of the seat."""

    READ = "read"
    ACT = "act"
    CORRECT = "correct"
    EXPORT = "export"


@attrs.frozen(kw_only=True)
class SeatToken(Record):
    """A token for the ``seat`` of a ``link`` (its number). ``name`` is what its owner calls it.

    Times are microseconds since 1970, UTC; ``day`` is the day of its last use (since 1970), ``ended`` when it was revoked;
    0 stands for never.
    """

    number: int
    link: int
    seat: str
    name: str
    scopes: frozenset[Scope]
    made: int
    until: int
    day: int = 0
    ended: int = 0

    def is_good(self, now: int) -> bool:
        """True if it may be used now, as far as its link leads anywhere."""
        return not self.ended and now < self.until


class SeatTokens(Protocol):
    """Tokens of the seats of one store. Raises RollbookError if they cannot be read or written."""

    def make_token(self, link: int, name: str, scopes: frozenset[Scope], until: int) -> tuple[SeatToken, str]:
        """A token that hangs on a link, and its text, which is returned here and never again."""

    def tokens_of(self, campaign: str, identity: str) -> tuple[SeatToken, ...]:
        """All tokens of the seats of a campaign, the oldest first."""

    def revoke_token(self, number: int) -> None:
        """End a token. Whichever program answers its next request refuses it."""


def is_token(text: str) -> bool:
    """True if a text is meant as a token."""
    return text.startswith(MARK)
