"""Links and browsers in a small SQLite file of their own, in the state folder, which several programs may use at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock

from rollbook.adapters.local_files.own_files import make_empty, make_folder, named
from rollbook.adapters.local_files.sqlite_faults import check_types, in_words
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
from rollbook.domain.base.errors import HistoryDamaged, Refused, RollbookError
from rollbook.domain.base.identifiers import CampaignId

SHAPE = 1
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
"""
KINDS = (int, str, str, str, int, int, int, int)
FIELDS = "links.number, campaign, identity, seat, made, until, used, revoked"
NOTHING_CHANGED = "nothing was changed"
BUSY_SECONDS = 5.0


def links_path(seeds: Path, store: str) -> Path:
    """Where the links are kept for the store of that identity: beside its ``seeds``, which nobody else may read either."""
    return seeds / f"{sha256(store.encode()).hexdigest()[:24]}.seats.db"


def carry_links(seeds: Path, before: str, after: str) -> None:
    """Go on with the links of a store (its identity ``before``) that was restored, and so has another identity now.

    Where they cannot be copied the store is restored all the same, and new ones are made.
    """
    old, new = links_path(seeds, before), links_path(seeds, after)
    if before and old.exists() and not new.exists():
        with suppress(RollbookError, sqlite3.Error, OSError), closing(SeatLinksFile(old)) as links:
            links.copy_to(new)


