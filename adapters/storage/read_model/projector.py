"""Projection of new entries into the read model: rows, page by page, then the sheets and snapshot of each campaign."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, Protocol, TypeVar

import attrs

from rollbook.adapters.storage.read_model import checkpoints, head_snapshots, stream_positions
from rollbook.adapters.storage.read_model.checkpoints import Noting
from rollbook.adapters.storage.read_model.head_snapshots import pack_state
from rollbook.adapters.storage.read_model.tables import between_two
from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head, HeadBuilder
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber
from rollbook.domain.base.progress import is_asked, say
from rollbook.domain.base.records import Changeable
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.checkpoints import is_due
from rollbook.domain.history.event_store import EventStore, StoredEntry
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections import log_rows, session_log, sheet_rows, xp_timeline
from rollbook.projections.context import Context
from rollbook.projections.database import Database, insert
from rollbook.projections.log_rows import mark_corrected

if TYPE_CHECKING:
    from rollbook.application.history.read_model import JustRead
    from rollbook.application.history.verified_ranges import VerifiedEntry
    from rollbook.domain.audit.chain_audit import Succession

_Given = ParamSpec("_Given")
_Read = TypeVar("_Read")

PAGE = 1_000
"""Most entries of one transaction."""


def project(
    db: Database, store: EventStore, scan: Scan, followed: dict[CampaignId, CampaignProjection], rulebook: Rulebook
) -> int:
    """Project the next page of a campaign, in the transaction that is open. Returns its number of entries.

    ``followed`` are this program's projections by campaign, which another program may have overtaken; the
    ``rulebook`` words the rows.
    """
    last = followed.pop(scan.campaign, None)
    following = last if last and last.is_where(db) else CampaignProjection.load(db, scan.campaign)
    page = list(islice(scan.entries_after(store, following.entries), PAGE))
    for stored in page:
        following.take(db, scan.follow(stored), rulebook)
    if page:
        following.flush(db)
        following.save(db)
        stream_positions.note(db, scan.campaign, page[-1])
    followed[scan.campaign] = following
    return len(page)


class Scan:
    """A reading of a campaign's new entries, each verified against all before it, and of its head.

    If a campaign is read from its beginning, its head comes from the same reading. Otherwise reading continues from the
    head that ``last`` gives; entries up to the head ``checked`` or to the ``place`` were verified by the caller. A
    damaged campaign gets no head, so that it cannot be played on, and entries after the damage are only counted.
    """

    def __init__(
        self,
        store: EventStore,
        campaign: CampaignId,
        last: Callable[[CampaignId], Head | None],
        checked: Head | None = None,
        place: VerifiedEntry | None = None,
        just_read: JustRead | None = None,
    ) -> None:
        self.campaign = campaign
        self._just_read = just_read
        self._log = EntryLog(store, campaign, lambda: 0)
        self._last = last
        self._checked = checked
        self._place = place
        self._begun: HeadBuilder | None = None
        self._followed: Succession | None = None
        self._is_damaged = False
        self._kept: list[tuple[ActionNumber, bytes]] = []

    def entries_after(self, store: EventStore, number: EntryNumber) -> Iterable[StoredEntry]:
        """The stored entries after a number, up to the end that was just read."""
        read = self._just_read
        return read.entries(number, max(number, read.seen.head)) if read else store.read(self.campaign, number)

    def follow(self, stored: StoredEntry) -> RecordedEntry | None:
        """A stored entry, decoded; None if it, or one before it, is damaged."""
        if self._is_damaged:
            return None
        if self._checked and stored.version <= self._checked.entry:
            return _unless_damaged(CODEC.read, stored)
        if stored.version == 1:
            self._begun = _unless_damaged(self._log.begin_scan, self._keep, self._place)
        entry = self._next(stored)
        self._is_damaged = entry is None
        return entry

    def _next(self, stored: StoredEntry) -> RecordedEntry | None:
        if self._begun and stored.version <= self._begun.until:
            return _unless_damaged(self._begun.follow, stored)
        self._begun = None
        self._followed = self._followed or self._up_to(stored.version - 1)
        return _unless_damaged(self._followed.follow, stored) if self._followed else None

    def _up_to(self, number: EntryNumber) -> Succession | None:
        """The succession (check of each next entry) after an entry; None if there is damage up to it."""
        from rollbook.domain.audit.chain_audit import Removals

        log = self._log
        head = self._checked or self._last(self.campaign) or Head()
        if head.entry > number or (head.entry and log.hash_at(head.entry) != head.hash):
            head = Head()
        succession = head.succession(CODEC.read, Removals())
        for stored in log.stored(head.entry, number):
            if _unless_damaged(succession.follow, stored) is None:
                return None
        return succession

    def _keep(self, actions: ActionNumber, state: CampaignState) -> None:
        last = self._kept[-1][0] if self._kept else 0
        if is_due(actions, last, state):
            self._kept.append((actions, pack_state(state)))

    def kept(self) -> list[tuple[ActionNumber, bytes]]:
        """The packed states met on the way to this reading's head, by the number of actions before them."""
        return self._kept if self._begun and not self._is_damaged else []

    @property
    def knows_head(self) -> bool:
        """True if the head is known, or that it is damaged, without reading the whole history."""
        return self._checked is not None or self._is_damaged or self._begun is not None

    def find_head(self) -> None:
        """Read the whole history to know the head."""
        self._checked = _unless_damaged(self._log.scan)

    def head(self) -> Head | None:
        """The head: the caller's, or from this reading, or the one that was found; None if it is damaged."""
        if self._checked or self._is_damaged:
            return self._checked
        return self._begun.head() if self._begun else None


