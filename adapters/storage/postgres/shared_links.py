"""Links and browsers in a shared store: what one node takes, revokes or forgets, every other one knows at its next request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from psycopg import Cursor

from rollbook.adapters.storage.postgres.bell import SEATS
from rollbook.adapters.storage.postgres.connecting import Connections, Row
from rollbook.adapters.storage.postgres.recorder import as_name, as_text
from rollbook.application.ports.clock import microseconds
from rollbook.application.ports.seat_links import (
    BROWSER_LASTS,
    DAY,
    HOST_LINK_LASTS,
    SeatLink,
    check_good,
    digest,
    may_be_secret,
    new_secret,
)
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import CampaignId

FIELDS = "seat_links.number, campaign, identity, seat, made, until, used, revoked"
FIND = f"SELECT {FIELDS} FROM rollbook.seat_links WHERE token = %(token)s"  # noqa: S608 - our own text
OF = f"SELECT {FIELDS} FROM rollbook.seat_links WHERE campaign = %(campaign)s AND identity = %(identity)s ORDER BY number"  # noqa: S608
MAKE = f"""\
INSERT INTO rollbook.seat_links (token, campaign, identity, seat, made, until)
VALUES (%(token)s, %(campaign)s, %(identity)s, %(seat)s, %(made)s, %(until)s)
ON CONFLICT (token) DO UPDATE SET until = excluded.until RETURNING {FIELDS}"""  # noqa: S608 - our own text
TIDY = "DELETE FROM rollbook.seat_links WHERE until > 0 AND until < %(now)s AND used = 0"
REVOKE = f"""\
WITH lost AS (
    UPDATE rollbook.seat_links SET revoked = %(now)s WHERE number = %(number)s AND revoked = 0 RETURNING campaign
) SELECT pg_notify('{SEATS}', campaign) FROM lost"""  # noqa: S608 - our own text
FORGET = f"""\
WITH lost AS (DELETE FROM rollbook.seat_links WHERE campaign = %(campaign)s RETURNING campaign)
SELECT pg_notify('{SEATS}', campaign) FROM lost GROUP BY campaign"""  # noqa: S608 - our own text
WHERE_TAKEN = """\
FROM rollbook.browsers
JOIN rollbook.taken ON taken.browser = browsers.number JOIN rollbook.seat_links ON seat_links.number = taken.link
WHERE cookie = ANY(%(cookies)s)"""
TAKEN = f"""\
SELECT cookie, day, {FIELDS} {WHERE_TAKEN} AND day >= %(since)s ORDER BY at DESC, seat_links.number DESC"""
CAME_BACK = "UPDATE rollbook.browsers SET day = %(today)s WHERE cookie = %(cookie)s AND day < %(today)s"
LEAVE = f"""\
WITH lost AS (SELECT DISTINCT campaign {WHERE_TAKEN}),
gone AS (DELETE FROM rollbook.browsers WHERE cookie = ANY(%(cookies)s))
SELECT pg_notify('{SEATS}', campaign) FROM lost"""  # noqa: S608 - our own text
NOTHING_CHANGED, NOBODY = "nothing was changed", "nobody can be let in"


class SharedLinks:
    """What is kept of links and browsers (``SeatLinks``). ``clock`` gives microseconds, UTC."""

    is_far = True

    def __init__(self, connections: Connections, clock: Callable[[], int] = microseconds) -> None:
        self.connections = connections
        self._clock = clock

    def close(self) -> None:
        """Nothing is held: the connections close when nobody uses them."""

    # Links.

    def make(self, campaign: CampaignId, identity: str, seat: str) -> tuple[SeatLink, str]:
        if not campaign:
            raise Refused("A link to a seat needs a campaign.")
        return self._make(campaign, identity, seat, until=0)

    def make_hosts(self) -> tuple[SeatLink, str]:
        return self._make("", "", "", until=self._clock() + HOST_LINK_LASTS)

    def _make(self, campaign: CampaignId, identity: str, seat: str, *, until: int) -> tuple[SeatLink, str]:
        token, made = new_secret(), self._clock()
        self.connections.rows(TIDY, NOTHING_CHANGED, now=made)
        named: dict[str, object] = {"campaign": as_text(campaign), "identity": identity, "seat": as_text(seat)}
        (row,) = self.connections.rows(MAKE, NOTHING_CHANGED, token=digest(token), made=made, until=until, **named)
        return _link(row), token

    def find(self, token: str) -> SeatLink | None:
        if not may_be_secret(token):
            return None
        rows = self.connections.rows(FIND, NOBODY, token=digest(token))
        return _link(rows[0]) if rows else None

    def of(self, campaign: CampaignId, identity: str) -> tuple[SeatLink, ...]:
        return tuple(map(_link, self.connections.rows(OF, NOBODY, campaign=as_text(campaign), identity=identity)))

    def revoke(self, number: int) -> None:
        self.connections.rows(REVOKE, NOTHING_CHANGED, now=self._clock(), number=number)

    def forget(self, campaign: CampaignId) -> None:
        self.connections.rows(FORGET, NOTHING_CHANGED, campaign=as_text(campaign))

    # Browsers.

    def take(self, token: str, cookie: str) -> str:
        now, fresh = self._clock(), new_secret()
        known = digest(token) if may_be_secret(token) else b""
        with self.connections.changing(NOTHING_CHANGED) as cursor:
            row = cursor.execute(f"{FIND} FOR UPDATE".encode(), {"token": known}).fetchone()
            link = check_good(_link(row) if row else None, now)
            cursor.execute("DELETE FROM rollbook.browsers WHERE day < %s", [now // DAY - BROWSER_LASTS])
            browser = _browser(cursor, digest(cookie), digest(fresh), now // DAY)
            cursor.execute(
                "INSERT INTO rollbook.taken VALUES (%s, %s, %s) ON CONFLICT (browser, link) DO UPDATE SET at = excluded.at",
                [browser, link.number, now],
            )
            cursor.execute(
                "UPDATE rollbook.seat_links SET used = %s WHERE number = %s AND used = 0", [now, link.number]
            )
        return fresh

    def taken(self, cookie: str) -> tuple[SeatLink, ...]:
        if not may_be_secret(cookie):
            return ()
        key, today = digest(cookie), self._clock() // DAY
        rows = self._taken([key], today)
        if rows and rows[0][1] < today:  # once a day, so that nothing tells when within it
            with suppress(RollbookError):
                self.connections.rows(CAME_BACK, NOTHING_CHANGED, cookie=key, today=today)
        return tuple(_link(row[2:]) for row in rows)

    def taken_by(self, cookies: Collection[str]) -> Mapping[str, tuple[SeatLink, ...]]:
        keys = {digest(cookie): cookie for cookie in cookies if may_be_secret(cookie)}
        found: dict[str, tuple[SeatLink, ...]] = {}
        for key, _, *link in self._taken(list(keys), self._clock() // DAY) if keys else ():
            found[keys[key]] = (*found.get(keys[key], ()), _link(tuple(link)))
        return found

    def _taken(self, keys: list[bytes], today: int) -> list[Row]:
        return self.connections.rows(TAKEN, NOBODY, cookies=keys, since=today - BROWSER_LASTS)

    def leave(self, cookie: str) -> None:
        if may_be_secret(cookie):
            self.connections.rows(LEAVE, NOTHING_CHANGED, cookies=[digest(cookie)])

    # Where the table is served.

    def note_addresses(self, addresses: tuple[str, ...]) -> None:
        with self.connections.changing(NOTHING_CHANGED) as cursor:
            cursor.execute("DELETE FROM rollbook.addresses")
            for place, address in enumerate(addresses):
                cursor.execute(
                    "INSERT INTO rollbook.addresses VALUES (%s, %s) ON CONFLICT (place) DO UPDATE SET address = excluded.address",
                    [place, address],
                )

    def addresses(self) -> tuple[str, ...]:
        rows = self.connections.rows(
            "SELECT address FROM rollbook.addresses ORDER BY place", "nobody knows where the table is served"
        )
        return tuple(address for (address,) in rows)


def _browser(cursor: Cursor[Row], old: bytes, fresh: bytes, today: int) -> int:
    """The number of a browser, known by its new cookie from now on."""
    changed = "UPDATE rollbook.browsers SET cookie = %s, day = %s WHERE cookie = %s RETURNING number"
    row = cursor.execute(changed.encode(), [fresh, today, old]).fetchone()
    if row is None:
        new = "INSERT INTO rollbook.browsers (cookie, day) VALUES (%s, %s) RETURNING number"
        row = cursor.execute(new.encode(), [fresh, today]).fetchone()
    assert row is not None
    return int(row[0])


def _link(row: Row) -> SeatLink:
    number, campaign, identity, seat, made, until, used, revoked = row
    return SeatLink(
        number=number,
        campaign=as_name(campaign),
        identity=identity,
        seat=as_name(seat),
        made=made,
        until=until,
        used=used,
        revoked=revoked,
    )
