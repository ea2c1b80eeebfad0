"""Statements about the tokens of seats, for any database that has the tables of links."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import attrs

from rollbook.application.ports.seat_links import DAY, SeatLink, digest, new_secret
from rollbook.application.ports.seat_tokens import MARK, Scope, SeatToken
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.identifiers import CampaignId

KINDS = (int, str, str, str, int, int, int, int)
FIELDS = "links.number, campaign, identity, seat, made, until, used, revoked"
NOTHING_CHANGED, NOBODY = "nothing was changed", "nobody can be let in"
Row = tuple[Any, ...]

TOKEN_KINDS = (int, str, str, int, int, int, int)
TOKENS = f"""\
SELECT tokens.id, name, scopes, given, ends, day, ended, {FIELDS}
FROM {{tokens}} AS tokens JOIN {{links}} AS links ON links.number = tokens.link WHERE """  # noqa: S608 - our own text
BY = f"{TOKENS}digest = :digest AND ended = 0 AND ends > :now"
ALL_OF = f"{TOKENS}campaign = :campaign AND identity = :identity ORDER BY tokens.id"
MAKE = """\
INSERT INTO {tokens} (digest, link, name, scopes, given, ends) VALUES (:digest, :link, :name, :scopes, :now, :ends)"""
USED = "UPDATE {tokens} SET day = :today WHERE digest = :digest AND day < :today"


class TokenTables:
    """Tokens (``SeatTokens``) in a database. ``clock`` gives microseconds, UTC.

    ``END``, which differs between databases, ends the token of a ``:number``.
    """

    END = "UPDATE {tokens} SET ended = :now WHERE id = :number AND ended = 0"

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock

    @abstractmethod
    def _rows(self, statement: str, outcome: str, **named: object) -> list[Row]:
        """The rows that a statement returns. Raises RollbookError that names the ``outcome``."""

    def make_token(self, link: int, name: str, scopes: frozenset[Scope], until: int) -> tuple[SeatToken, str]:
        token = f"{MARK}{new_secret()}"
        named: dict[str, object] = {"link": link, "name": name, "scopes": " ".join(sorted(scopes)), "ends": until}
        self._rows(MAKE, NOTHING_CHANGED, digest=digest(token), now=self._clock(), **named)
        (found,) = self.link_by(token)
        if found.by is None:
            raise NotFound("The link of that token is gone.")
        return found.by, token

    def link_by(self, token: str) -> tuple[SeatLink, ...]:
        """The link of a token, with the token; none if it never was, or has ended."""
        key, today = digest(token), self._clock() // DAY
        rows = self._rows(BY, NOBODY, digest=key, now=self._clock())
        if not rows:
            return ()
        by = token_of(rows[0])
        if by.day < today:  # once a day, as of browsers; on a full disk not at all
            with suppress(RollbookError):
                self._rows(USED, NOTHING_CHANGED, digest=key, today=today)
        return (attrs.evolve(link_of(rows[0][len(TOKEN_KINDS) :]), by=by),)

    def tokens_of(self, campaign: CampaignId, identity: str) -> tuple[SeatToken, ...]:
        return tuple(map(token_of, self._rows(ALL_OF, NOBODY, campaign=campaign, identity=identity)))

    def revoke_token(self, number: int) -> None:
        self._rows(self.END, NOTHING_CHANGED, now=self._clock(), number=number)


def link_of(row: Sequence[Any]) -> SeatLink:
    """The link in a row of ``FIELDS``."""
    names = (field.name for field in attrs.fields(SeatLink))
    return SeatLink(**dict(zip(names, row, strict=False)))


def token_of(row: Sequence[Any]) -> SeatToken:
    """The token in a row of ``TOKENS``. Scopes of a later version are left out: here they allow nothing."""
    (number, name, scopes, made, until, day, ended), link = row[: len(TOKEN_KINDS)], link_of(row[len(TOKEN_KINDS) :])
    return SeatToken(
        number=number,
        link=link.number,
        seat=link.seat,
        name=name,
        scopes=frozenset(scope for scope in Scope if scope in scopes.split()),
        made=made,
        until=until,
        day=day,
        ended=ended or link.revoked,
    )