def _unless_damaged(read: Callable[_Given, _Read], *given: _Given.args, **more: _Given.kwargs) -> _Read | None:
    try:
        return read(*given, **more)
    except HistoryDamaged:
        return None


@attrs.define
class CampaignProjection(Changeable):
    """The projection of one campaign: the number of entries projected, and rows that are not written yet.

    ``when_asked``: its rows get their words when they are asked for (see ``session_log.create``).
    """

    campaign: CampaignId
    entries: int
    context: Context
    when_asked: bool = attrs.field(default=False, kw_only=True)
    noting: Noting = attrs.field(factory=Noting)
    log: list[session_log.LogLine] = attrs.field(factory=list)
    xp: list[xp_timeline.XpLine] = attrs.field(factory=list)

    @classmethod
    def load(cls, db: Database, campaign: CampaignId) -> CampaignProjection:
        """Load the projection of a campaign as far as it is stored."""
        found = next(db.query("SELECT * FROM campaigns WHERE campaign = ?", [campaign]), None)
        if found is None:
            return cls(campaign, 0, Context())
        context = Context(found["session"], found["scene"], found["scenes"], json.loads(found["names"]))
        context.seats = json.loads(found["seats"])
        noting = Noting(found["noted"], found["noted_entry"], found["noted_hash"])
        return cls(campaign, found["entries"], context, noting)

    def is_where(self, db: Database) -> bool:
        """True if a database is as far as this projection, and no rows wait to be written."""
        written = db.execute(
            "SELECT entries, noted, noted_entry, noted_hash FROM campaigns WHERE campaign = ?", [self.campaign]
        ).fetchone()
        return written == (self.entries, *self.noting.noted) and not (self.log or self.xp or self.noting.waiting)

    def take(self, db: Database, entry: RecordedEntry | None, rulebook: Rulebook) -> None:
        """Project one entry; one that is damaged is only counted."""
        self.entries += 1
        if entry is None:
            return
        self.context.follow(entry)
        self.noting.take(entry)
        if entry.is_correction:
            self.flush(db)
            mark_corrected(db, session_log.TABLE, self.campaign, entry, is_noted=True)
            mark_corrected(db, xp_timeline.TABLE, self.campaign, entry)
        told = log_rows.told_of(db, self.campaign, entry, self.context)
        self.log.append(log_rows.row(self.campaign, entry, self.context, None if self.when_asked else rulebook, told))
        self.xp.extend(log_rows.xp_rows(self.campaign, entry, self.context, told))

    def flush(self, db: Database) -> None:
        """Write the rows that are waiting."""
        session_log.add(db, self.campaign, self.log)
        insert(db, xp_timeline.TABLE, self.xp)
        self.noting.flush(db, self.campaign)
        self.log, self.xp = [], []

    def save(self, db: Database) -> None:
        """Store how far the campaign is projected."""
        context = self.context
        known = (context.session, context.scene, context.scenes, context.names_as_json, context.seats_as_json)
        db.execute(
            "INSERT OR REPLACE INTO campaigns "
            "(campaign, entries, session, scene, scenes, names, seats, noted, noted_entry, noted_hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [self.campaign, self.entries, *known, *self.noting.noted],
        )


OPENED = "INSERT OR REPLACE INTO opened (campaign, hash) VALUES (?, ?)"
"""Notes the head with which a campaign was opened."""