class SeatLinksFile:
    """One open file. It may be used from several threads, one after the other. ``clock`` gives microseconds, UTC."""

    is_far = False

    def __init__(self, path: Path, clock: Callable[[], int] = microseconds) -> None:
        self.path = path
        self._clock = clock
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
        """Make the tables of a new file. Nothing is written to one that has them."""
        (shape,) = self._db.execute("PRAGMA user_version").fetchone()
        if shape > SHAPE:
            raise RollbookError(
                f"{self.path} was written by a newer rollbook. Update this one: pip install --upgrade rollbook"
            )
        if shape < SHAPE:
            self._db.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {SHAPE}; COMMIT")

    def copy_to(self, path: Path) -> None:
        """Copy everything into a new file."""
        with self._lock, self._said(NOTHING_CHANGED):
            make_empty(path)
            self._db.execute("VACUUM INTO ?", (str(path),))

    def close(self) -> None:
        """Let go of the file."""
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

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """All that is done inside, or nothing of it."""
        with self._lock, self._said(NOTHING_CHANGED):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    def _links(self, tail: str, *values: object) -> tuple[SeatLink, ...]:
        with self._lock, self._said("nobody can be let in"):
            return tuple(map(_link, self._db.execute(f"SELECT {FIELDS} FROM links {tail}", values)))  # noqa: S608 - our own text

    # Links.

    def make(self, campaign: CampaignId, identity: str, seat: str) -> tuple[SeatLink, str]:
        if not campaign:
            raise Refused("A link to a seat needs a campaign.")
        return self._make(campaign, identity, seat, until=0)

    def make_hosts(self) -> tuple[SeatLink, str]:
        return self._make("", "", "", until=self._clock() + HOST_LINK_LASTS)

    def _make(self, campaign: CampaignId, identity: str, seat: str, *, until: int) -> tuple[SeatLink, str]:
        token, made = new_secret(), self._clock()
        with self._changing() as db:
            db.execute("DELETE FROM links WHERE until > 0 AND until < ? AND used = 0", (made,))
            row = db.execute(
                f"INSERT INTO links (token, campaign, identity, seat, made, until) VALUES (?, ?, ?, ?, ?, ?) RETURNING {FIELDS}",  # noqa: S608 - our own text
                (digest(token), campaign, identity, seat, made, until),
            ).fetchone()
        return _link(row), token

    def find(self, token: str) -> SeatLink | None:
        with self._lock, self._said("nobody can be let in"):
            return _found(self._db, token)

    def of(self, campaign: CampaignId, identity: str) -> tuple[SeatLink, ...]:
        return self._links("WHERE campaign = ? AND identity = ? ORDER BY number", campaign, identity)

    def revoke(self, number: int) -> None:
        with self._changing() as db:
            db.execute("UPDATE links SET revoked = ? WHERE number = ? AND revoked = 0", (self._clock(), number))

    def forget(self, campaign: CampaignId) -> None:
        with self._changing() as db:
            db.execute("DELETE FROM links WHERE campaign = ?", (campaign,))

    # Browsers.

    def take(self, token: str, cookie: str) -> str:
        now, fresh = self._clock(), new_secret()
        with self._changing() as db:
            link = check_good(_found(db, token), now)
            db.execute("DELETE FROM browsers WHERE day < ?", (now // DAY - BROWSER_LASTS,))
            found = db.execute("SELECT number FROM browsers WHERE cookie = ?", (digest(cookie),)).fetchone()
            if found:
                db.execute(
                    "UPDATE browsers SET cookie = ?, day = ? WHERE number = ?", (digest(fresh), now // DAY, *found)
                )
            else:
                found = db.execute(
                    "INSERT INTO browsers (cookie, day) VALUES (?, ?) RETURNING number", (digest(fresh), now // DAY)
                ).fetchone()
            db.execute("INSERT OR REPLACE INTO taken VALUES (?, ?, ?)", (*found, link.number, now))
            db.execute("UPDATE links SET used = ? WHERE number = ? AND used = 0", (now, link.number))
        return fresh

    def taken(self, cookie: str) -> tuple[SeatLink, ...]:
        if not may_be_secret(cookie):
            return ()
        key, today = digest(cookie), self._clock() // DAY
        known = self._known(today)
        if key in known:
            return known[key]
        found = self._links(
            "JOIN taken ON taken.link = links.number JOIN browsers ON browsers.number = taken.browser "
            "WHERE cookie = ? AND day >= ? ORDER BY at DESC, links.number DESC",
            key,
            today - BROWSER_LASTS,
        )
        if found:
            self._note_day(key, today)
            known[key] = found
        return found

    def taken_by(self, cookies: Collection[str]) -> Mapping[str, tuple[SeatLink, ...]]:
        return {cookie: self.taken(cookie) for cookie in cookies}

    def _known(self, today: int) -> dict[bytes, tuple[SeatLink, ...]]:
        """What browsers hold, as far as it was asked for today and since the file was last written, by whichever program."""
        with self._lock, self._said("nobody can be let in"):
            (others,) = self._db.execute("PRAGMA data_version").fetchone()
            moment = (today, others, self._db.total_changes)
        if moment != self._moment:
            self._moment, self._held = moment, {}
        return self._held

    def _note_day(self, key: bytes, today: int) -> None:
        """A browser came back today. Written once a day, so that nothing tells when within it; on a full disk not at all."""
        with self._lock, suppress(sqlite3.Error):
            late = self._db.execute("SELECT 1 FROM browsers WHERE cookie = ? AND day < ?", (key, today)).fetchone()
            if late:
                self._db.execute("UPDATE browsers SET day = ? WHERE cookie = ?", (today, key))

    def leave(self, cookie: str) -> None:
        if not may_be_secret(cookie):
            return
        with self._changing() as db:
            db.execute("DELETE FROM browsers WHERE cookie = ?", (digest(cookie),))

    # Where the table is served.

    def note_addresses(self, addresses: tuple[str, ...]) -> None:
        with self._changing() as db:
            db.execute("DELETE FROM addresses")
            db.executemany("INSERT INTO addresses VALUES (?, ?)", enumerate(addresses))

    def addresses(self) -> tuple[str, ...]:
        with self._lock, self._said("nobody knows where the table is served"):
            return tuple(address for (address,) in self._db.execute("SELECT address FROM addresses ORDER BY place"))


def _found(db: sqlite3.Connection, token: str) -> SeatLink | None:
    if not may_be_secret(token):
        return None
    row = db.execute(f"SELECT {FIELDS} FROM links WHERE token = ?", (digest(token),)).fetchone()  # noqa: S608 - our own text
    return _link(row) if row else None


def _link(row: tuple[int, str, str, str, int, int, int, int]) -> SeatLink:
    check_types([row], KINDS)
    number, campaign, identity, seat, made, until, used, revoked = row
    return SeatLink(
        number=number,
        campaign=campaign,
        identity=identity,
        seat=seat,
        made=made,
        until=until,
        used=used,
        revoked=revoked,
    )
