"""Telling the read model what was stored since: page by page, entry by entry, corrections and all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

import attrs
from sqlite_utils import Database

from adapters.entry_log import EntryLog
from adapters.head import Head, HeadBuilder
from adapters.storage.codec import CODEC
from domain.errors import HistoryDamaged, RollbookError
from domain.event_store import Change, EventStore
from domain.events import Header
from domain.history import Entry
from projections import session_log, xp_timeline
from projections.context import Context
from projections.tables import insert

PAGE = 5_000
"""Events a transaction."""


def next_page(store: EventStore, position: int) -> list[Change]:
    """The next events of the store, about a page of them, without the beginning of an entry that goes on after it."""
    wanted = PAGE
    while True:
        page = list(islice(store.changes(position), wanted))
        last = next((at for at in range(len(page) - 1, 0, -1) if page[at].event.name in CODEC.headers), 0)
        if len(page) < wanted or last:
            return page if len(page) < wanted else page[:last]
        wanted *= 2


def batches(page: list[Change]) -> Iterator[list[Change]]:
    """The entries of a page: entries of different campaigns never interleave, because each is one transaction."""
    headers = CODEC.headers
    batch: list[Change] = []
    for change in page:
        if batch and (change.event.name in headers or change.campaign != batch[0].campaign):
            yield batch
            batch = []
        batch.append(change)
    if batch:
        yield batch


def project(db: Database, page: list[Change], scans: Scans) -> None:
    """Tell a page of events, entry by entry."""
    following: dict[str, Following] = {}
    for batch in batches(page):
        campaign = batch[0].campaign
        if campaign not in following:
            following[campaign] = Following.load(db, campaign)
        entry = scans.follow(following[campaign].entries + 1, batch)
        following[campaign].take(db, entry, len(batch))
    for one in following.values():
        one.flush(db)
        one.save(db)


class Scans:
    """Campaigns that are read from their beginning: their heads come out of the same reading as their rows.

    A damaged campaign gets no head, so nothing can be played on from it; what can be read of it is told all the same.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._scans: dict[str, HeadBuilder | None] = {}

    def follow(self, number: int, batch: list[Change]) -> Entry | None:
        """The entry of that number, decoded; None if it cannot be read."""
        campaign = batch[0].campaign
        events = [change.event for change in batch]
        if number == 1 and campaign not in self._scans:
            self._scans[campaign] = self._begun(campaign)
        scan = self._scans.get(campaign)
        if scan is not None and events[0].version > scan.until:
            scan = self._scans[campaign] = None
        if scan is not None:
            try:
                return scan.follow(events)
            except HistoryDamaged:
                self._scans[campaign] = None
        try:
            header, *facts = (CODEC.decode(event.name, event.data) for event in events)
        except HistoryDamaged:
            return None
        return Entry(number, header, tuple(facts)) if isinstance(header, Header) else None

    def _begun(self, campaign: str) -> HeadBuilder | None:
        try:
            return self._journal(campaign).begin_scan()
        except HistoryDamaged:
            return None

    def _journal(self, campaign: str) -> EntryLog:
        return EntryLog(self._store, campaign, lambda: 0)

    def heads(self) -> dict[str, Head]:
        """The heads of the campaigns that were read from the beginning without finding damage."""
        return {campaign: scan.head() for campaign, scan in self._scans.items() if scan is not None}

    def whole(self, campaign: str) -> Head | None:
        """The head of any campaign, by reading it through; None if it is damaged."""
        try:
            return self._journal(campaign).scan()
        except HistoryDamaged:
            return None


@attrs.define
class Following:
    """One campaign while a page is projected: how far it is told, and rows that are not written yet."""

    campaign: str
    entries: int
    events: int
    context: Context
    log: list[session_log.LogLine] = attrs.field(factory=list)
    xp: list[xp_timeline.XpLine] = attrs.field(factory=list)

    @classmethod
    def load(cls, db: Database, campaign: str) -> Following:
        """Where the telling of a campaign stands."""
        found = next(db.query("SELECT * FROM campaigns WHERE campaign = ?", [campaign]), None)
        if found is None:
            return cls(campaign, 0, 0, Context())
        context = Context(found["session"], found["scene"], found["scenes"], json.loads(found["names"]))
        return cls(campaign, found["entries"], found["events"], context)

    def take(self, db: Database, entry: Entry | None, events: int) -> None:
        """Tell one entry; one that cannot be read is counted and not told."""
        self.entries += 1
        self.events += events
        if entry is None:
            return
        self.context.follow(entry)
        if session_log.is_correction(entry):
            self.flush(db)
            session_log.mark(db, self.campaign, entry)
            xp_timeline.mark(db, self.campaign, entry)
        self.log.append(session_log.row(self.campaign, entry, self.context))
        self.xp.extend(xp_timeline.rows(self.campaign, entry, self.context))

    def flush(self, db: Database) -> None:
        """Write the rows that are waiting."""
        insert(db, session_log.TABLE, session_log.LogLine, self.log)
        insert(db, xp_timeline.TABLE, xp_timeline.XpLine, self.xp)
        self.log, self.xp = [], []

    def save(self, db: Database) -> None:
        """Remember where the telling stands."""
        told = self.context
        names = json.dumps(told.names, ensure_ascii=False, sort_keys=True)
        db.execute(
            "INSERT OR REPLACE INTO campaigns (campaign, entries, events, session, scene, scenes, names) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [self.campaign, self.entries, self.events, told.session, told.scene, told.scenes, names],
        )


def position_of(db: Database) -> int:
    """How far the read model has followed the store."""
    position: int = db.execute("SELECT position FROM position WHERE id = 1").fetchone()[0]
    return position


def move(db: Database, before: int, after: int) -> None:
    """Note that it has gone on, unless somebody else has moved it meanwhile. Raises RollbookError then."""
    moved = db.execute("UPDATE position SET position = ? WHERE id = 1 AND position = ?", [after, before])
    if moved.rowcount != 1:
        raise RollbookError("Another process projected the same events at the same moment. Try again.")