class Written(NamedTuple):
    """The state of a campaign's rows beside its log, None for what is not written.

    ``entries`` were projected. The sheets are of ``entry`` with this ``hash``, by ``rules``. ``opened`` is the hash of the
    head with which it was opened last, ``mark`` the action of the last state that was kept.
    """

    entries: int | None
    entry: int | None
    hash: str | None
    rules: str | None
    opened: str | None
    mark: ActionNumber | None

    @classmethod
    def of(cls, db: Database, campaign: CampaignId) -> Written:
        return cls(*db.execute(WRITTEN, [campaign]).fetchone())

    @property
    def is_behind(self) -> bool:
        """True if the sheets are behind the log."""
        return self.entries is not None and (self.entry is None or self.entry < self.entries)


WRITTEN = """\
SELECT entries, s.entry, s.hash, rules, o.hash, (SELECT MAX(actions) FROM marks WHERE campaign = asked)
FROM (SELECT ? AS asked) LEFT JOIN campaigns c ON c.campaign = asked LEFT JOIN snapshots s ON s.campaign = asked
LEFT JOIN parties p ON p.campaign = asked LEFT JOIN opened o ON o.campaign = asked"""


class Followed(Protocol):
    """The part of a read model that ``follow`` uses."""

    states: dict[str, tuple[str, CampaignState]]
    followed: dict[CampaignId, CampaignProjection]

    @property
    def db(self) -> Database: ...
    def snapshot(self, campaign: CampaignId) -> Head | None: ...


def follow(
    model: Followed,
    store: EventStore,
    rulebook: Rulebook,
    heads: Mapping[str, Head],
    wanted: Collection[CampaignId],
    places: Mapping[str, VerifiedEntry],
    just_read: JustRead | None = None,
) -> int:
    """Project the new entries of some campaigns into a read model, in the transaction that is open. Returns how many they were.

    Between two pages, and between two campaigns, it commits and begins another: others may write then. ``heads`` are those
    of opened campaigns, ``places`` the last entries of campaigns that have just been verified.
    """
    db = model.db
    taken, total = 0, stream_positions.behind(db, wanted) if is_asked() else 0
    for at, campaign in enumerate(wanted):
        if at:
            with between_two(db):
                say(taken, max(taken, total))
        scan = Scan(store, campaign, model.snapshot, heads.get(campaign), places.get(campaign), just_read)
        while (page := project(db, store, scan, model.followed, rulebook)) == PAGE:
            taken += page
            with between_two(db):
                say(taken, max(taken, total))
        taken += page
        _write_sheets(model, campaign, rulebook, scan, heads.get(campaign))
    if taken:
        say(taken, max(taken, total))
    return taken


def _write_sheets(model: Followed, campaign: CampaignId, rulebook: Rulebook, scan: Scan, opened: Head | None) -> None:
    """Write the sheets and the snapshot of a campaign whose log is ahead of them, and note with which head it was opened."""
    db = model.db
    written = Written.of(db, campaign)
    if written.is_behind and not scan.knows_head:
        with between_two(db):
            scan.find_head()
        written = Written.of(db, campaign)
    head = scan.head() if written.is_behind else None
    if head is not None and (written.entry is None or written.entry < head.entry):
        _follow_head(model, campaign, rulebook, head, written)
        checkpoints.keep_head(
            db, checkpoints.Course(campaign, head.entry, head.hash), head, scan.kept(), written.mark or 0
        )
    if opened and written.opened != opened.hash:
        db.execute(OPENED, [campaign, opened.hash])


def _follow_head(model: Followed, campaign: CampaignId, rulebook: Rulebook, head: Head, written: Written) -> None:
    db, state = model.db, head.state
    before = None if written.entry is None else _state_at_snapshot(model, campaign, written)
    since = sheet_rows.Since(before, state) if before else None
    for character in since.gone if since else ():
        sheet_rows.remove(db, campaign, character)
    are_same_rules = written.rules == rulebook.stamp(state)
    people = sheet_rows.changed(db, campaign, since) if since and are_same_rules else state.characters.values()
    sheet_rows.write(db, campaign, state, people, rulebook)
    if not (since and are_same_rules and since.is_same_list):
        sheet_rows.write_party(db, campaign, state, rulebook)
    head_snapshots.keep(db, campaign, head, before)
    model.states[campaign] = (head.hash, state)


def _state_at_snapshot(model: Followed, campaign: CampaignId, written: Written) -> CampaignState | None:
    known = model.states.get(campaign)
    if known and known[0] == written.hash:
        return known[1]
    head = model.snapshot(campaign)
    return head.state if head else None
