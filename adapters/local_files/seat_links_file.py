"""Tables of links and browsers: statements for any database, and a small SQLite file of them beside the seeds.

Several programs may use that file at once.
"""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock

from rollbook.adapters.local_files.own_files import make_empty, make_folder, named
from rollbook.adapters.local_files.sqlite_faults import check_types, in_words
from rollbook.adapters.local_files.token_tables import (
    FIELDS,
    KINDS,
    NOBODY,
    NOTHING_CHANGED,
    TOKEN_KINDS,
    Row,
    TokenTables,
    link_of,
)
from rollbook.adapters.presentation.installing import install
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
from rollbook.application.ports.seat_tokens import is_token
from rollbook.domain.base.errors import HistoryDamaged, Refused, RollbookError
from rollbook.domain.base.identifiers import CampaignId

SHAPE = 2
TABLES = """
CREATE TABLE IF NOT EXISTS links (
    number INTEGER PRIMARY KEY AUTOINCREMENT, token BLOB NOT NULL UNIQUE, campaign TEXT NOT NULL, identity TEXT NOT NULL,
    seat TEXT NOT NULL, made INTEGER NOT NULL, until INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0,
    revoked INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS links_of_campaigns ON links (campaign, identity);
CREATE TABLE IF NOT EXISTS browsers (number INTEGER PRIMARY KEY AUTOINCREMENT, cookie BLOB NOT NULL UNIQUE, day INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS taken (
    browser INTEGER NOT NULL REFERENCES browsers ON DELETE CASCADE, link INTEGER NOT NULL REFERENCES links ON DELETE CASCADE,
    at INTEGER NOT NULL, PRIMARY KEY (browser, link)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS addresses (place INTEGER PRIMARY KEY, address TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, link INTEGER NOT NULL REFERENCES links ON DELETE CASCADE,
    name TEXT NOT NULL, scopes TEXT NOT NULL, given INTEGER NOT NULL, ends INTEGER NOT NULL, day INTEGER NOT NULL DEFAULT 0,
    ended INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS tokens_of_links ON tokens (link);
"""
BUSY_SECONDS = 5.0

FIND = f"SELECT {FIELDS} FROM {{links}} AS links WHERE token = :token"  # noqa: S608 - our own text
OF = f"SELECT {FIELDS} FROM {{links}} AS links WHERE campaign = :campaign AND identity = :identity ORDER BY number"  # noqa: S608
MAKE = f"""\
INSERT INTO {{links}} (token, campaign, identity, seat, made, until) VALUES (:token, :campaign, :identity, :seat, :made, :until)
ON CONFLICT (token) DO UPDATE SET until = excluded.until RETURNING {FIELDS.removeprefix("links.")}"""  # noqa: S608 - our own text
TIDY = "DELETE FROM {links} WHERE until > 0 AND until < :now AND used = 0"
WHERE_TAKEN = """\
FROM {browsers} AS browsers JOIN {taken} AS taken ON taken.browser = browsers.number
JOIN {links} AS links ON links.number = taken.link"""
TAKEN = f"SELECT cookie, day, {FIELDS} {WHERE_TAKEN} WHERE day >= :since AND "
LAST_FIRST = " ORDER BY at DESC, links.number DESC"
CAME_BACK = "UPDATE {browsers} SET day = :today WHERE cookie = :cookie AND day < :today"
FORGOTTEN = "DELETE FROM {browsers} WHERE day < :since"
KNOWN_BY = "UPDATE {browsers} SET cookie = :fresh, day = :today WHERE cookie = :old RETURNING number"
NEW_BROWSER = "INSERT INTO {browsers} (cookie, day) VALUES (:fresh, :today) RETURNING number"
TAKE = """\
INSERT INTO {taken} (browser, link, at) VALUES (:browser, :link, :now)
ON CONFLICT (browser, link) DO UPDATE SET at = excluded.at"""
USED = "UPDATE {links} SET used = :now WHERE number = :link AND used = 0"
ADDRESS = """\
INSERT INTO {addresses} (place, address) VALUES (:place, :address)
ON CONFLICT (place) DO UPDATE SET address = excluded.address"""

TABLE_NAMES = {name: name for name in ("links", "browsers", "taken", "addresses", "tokens")}


