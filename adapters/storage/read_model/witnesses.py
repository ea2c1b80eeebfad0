"""Witnesses: entries that this computer once saw at the end of a campaign, and that its store no longer has.

A store may be restored from an older copy. The read model detects that by the hashes it remembers, and before it is
rebuilt the lost end is noted here, in a small file beside it that no rebuild and no restore touches.
"""

import json
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import attrs
import msgspec

from rollbook.adapters.local_files.own_files import add_text, lines_of, read_records
from rollbook.application.history.timeline_marker import campaign_of, is_timeline
from rollbook.domain.audit.witnesses import Witness
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.base.identifiers import CampaignId, EntryNumber
from rollbook.domain.history.event_store import EventStore, hash_at
from rollbook.projections.database import Database

_FIELDS = [field.name for field in attrs.fields(Witness)]


class Witnesses:
    """The witnesses of one store, in the file at ``path``, or in memory if there is none."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._held: list[Witness] = []

    def of(self, campaign: CampaignId | None) -> tuple[Witness, ...]:
        """The witnesses of a campaign, or of all (None), in the order in which the losses were found."""
        return tuple(witness for witness in self._all() if campaign in (None, witness.campaign))

    def keep(self, found: Iterable[Witness]) -> None:
        """Note witnesses permanently; a known one is not noted again. Raises OSError."""
        known = {(witness.campaign, witness.entry, witness.hash) for witness in self._all()}
        new = [witness for witness in found if (witness.campaign, witness.entry, witness.hash) not in known]
        if self.path is None or not new:
            self._held.extend(new)
            return
        text = "".join(json.dumps(attrs.asdict(witness), ensure_ascii=False) + "\n" for witness in new)
        add_text(self.path, text, lasting=True)

    def forget(self, campaign: CampaignId) -> None:
        """Forget a deleted campaign, with its timelines: its tombstone describes it. Raises OSError."""
        left = [witness for witness in self._all() if campaign_of(witness.campaign) != campaign]
        if self.path is not None:
            self.path.unlink(missing_ok=True)
        self._held = []
        self.keep(left)

    def _all(self) -> list[Witness]:
        if self.path is None:
            return list(self._held)
        return read_records(lines_of(self.path), lambda found: Witness(**{name: found[name] for name in _FIELDS}))


SEEN = """\
SELECT campaign, ends.entry, ends.hash, COALESCE(entries, 0) FROM ends LEFT JOIN campaigns USING (campaign)
WHERE ?1 IS NULL OR campaign IN (SELECT value FROM json_each(?1))"""


def lost(
    db: Database, store: EventStore, of: Collection[CampaignId] | None = None, *, is_another: bool = False
) -> Iterator[Witness]:
    """The ends of some or all campaigns and timelines that a read model has seen and the store no longer has.

    The entries of a timeline are its own, counted from its fork.

    ``is_another``: the store is not the one that the read model was made from. A campaign of the same name may be
    another one there, so the witness names the identity of its campaign; for one that was never projected it is not
    known, and there is no witness.
    """
    wanted = None if of is None else json.dumps(list(of))
    for campaign, entries, hash_, projected in db.execute(SEEN, [wanted]).fetchall():
        if not (isinstance(campaign, str) and isinstance(entries, int) and isinstance(hash_, str)):
            continue  # a damaged row is no evidence
        if hash_at(store, campaign, entries) == hash_ or _is_deleted(store, campaign, entries):
            continue
        identity = _identity(db, campaign) if is_another else ""
        if is_another and not (identity or projected):
            continue
        yield Witness(
            campaign=campaign,
            since=_first_lost(db, store, campaign, projected) or min(entries, store.head(campaign) + 1),
            entry=entries,
            hash=hash_,
            at=time.time_ns() // 1_000,
            identity=identity,
            restored=is_another or store.is_set_back_since(*db.execute("SELECT position FROM position").fetchone()),
        )


def _is_deleted(store: EventStore, campaign: CampaignId, entries: EntryNumber) -> bool:
    """True if a tombstone says that a campaign with at least so many entries, or a timeline's campaign, was deleted."""
    if is_timeline(campaign):
        canon = campaign_of(campaign)
        return not store.head(canon) and any(stone.campaign == canon for stone in store.tombstones())
    return any(stone.campaign == campaign and stone.entries >= entries for stone in store.tombstones())


def _first_lost(db: Database, store: EventStore, campaign: CampaignId, projected: int) -> EntryNumber:
    """The first entry that differs from the projected one: all later ones differ too, so it is found by bisection.

    0 if all are there. Of a timeline, and of a campaign that was never projected, only the end was seen.
    """
    if not projected or _is_as_seen(db, store, campaign, projected):
        return 0
    low, high = 1, projected
    while low < high:
        middle = (low + high) // 2
        if _is_as_seen(db, store, campaign, middle):
            low = middle + 1
        else:
            high = middle
    return low


def _is_as_seen(db: Database, store: EventStore, campaign: CampaignId, number: EntryNumber) -> bool:
    """True if a stored entry has the same time, to the microsecond, as in the log."""
    from rollbook.application.encoding.codec import CODEC

    seen = db.execute("SELECT at FROM session_log WHERE campaign = ? AND entry = ?", [campaign, number]).fetchone()
    stored = next(iter(store.read(campaign, number - 1, number)), None)
    try:
        return seen is not None and stored is not None and seen[0] == CODEC.read(stored).at
    except HistoryDamaged:
        return False


def _identity(db: Database, campaign: CampaignId) -> str:
    from rollbook.adapters.storage.read_model.head_snapshots import kept

    with suppress(sqlite3.DatabaseError, msgspec.MsgspecError, ValueError, TypeError):
        head = kept(db, campaign_of(campaign))
        return head.state.identity if head else ""
    return ""
