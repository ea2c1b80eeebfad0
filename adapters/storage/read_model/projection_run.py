"""Taking in what was stored since: the rows of the entries, then the sheets and the snapshot of each campaign."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

from rollbook.adapters.storage.read_model import checkpoints, head_snapshots, projector, stream_positions
from rollbook.adapters.storage.read_model.projector import Scan, project
from rollbook.adapters.storage.read_model.tables import transaction
from rollbook.application.history.head import Head
from rollbook.application.history.verified_ranges import VerifiedEntry
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.progress import is_asked, say
from rollbook.domain.history.event_store import EventStore
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections import sheet_rows
from rollbook.projections.database import Database

if TYPE_CHECKING:
    from rollbook.adapters.storage.read_model.projector import CampaignProjection

BEHIND = """\
SELECT 1 FROM campaigns c LEFT JOIN snapshots s USING (campaign)
WHERE campaign = ? AND (s.entry IS NULL OR s.entry < c.entries)"""
"""Whether a campaign's sheets are behind its log."""
OPENED = "INSERT OR REPLACE INTO opened (campaign, hash) VALUES (?, ?)"


class Followed(Protocol):
    """As much of a read model as following takes."""

    states: dict[str, tuple[str, CampaignState]]
    followed: dict[CampaignId, CampaignProjection]

    @property
    def db(self) -> Database: ...

    def snapshot(self, campaign: CampaignId) -> Head | None: ...

    def remembered(self, campaign: CampaignId) -> tuple[int, str]: ...


def follow(
    model: Followed,
    store: EventStore,
    rulebook: Rulebook,
    heads: Mapping[str, Head],
    wanted: Collection[CampaignId],
    places: Mapping[str, VerifiedEntry],
) -> int:
    """Take in what the store has of some campaigns and a read model has not. Returns how many entries that was.

    ``heads`` are those of campaigns that were opened, ``places`` the last entries of campaigns that have just been checked.
    """
    taken, total = 0, stream_positions.behind(model.db, wanted) if is_asked() else 0
    for campaign in wanted:
        scan = Scan(store, campaign, model.snapshot, heads.get(campaign), places.get(campaign))
        page = projector.PAGE
        while page == projector.PAGE:
            with transaction(model.db) as db:
                page = project(db, store, scan, model.followed, rulebook.words)
            taken += page
            if page:
                say(taken, max(taken, total))
        opened = heads.get(campaign)
        _write_sheets(model, campaign, rulebook, scan, opened)
        if opened:
            _note_opened(model.db, campaign, opened)
    return taken


def _write_sheets(model: Followed, campaign: CampaignId, rulebook: Rulebook, scan: Scan, opened: Head | None) -> None:
    if not model.db.execute(BEHIND, [campaign]).fetchone():
        return
    head = scan.head()
    if head is None:
        return
    with transaction(model.db) as db:
        known = db.execute("SELECT entry FROM snapshots WHERE campaign = ?", [campaign]).fetchone()
        if known and known[0] >= head.entry:
            return
        before = _state_at_snapshot(model, campaign) if known else None
        since = sheet_rows.Since(before, head.state) if before else None
        for character in since.gone if since else ():
            sheet_rows.remove(db, campaign, character)
        is_by_same_rules = sheet_rows.is_by_same_rules(db, campaign, head.state, rulebook)
        everybody = head.state.characters.values()
        people = sheet_rows.changed(db, campaign, since) if since and is_by_same_rules else everybody
        sheet_rows.write(db, campaign, head.state, people, rulebook)
        sheet_rows.write_party(db, campaign, since, head.state, rulebook)
        head_snapshots.keep(db, campaign, head, before)
        if opened:
            db.execute(OPENED, [campaign, opened.hash])
        checkpoints.keep_head(db, checkpoints.Course(campaign, head.entry, head.hash), head, scan.kept())
    model.states[campaign] = (head.hash, head.state)


def _note_opened(db: Database, campaign: CampaignId, head: Head) -> None:
    """Note the head with which a campaign was opened. Nothing is written if it is known."""
    found = db.execute("SELECT hash FROM opened WHERE campaign = ?", [campaign]).fetchone()
    if found != (head.hash,):
        db.execute(OPENED, [campaign, head.hash])


def _state_at_snapshot(model: Followed, campaign: CampaignId) -> CampaignState | None:
    known = model.states.get(campaign)
    if known and known[0] == model.remembered(campaign)[1]:
        return known[1]
    head = model.snapshot(campaign)
    return head.state if head else None