class LinkTables(TokenTables):
    """Links and browsers (``SeatLinks``) in a database; statements name tables in ``{}`` and values as ``:name``.

    Statements that differ between databases are attributes: ``REVOKE``, ``FORGET``, ``LEAVE`` and ``LOCKED``.
    """

    REVOKE = "UPDATE {links} SET revoked = :now WHERE number = :number AND revoked = 0"
    FORGET = "DELETE FROM {links} WHERE campaign = :campaign"
    LEAVE = "DELETE FROM {browsers} WHERE cookie = :cookie"
    LOCKED = ""

    @abstractmethod
    def _changing(self) -> AbstractContextManager[Callable[..., list[Row]]]:
        """A transaction: a function that runs a statement with its values. All are done together, or none."""

    # Links.

    def make(self, campaign: CampaignId, identity: str, seat: str) -> tuple[SeatLink, str]:
        if not campaign:
            raise Refused("A link to a seat needs a campaign.")
        return self._make(campaign, identity, seat, until=0)

    def make_hosts(self) -> tuple[SeatLink, str]:
        return self._make("", "", "", until=self._clock() + HOST_LINK_LASTS)

    def make_for_hosts_page(self, name: str) -> tuple[SeatLink, str]:
        if not name:
            raise Refused("A link to the host's page needs a name.")
        return self._make("", "", name, until=0)

    def _make(self, campaign: CampaignId, identity: str, seat: str, *, until: int) -> tuple[SeatLink, str]:
        token, made = new_secret(), self._clock()
        self._rows(TIDY, NOTHING_CHANGED, now=made)
        named: dict[str, object] = {
            "campaign": campaign,
            "identity": identity,
            "seat": seat,
            "made": made,
            "until": until,
        }
        (row,) = self._rows(MAKE, NOTHING_CHANGED, token=digest(token), **named)
        return link_of(row), token

    def find(self, token: str) -> SeatLink | None:
        rows = self._rows(FIND, NOBODY, token=digest(token)) if may_be_secret(token) else []
        return link_of(rows[0]) if rows else None

    def of(self, campaign: CampaignId, identity: str) -> tuple[SeatLink, ...]:
        return tuple(map(link_of, self._rows(OF, NOBODY, campaign=campaign, identity=identity)))

    def revoke(self, number: int) -> None:
        self._rows(self.REVOKE, NOTHING_CHANGED, now=self._clock(), number=number)

    def forget(self, campaign: CampaignId) -> None:
        self._rows(self.FORGET, NOTHING_CHANGED, campaign=campaign)

    # Browsers.

    def take(self, token: str, cookie: str) -> str:
        now, fresh = self._clock(), new_secret()
        known = digest(token) if may_be_secret(token) else b""
        with self._changing() as do:
            rows = do(FIND + self.LOCKED, token=known)
            link = check_good(link_of(rows[0]) if rows else None, now)
            do(FORGOTTEN, since=now // DAY - BROWSER_LASTS)
            browser: dict[str, object] = {"old": digest(cookie), "fresh": digest(fresh), "today": now // DAY}
            ((number,),) = do(KNOWN_BY, **browser) or do(NEW_BROWSER, **browser)
            do(TAKE, browser=number, link=link.number, now=now)
            do(USED, link=link.number, now=now)
        return fresh

    def taken(self, cookie: str) -> tuple[SeatLink, ...]:
        if not may_be_secret(cookie):
            return ()
        if is_token(cookie):
            return self.link_by(cookie)
        key, today = digest(cookie), self._clock() // DAY
        rows = self._rows(f"{TAKEN}cookie = :cookie{LAST_FIRST}", NOBODY, cookie=key, since=today - BROWSER_LASTS)
        if rows and rows[0][1] < today:  # once a day, so that the time of day is not stored; on a full disk not at all
            with suppress(RollbookError):
                self._rows(CAME_BACK, NOTHING_CHANGED, cookie=key, today=today)
        return tuple(link_of(link) for _, _, *link in rows)

    def leave(self, cookie: str) -> None:
        if may_be_secret(cookie):
            self._rows(self.LEAVE, NOTHING_CHANGED, cookie=digest(cookie))

    # Addresses of the server.

    def note_addresses(self, addresses: tuple[str, ...]) -> None:
        with self._changing() as do:
            do("DELETE FROM {addresses}")
            for place, address in enumerate(addresses):
                do(ADDRESS, place=place, address=address)

    def addresses(self) -> tuple[str, ...]:
        rows = self._rows("SELECT address FROM {addresses} ORDER BY place", "nobody knows where the table is served")
        return tuple(address for (address,) in rows)


def links_path(seeds: Path, store: str) -> Path:
    """The file of links for the store of that identity: beside its ``seeds``, which only their owner may read."""
    return seeds / f"{sha256(store.encode()).hexdigest()[:24]}.seats.db"


def carry_links(seeds: Path, before: str, after: str) -> None:
    """Copy the links of a restored store from its identity ``before`` to its new one, ``after``.

    If they cannot be copied, the store is restored all the same, and new links have to be made.
    """
    old, new = links_path(seeds, before), links_path(seeds, after)
    if before and old.exists() and not new.exists():
        with suppress(RollbookError, sqlite3.Error, OSError), closing(SeatLinksFile(old)) as links:
            links.copy_to(new)


class SeatLinksFile(LinkTables):
    """An open file of links. It may be used from several threads: a lock serialises its statements."""

    is_far = False

    def __init__(self, path: Path, clock: Callable[[], int] = microseconds) -> None:
        super().__init__(clock)
        self.path = path
        self._lock = Lock()
        self._moment = (0, 0, 0)
        self._held: dict[bytes, tuple[SeatLink, ...]] = {}
        with self._said("the links to its seats cannot be read"):
            make_folder(path.parent)
            make_empty(path)
            self._db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA secure_delete = ON")
            self._prepare()

    def _prepare(self) -> None:
        (shape,) = self._db.execute("PRAGMA user_version").fetchone()
        if shape > SHAPE:
            raise RollbookError(
                f"{self.path} was written by a newer rollbook. Update this one: {install(by='pip install --upgrade')}"
            )
        if shape < SHAPE:
            self._db.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {SHAPE}; COMMIT")

    def copy_to(self, path: Path) -> None:
        """Copy everything into a new file."""
        with self._lock, self._said(NOTHING_CHANGED):
            make_empty(path)
            self._db.execute("VACUUM INTO ?", (str(path),))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def _said(self, outcome: str) -> Iterator[None]:
        try:
            with in_words(self.path, outcome):
                yield
        except HistoryDamaged:
            raise RollbookError(
                f"{named(self.path)}, in which the links to seats are kept, is damaged; {outcome}. Remove that file, and give "
                f"everybody a new link: rollbook seat-link"
            ) from None

    def _ask(self, statement: str, **named: object) -> list[Row]:
        rows = self._db.execute(statement.format_map(TABLE_NAMES), named).fetchall()
        check_types([row[-len(KINDS) :] for row in rows if len(row) >= len(KINDS)], KINDS)
        check_types([row for row in rows if len(row) == len(TOKEN_KINDS) + len(KINDS)], TOKEN_KINDS)
        return rows

    def _rows(self, statement: str, outcome: str, **named: object) -> list[Row]:
        with self._lock, self._said(outcome):
            return self._ask(statement, **named)

    @contextmanager
    def _changing(self) -> Iterator[Callable[..., list[Row]]]:
        with self._lock, self._said(NOTHING_CHANGED):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._ask
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    def taken(self, cookie: str) -> tuple[SeatLink, ...]:
        if not may_be_secret(cookie):
            return ()
        known, key = self._known(), digest(cookie)
        if key not in known and (found := super().taken(cookie)):
            known[key] = found
        return known.get(key, ())

    def taken_by(self, cookies: Collection[str]) -> Mapping[str, tuple[SeatLink, ...]]:
        return {cookie: self.taken(cookie) for cookie in cookies}

    def _known(self) -> dict[bytes, tuple[SeatLink, ...]]:
        """Cache of browsers' links, emptied each day and when any program has written to the file."""
        ((others,),) = self._rows("PRAGMA data_version", NOBODY)
        moment = (self._clock() // DAY, others, self._db.total_changes)
        if moment != self._moment:
            self._moment, self._held = moment, {}
        return self._held
