"""The read model: a SQLite file beside the store that answers quickly, may be deleted and is rebuilt by one command.

A campaign is projected when it is asked for. Its rows and the number of entries that they were made from change in one
transaction: every entry is in exactly once, even if several processes project at the same moment. Open the file in any
SQLite tool; the views are made for reading.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from rollbook.adapters.storage.read_model import last_access, stream_positions, tables
from rollbook.adapters.storage.read_model.file import (
    SPOILT,
    TRIES,
    check_ours,
    connected,
    is_perhaps_replaced,
    is_spoilt,
    remove,
    unusable,
)
from rollbook.adapters.storage.read_model.rows import Answer, Rows
from rollbook.adapters.storage.read_model.witnesses import Witnesses, lost
from rollbook.application.history.timeline_marker import is_timeline
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId, EntryNumber, SeatName, StreamId
from rollbook.domain.base.progress import gc_paused
from rollbook.projections import session_log, sheet_questions
from rollbook.projections.database import Database

if TYPE_CHECKING:
    from rollbook.adapters.storage.read_model.projector import CampaignProjection
    from rollbook.application.history.head import Head
    from rollbook.application.history.read_model import EntryRows, JustRead
    from rollbook.application.history.verified_ranges import Past, VerifiedEntry
    from rollbook.domain.audit.witnesses import Witness
    from rollbook.domain.entries import RecordedEntry
    from rollbook.domain.history.checkpoints import Checkpoint
    from rollbook.domain.history.event_store import EventStore
    from rollbook.domain.rulebook import Rulebook
    from rollbook.domain.state.campaign_state import CampaignState

IS_WHOLE = """\
SELECT 1 FROM campaigns c JOIN ends e USING (campaign) JOIN snapshots s USING (campaign) JOIN opened o USING (campaign)
WHERE campaign = ? AND e.entry = ? AND c.entries = e.entry AND s.entry = e.entry AND s.hash = e.hash AND o.hash = e.hash"""
"""Test that the rows of a campaign are up to date with an entry, and that it was opened since."""

LOOK_EVERY = 1.0
"""Seconds after which the ends of all streams are looked at again, while one campaign is followed that was just read."""


class SQLiteReadModel(Rows):
    """The read model in a file, or in memory if there is no path."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        unfinished: bool = False,
        timeline: str = "",
        clock: Callable[[], int] | None = None,
    ) -> None:
        """Make a read model; ``unfinished``: it is not read yet, and is removed with its connection.

        ``timeline`` is the one that is followed, from its own store; a model of campaigns leaves timelines out. A model
        with a ``clock`` (microseconds, UTC) is a cache, which evicts unused campaigns (``last_access``).
        """
        super().__init__()
        self.path = path
        self.clock = clock
        self._seen = Witnesses(path and path.with_name(f"{path.stem}.seen.jsonl"))
        self._source: EventStore | None = None
        self._store = ""
        self._timeline = timeline
        self._unfinished = unfinished
        self._rules: Callable[[], Rulebook] | None = None
        self._asked: Collection[CampaignId] | None = ()
        self._looked_at = ""
        self._next_look = 0.0
        self._made_as: dict[CampaignId, str] = {}
        self.states: dict[str, tuple[str, CampaignState]] = {}
        self.followed: dict[CampaignId, CampaignProjection] = {}
        self._is_doubted = False

    def belongs_to(self, store: EventStore) -> None:
        identity = store.identity()
        self._source = store
        if identity != self._store:
            self.close()
            self._store = identity

    def _open(self, tries: int = TRIES) -> Database:
        if self.path is not None:
            check_ours(self.path)
        try:
            return self._shaped(self._connect())
        except SPOILT as error:
            if is_perhaps_replaced(error) and tries > 1:
                return self._open(tries - 1)
            if not is_spoilt(self.path, error):
                raise RollbookError(
                    f"The read model {self.path} cannot be opened. {unusable(self.path, error)}"
                ) from None
            self._remove()
            return self._shaped(self._connect())

    def _connect(self) -> Database:
        return connected(self.path, is_unfinished=self._unfinished, is_cache=self.clock is not None)

    def _shaped(self, db: Database) -> Database:
        if tables.is_made_otherwise(db, self._store):
            if tables.shape_of(db) == tables.SHAPE:
                self._note_lost(db, is_another=True)
            db.close()
            self._remove()
            db = self._connect()
        if tables.shape_of(db) == tables.SHAPE:
            return db
        removals = self._source.removals() if self._source else 0
        if self.path is None and not self._unfinished:
            tables.empty().backup(db.conn)
            db.execute("UPDATE position SET store = ?, removals = ?", [self._store, removals])
            return db
        with tables.transaction(db):
            if tables.shape_of(db) == 0:
                tables.create(db, self._store, removals)
                if not self._unfinished:
                    session_log.make_searchable(db)
        return db

    def _remove(self) -> None:
        self.states.clear()
        self.followed.clear()
        self._made_as.clear()
        remove(self.path)

    def check(self) -> None:
        self.db.execute("SELECT position FROM position")

    def apart(self, timeline: StreamId = "") -> SQLiteReadModel:
        return SQLiteReadModel(timeline=timeline)

    def of_entries(self, campaign: CampaignId, entries: Iterable[RecordedEntry] = (), **how: Any) -> EntryRows:
        from rollbook.adapters.storage.read_model.rows_of_entries import RowsOfEntries

        return RowsOfEntries(campaign, entries, **how)

    # Keeping up.

    def catch_up(
        self,
        store: EventStore,
        rulebook: Rulebook,
        heads: Mapping[str, Head] | None = None,
        *,
        only: Collection[CampaignId] | None = None,
        places: Mapping[str, VerifiedEntry] | None = None,
        just_read: JustRead | None = None,
    ) -> int:
        """Project the new entries of some campaigns, or of all. Returns how many they were.

        ``heads`` are the heads of campaigns that the caller knows already; the others are read through once. ``places``
        are the last entries of campaigns that the caller has just verified: their chain is not verified again. A campaign
        that was ``just_read`` is looked at by itself; all others have their turn every ``LOOK_EVERY`` seconds.

        A damaged file is rebuilt; so is one that has seen entries that are no longer in the store: of another history, or
        with removed words. Campaigns that are not asked for then wait until they are.
        """
        if store is not self._source:
            self.belongs_to(store)
        self._rules, self._asked = lambda: rulebook, only

        def follow() -> int:
            with tables.transaction(self.db):
                if not self._is_doubted and (self._has_seen(only, just_read) or self._look(store, only)):
                    return self._catch_up(store, rulebook, heads, only, places, just_read)
            return self.rebuild(store, rulebook, only=only)

        return self._sound(follow)

    def is_whole(self, store: EventStore, rules: Callable[[], Rulebook], campaign: CampaignId) -> bool:
        """True if it has all of a campaign's entries in the store, so that it can answer without opening the campaign.

        Rows of a campaign that was not opened since are not enough: opening notes its dice, before a reader sees them.
        """
        if self._is_doubted:
            return False
        self._rules, self._asked = rules, (campaign,)  # for a rebuild, should the next query find damaged rows
        try:
            end = [campaign, store.head(campaign)]
            with tables.transaction(self.db) as db:
                is_whole = self._look(store, (campaign,)) and db.execute(IS_WHOLE, end).fetchone() is not None
            if not is_whole:
                return False
        except (OSError, RollbookError, *SPOILT):
            return False
        self._made_as[campaign] = self._looked_at
        return True

    def people(self, campaign: CampaignId) -> Mapping[SeatName, str]:
        sql = "SELECT seats FROM campaigns WHERE campaign = ?"
        found = self._rows(campaign, lambda: self.db.execute(sql, [campaign]).fetchone())
        known: Mapping[SeatName, str] = json.loads(found[0]) if found else {}
        return known

    def party(self, campaign: CampaignId, stamp: Callable[[str], str]) -> sheet_questions.Party | None:
        try:
            found = sheet_questions.party(self.db, campaign, stamp)
            return found if self._is_as_made(campaign) else None
        except (OSError, RollbookError, *SPOILT):
            return None

    def _has_seen(self, campaigns: Collection[CampaignId] | None, just_read: JustRead | None) -> bool:
        """True if the one campaign goes on from the end that was seen of it, and not long ago all others were looked at."""
        if just_read is None or campaigns is None or monotonic() > self._next_look:
            return False
        (campaign,) = campaigns
        self._looked_at = stream_positions.goes_on(self.db, campaign, just_read.seen)
        return bool(self._looked_at)

    def _look(self, store: EventStore, campaigns: Collection[CampaignId] | None) -> bool:
        """Note the ends of streams that have changed in the store, in the transaction that is open.

        Returns True if all entries seen before are still there.
        """
        self._looked_at = stream_positions.look(self.db, store, campaigns)
        self._next_look = monotonic() + LOOK_EVERY
        if self.clock:
            noted = stream_positions.known(self.db) if campaigns is None else campaigns
            last_access.note(self.db, noted, self.clock())
        return bool(self._looked_at)

    def _rows(self, campaign: CampaignId, ask: Callable[[], Answer]) -> Answer:
        """An answer from the rows that were updated for a campaign, asked again if others have replaced them.

        Another program may have rebuilt the rows since, from an earlier moment, or without this campaign.
        """
        while True:
            answer = self._sound(lambda: tables.answered(self.db, ask))
            if campaign not in self._made_as or self._is_as_made(campaign) or not (self._source and self._rules):
                return answer
            self.catch_up(self._source, self._rules(), only=(campaign,))

    def _is_as_made(self, campaign: CampaignId) -> bool:
        return self._sound(lambda: tables.made_as(self.db)) == self._made_as.get(campaign)

    def _sound(self, ask: Callable[[], Answer]) -> Answer:
        """An answer from the file; if its rows are damaged, from the rebuilt file."""
        try:
            return ask()
        except SPOILT as fault:
            if not is_spoilt(self.path, fault) or self._source is None or self._rules is None:
                self.close()
                raise unusable(self.path, fault) from fault
        with suppress(OSError, RollbookError, *SPOILT):
            self._note_lost(self.db)
        self.close()
        self._remove()
        try:
            with tables.transaction(self.db):
                if self._look(self._source, self._asked):
                    self._catch_up(self._source, self._rules(), None, self._asked)
            return ask()
        except sqlite3.DatabaseError as fault:
            self.close()
            raise unusable(self.path, fault) from fault

    def _catch_up(
        self,
        store: EventStore,
        rulebook: Rulebook,
        heads: Mapping[str, Head] | None,
        only: Collection[CampaignId] | None,
        places: Mapping[str, VerifiedEntry] | None = None,
        just_read: JustRead | None = None,
    ) -> int:
        """Project the new entries of what was asked for, in the transaction that is open: see ``projector.follow``."""
        from rollbook.adapters.storage.read_model.projector import follow

        if (wanted := only) is None:
            known = stream_positions.known(self.db)
            wanted = [stream for stream in known if stream == self._timeline or not is_timeline(stream)]
        taken = follow(self, store, rulebook, heads or {}, wanted, places or {}, just_read)
        self._made_as.update(dict.fromkeys(wanted, self._looked_at))
        return taken

    def _note_lost(self, db: Database, of: Collection[str] | None = None, *, is_another: bool = False) -> None:
        """Keep witnesses of entries of some or all campaigns that this file saw and the store lost. Raises OSError."""
        found: list[Witness] = []
        with suppress(*SPOILT):
            found.extend(lost(db, self._source, of, is_another=is_another) if self._source is not None else ())
        self._seen.keep(found)

    def witnesses(self, campaign: CampaignId | None = None) -> tuple[Witness, ...]:
        with suppress(OSError, RollbookError):
            self._note_lost(self.db, None if campaign is None else (campaign,))
        return self._seen.of(campaign)

    def has_followed_removals(self, store: EventStore) -> bool:
        """True if nothing in this file was removed from the store; a model in memory is updated when it is asked."""
        if self.path is None or not self.path.exists():
            return True
        try:
            found = self.db.execute("SELECT removals FROM position WHERE id = 1").fetchone()
        except (sqlite3.DatabaseError, RollbookError):
            return False
        return bool(found == (store.removals(),))

    def is_log_empty(self) -> bool:
        with suppress(sqlite3.Error, RollbookError):
            return self.path is None or self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        return False

    def has(self, campaign: CampaignId) -> bool:
        with suppress(RollbookError, *SPOILT):
            return self.db.execute("SELECT 1 FROM campaigns WHERE campaign = ?", [campaign]).fetchone() is not None
        return False

    def tidy(self, in_use: Collection[CampaignId]) -> None:
        if self.clock is None:
            return
        with tables.transaction(self.db) as db:
            last_access.note(db, in_use, self.clock())
            last_access.evict(db, self.clock())
        self.db.conn.executescript(last_access.GIVE_BACK)  # ``execute`` would stop after a page

    def forget(self, campaign: CampaignId) -> None:
        self._seen.forget(campaign)

    # Asking.

    def snapshot(self, campaign: CampaignId) -> Head | None:
        from rollbook.adapters.storage.read_model.head_snapshots import kept

        try:
            head = kept(self.db, campaign)
        except (*SPOILT, RollbookError):
            return None
        if head is not None:
            self.states[campaign] = (head.hash, head.state)
        return head

    def past(self, campaign: CampaignId, hash_at: Callable[[EntryNumber], str]) -> Past | None:
        """The stored past of a campaign, see ``checkpoints``; None if its history has to be read whole.

        ``hash_at`` gives the hash of an entry in the store. Damaged rows are made again with the next projection.
        """
        from rollbook.adapters.storage.read_model import checkpoints

        try:
            return checkpoints.past(self.db, campaign, hash_at)
        except (*SPOILT, RollbookError):
            self._is_doubted = True
            return None

    def keep(self, campaign: CampaignId, found: Iterable[Checkpoint], hash_at: Callable[[EntryNumber], str]) -> None:
        from rollbook.adapters.storage.read_model import checkpoints

        with tables.transaction(self.db) as db:
            checkpoints.keep_found(db, campaign, found, hash_at)

    def remembered(self, campaign: CampaignId) -> tuple[int, str]:
        """The entry and hash that the last projection saw at the end of a campaign: evidence against lost ends."""
        try:
            found = self.db.execute("SELECT entry, hash FROM snapshots WHERE campaign = ?", [campaign]).fetchone()
        except (*SPOILT, RollbookError):
            found = None
        is_sound = found and isinstance(found[0], int) and isinstance(found[1], str)
        return (found[0], found[1]) if is_sound else (0, "")

    def rebuild(self, store: EventStore, rulebook: Rulebook, *, only: Collection[CampaignId] | None = None) -> int:
        """Rebuild the read model apart, and replace the old one. Returns the number of projected entries.

        It has all campaigns then, or ``only`` some, and the others once they are asked for.

        No old content is left in the file or in its log, unless another program is reading it: then until that one has
        closed it.
        """
        self.belongs_to(store)
        apart = SQLiteReadModel(unfinished=True, timeline=self._timeline, clock=self.clock)
        try:
            with gc_paused():
                taken = apart.catch_up(store, rulebook, only=only)
            session_log.make_searchable(apart.db)
            self._note_lost(self.db)
            apart.db.conn.backup(self.db.conn)
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            apart.close()
        self.states.clear()
        self.followed.clear()
        self._is_doubted, self._made_as = False, apart._made_as
        return taken
