"""Projecting what was stored since into the read model: page by page, entry by entry, corrections and all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import islice
from typing import ParamSpec, TypeVar

import attrs

from adapters.entry_log import EntryLog
from adapters.head import Head, HeadBuilder
from adapters.storage.codec import CODEC
from domain.audit.chain_audit import Removals, Succession
from domain.chain import hash_in
from domain.entries import RecordedEntry
from domain.errors import HistoryDamaged, RollbookError
from domain.event_store import Cursor, EventStore, StoredChange, StoredEntry
from domain.identifiers import CampaignId, EntryNumber
from projections import session_log, xp_timeline
from projections.context import Context
from projections.database import Database
from projections.tables import insert

_Given = ParamSpec("_Given")
_Read = TypeVar("_Read")

PAGE = 1_000
"""Entries a transaction."""


def next_page(store: EventStore, cursor: Cursor) -> list[StoredChange]:
    """The next entries of the store, about a page of them."""
    return list(islice(store.changes(cursor), PAGE))


def project(db: Database, page: list[StoredChange], scans: Scans) -> None:
    """Project a page of entries."""
    following: dict[str, Following] = {}
    for _, stream, stored in page:
        if stream not in following:
            following[stream] = Following.load(db, stream)
        following[stream].take(db, scans.follow(stream, stored))
        following[stream].last = stored
    for one in following.values():
        one.flush(db)
        one.save(db)


class Scans:
    """Campaigns as they are read on: their entries, each checked against all before it, and their heads.

    A campaign that is read from its beginning gets its head out of the same reading. Another is read on from the head that
    ``last`` gives for it; what the heads in ``checked`` have behind them was checked by the caller. A damaged campaign gets no
    head, so nothing can be played on from it, and what follows the damage is only counted.
    """

    def __init__(
        self, store: EventStore, last: Callable[[CampaignId], Head | None], checked: Mapping[CampaignId, Head]
    ) -> None:
        self._store = store
        self._last = last
        self._checked = checked
        self._scans: dict[str, HeadBuilder | None] = {}
        self._followed: dict[str, Succession | None] = {}

    def follow(self, campaign: CampaignId, stored: StoredEntry) -> RecordedEntry | None:
        """A stored entry, decoded; None if it, or one before it, is damaged."""
        if stored.version == 1 and campaign not in self._scans:
            self._scans[campaign] = _unless_damaged(self._log(campaign).begin_scan)
        scan = self._scans.get(campaign)
        if scan is not None and stored.version <= scan.until:
            entry = _unless_damaged(scan.follow, stored)
            if entry is None:
                self._scans[campaign] = self._followed[campaign] = None
            return entry
        self._scans[campaign] = None
        if campaign in self._checked and stored.version <= self._checked[campaign].entry:
            return _unless_damaged(CODEC.read, stored)
        if campaign not in self._followed:
            self._followed[campaign] = self._up_to(campaign, stored.version - 1)
        succession = self._followed[campaign]
        entry = _unless_damaged(succession.follow, stored) if succession else None
        if entry is None:
            self._followed[campaign] = None
        return entry

    def _up_to(self, campaign: CampaignId, number: EntryNumber) -> Succession | None:
        """What follows an entry, about to be read; None if something is damaged up to there."""
        log = self._log(campaign)
        head = self._checked.get(campaign) or self._last(campaign) or Head()
        if head.entry > number or (head.entry and log.hash_at(head.entry) != head.hash):
            head = Head()
        succession = head.succession(CODEC.read, Removals())
        for stored in log.stored(head.entry, number):
            if _unless_damaged(succession.follow, stored) is None:
                return None
        return succession

    def _log(self, campaign: CampaignId) -> EntryLog:
        return EntryLog(self._store, campaign, lambda: 0)

    def heads(self) -> dict[str, Head]:
        """The heads of the campaigns that were read from the beginning to the end without finding damage."""
        return {campaign: scan.head() for campaign, scan in self._scans.items() if scan is not None}

    def whole(self, campaign: CampaignId) -> Head | None:
        """The head of any campaign, by reading it through; None if it is damaged."""
        return _unless_damaged(self._log(campaign).scan)


def _unless_damaged(read: Callable[_Given, _Read], *given: _Given.args, **more: _Given.kwargs) -> _Read | None:
    """What is read; None if it is damaged."""
    try:
        return read(*given, **more)
    except HistoryDamaged:
        return None


@attrs.define
class Following:
    """One campaign while a page is projected: how far it is projected, and rows that are not written yet.

    ``last`` is the last entry that was taken in, as it is stored.
    """

    campaign: CampaignId
    entries: int
    context: Context
    last: StoredEntry | None = None
    log: list[session_log.LogLine] = attrs.field(factory=list)
    xp: list[xp_timeline.XpLine] = attrs.field(factory=list)

    @classmethod
    def load(cls, db: Database, campaign: CampaignId) -> Following:
        """How far a campaign is projected."""
        found = next(db.query("SELECT * FROM campaigns WHERE campaign = ?", [campaign]), None)
        if found is None:
            return cls(campaign, 0, Context())
        context = Context(found["session"], found["scene"], found["scenes"], json.loads(found["names"]))
        return cls(campaign, found["entries"], context)

    def take(self, db: Database, entry: RecordedEntry | None) -> None:
        """Project one entry; one that is damaged is only counted."""
        self.entries += 1
        if entry is None:
            return
        self.context.follow(entry)
        if entry.is_correction:
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
        """Remember how far it is projected."""
        context = self.context
        names = json.dumps(context.names, ensure_ascii=False, sort_keys=True)
        db.execute(
            "INSERT OR REPLACE INTO campaigns (campaign, entries, session, scene, scenes, names, hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [self.campaign, self.entries, context.session, context.scene, context.scenes, names, self._hash()],
        )

    def _hash(self) -> str:
        return hash_in(self.last.data) if self.last else ""


def position_of(db: Database) -> Cursor:
    """How far the read model has followed the store."""
    return Cursor(db.execute("SELECT position FROM position WHERE id = 1").fetchone()[0])


def move(db: Database, before: Cursor, last: StoredChange) -> None:
    """Note that it has gone on to a change, unless somebody else has moved it meanwhile. Raises RollbookError then."""
    moved = db.execute(
        "UPDATE position SET position = ?, stream = ?, entry = ?, hash = ? WHERE id = 1 AND position = ?",
        [last.cursor, last.stream, last.entry.version, hash_in(last.entry.data), before],
    )
    if moved.rowcount != 1:
        raise RollbookError("Another process projected the same entries at the same moment. Try again.")


def is_followed(db: Database, store: EventStore) -> bool:
    """Whether the last change that was taken in is still the one that the store has there, and nothing was removed since."""
    position, *seen, removals = db.execute(
        "SELECT position, stream, entry, hash, removals FROM position WHERE id = 1"
    ).fetchone()
    change = store.at(Cursor(position))
    found = [change.stream, change.entry.version, hash_in(change.entry.data)] if change else ["", 0, ""]
    return found == seen and bool(removals == store.removals())
