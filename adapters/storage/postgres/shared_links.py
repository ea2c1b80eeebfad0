"""Links and browsers in a shared store: each node sees every other node's changes at its next request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property

from rollbook.adapters.local_files import seat_links_file, token_tables
from rollbook.adapters.storage.postgres.bell import SEATS
from rollbook.adapters.storage.postgres.connecting import Connections, Row
from rollbook.adapters.storage.postgres.recorder import as_name, as_texts
from rollbook.adapters.storage.postgres.statements import spelled
from rollbook.application.ports.clock import microseconds
from rollbook.application.ports.seat_links import BROWSER_LASTS, DAY, SeatLink, digest, may_be_secret
from rollbook.application.ports.seat_tokens import Scope, SeatToken, is_token
from rollbook.application.ports.store_address import shown
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId

TELL = f"SELECT pg_notify('{SEATS}', campaign) FROM lost"  # noqa: S608 - our own text


class SharedLinks(seat_links_file.LinkTables):
    """The links and browsers of a shared store (``SeatLinks``). ``clock`` gives microseconds, UTC."""

    is_far = True
    REVOKE = f"WITH lost AS ({seat_links_file.LinkTables.REVOKE} RETURNING campaign) {TELL}"
    FORGET = f"WITH lost AS ({seat_links_file.LinkTables.FORGET} RETURNING campaign) {TELL} GROUP BY campaign"
    LEAVE = f"""\
WITH lost AS (SELECT DISTINCT campaign {seat_links_file.WHERE_TAKEN} WHERE cookie = :cookie),
gone AS ({seat_links_file.LinkTables.LEAVE}) {TELL}"""
    LOCKED = " FOR UPDATE"
    END = f"""\
WITH ended AS ({seat_links_file.LinkTables.END} RETURNING link),
lost AS (SELECT campaign FROM {{links}} AS links JOIN ended ON links.number = ended.link) {TELL}"""  # noqa: S608 - our own text

    def __init__(self, connections: Connections, clock: Callable[[], int] = microseconds) -> None:
        super().__init__(clock)
        self.connections = connections

    def close(self) -> None:
        """Do nothing: the connections close when no object refers to them."""

    @cached_property
    def _has_tokens(self) -> bool:
        """False for a store that was made before there were tokens, until it is migrated and opened again."""
        ((found,),) = self._rows("SELECT to_regclass('rollbook.seat_tokens') IS NOT NULL", token_tables.NOBODY)
        return bool(found)

    def make_token(self, link: int, name: str, scopes: frozenset[Scope], until: int) -> tuple[SeatToken, str]:
        if not self._has_tokens:
            raise RollbookError(
                f"{shown(self.connections.address)} was made before there were tokens. "
                f"Bring it up to date as its owner: rollbook store migrate"
            )
        return super().make_token(link, name, scopes, until)

    def link_by(self, token: str) -> tuple[SeatLink, ...]:
        return super().link_by(token) if self._has_tokens else ()

    def tokens_of(self, campaign: CampaignId, identity: str) -> tuple[SeatToken, ...]:
        return super().tokens_of(campaign, identity) if self._has_tokens else ()

    def _rows(self, statement: str, outcome: str, **named: object) -> list[Row]:
        return [*map(_as_names, self.connections.rows(statement, outcome, **as_texts(named)))]

    @contextmanager
    def _changing(self) -> Iterator[Callable[..., list[Row]]]:
        with self.connections.changing(token_tables.NOTHING_CHANGED) as cursor:

            def do(statement: str, **named: object) -> list[Row]:
                asked = cursor.execute(spelled(statement).encode(), as_texts(named))
                return [*map(_as_names, asked)] if asked.description else []

            yield do

    def taken_by(self, cookies: Collection[str]) -> Mapping[str, tuple[SeatLink, ...]]:
        since, found = self._clock() // DAY - BROWSER_LASTS, dict[str, tuple[SeatLink, ...]]()
        found |= {cookie: self.taken(cookie) for cookie in cookies if is_token(cookie)}
        keys = {digest(cookie): cookie for cookie in cookies if may_be_secret(cookie) and cookie not in found}
        wanted = f"{seat_links_file.TAKEN}cookie = ANY(:cookies){seat_links_file.LAST_FIRST}"
        for key, _, *row in self._rows(wanted, token_tables.NOBODY, cookies=list(keys), since=since) if keys else ():
            found[keys[key]] = (*found.get(keys[key], ()), token_tables.link_of(row))
        return found


def _as_names(row: Row) -> Row:
    return tuple(as_name(value) if isinstance(value, str) else value for value in row)
