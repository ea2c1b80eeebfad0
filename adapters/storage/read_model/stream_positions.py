"""Stream positions: how far a read model has seen its store, and the last entry it saw of each campaign and timeline.

They reveal a lost end. At every look the ends of all changed streams are noted, also of those that no reader has asked
for yet: that takes one look at the last entry of each. Their entries are projected when they are asked for.
"""

import json
from collections.abc import Collection

from rollbook.adapters.storage.read_model.witnesses import lost
from rollbook.domain.base.identifiers import CampaignId, StreamId
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import START, Cursor, EventStore, StoredEntry, StreamEnd, StreamState
from rollbook.projections.database import Database

BEHIND = """\
SELECT COALESCE(SUM(entry - COALESCE(entries, 0)), 0) FROM ends LEFT JOIN campaigns USING (campaign)
WHERE campaign IN (SELECT value FROM json_each(?))"""

NOTHING = StreamEnd("", 0, "")
"""Stands for the entry before a position where there is none."""
SEEN = "SELECT made.id, position, store, removals, stream, entry, hash FROM position, made WHERE position.id = 1"
GOES_ON = """\
SELECT made.id FROM position, made JOIN ends ON campaign = ?
WHERE position.id = 1 AND store = ? AND removals = ? AND ends.entry = ? AND ends.hash = ?"""
MOVE = "UPDATE position SET position = ?, stream = ?, entry = ?, hash = ?"
NOTE = """\
INSERT INTO ends (campaign, entry, hash) VALUES (?, ?, ?)
ON CONFLICT (campaign) DO UPDATE SET entry = excluded.entry, hash = excluded.hash WHERE excluded.entry >= entry"""


def create(db: Database, store: str, removals: int) -> None:
    """Make the tables, for a store of this identity that was not read yet."""
    db.table("position").create(
        {"id": int, "position": str, "store": str, "stream": str, "entry": int, "hash": str, "removals": int}, pk="id"
    )
    nothing = {"stream": "", "entry": 0, "hash": ""}
    db.table("position").insert({"id": 1, "position": START, "store": store, **nothing, "removals": removals})
    db.table("ends").create({"campaign": str, "entry": int, "hash": str}, pk="campaign")


def look(db: Database, store: EventStore, asked: Collection[CampaignId] | None) -> str:
    """Note the ends of streams that have changed since the last look, in the transaction that is open.

    Returns the id of this build of the tables if all entries seen before, of these streams and of the campaigns asked for
    (None for all), are still there; otherwise "", and nothing is noted.
    """
    build, position, *seen = db.execute(SEEN).fetchone()
    before = Cursor(position)
    now = store.state(before)
    if [now.identity, now.removals, *(now.known or NOTHING)] != seen:
        return ""
    has_moved = now.position != before
    ends = list(store.ends(before)) if has_moved else []
    if any(lost(db, store, None if asked is None else {*asked, *(end.stream for end in ends)})):
        return ""
    db.conn.executemany(NOTE, ends)
    if has_moved:
        db.execute(MOVE, [now.position, *(now.newest or NOTHING)])
    return str(build)


def goes_on(db: Database, campaign: CampaignId, now: StreamState) -> str:
    """The id of this build of the tables if a campaign has the end that was seen of it; "" if not, or if it is not known.

    ``now`` is what its store had just now, with the entry that may be that end. Nothing is noted.
    """
    found = db.execute(GOES_ON, [campaign, now.identity, now.removals, *now.known]).fetchone()
    return str(found[0]) if found else ""


def note(db: Database, campaign: CampaignId, last: StoredEntry) -> None:
    """Note an entry that is being projected, if it is not earlier than the end that was seen.

    A campaign is read to its own end, which the tail of all campaigns may not show yet if a writer elsewhere delays it.
    """
    db.execute(NOTE, [campaign, last.version, hash_in(last.data)])


def known(db: Database) -> list[StreamId]:
    """The campaigns and timelines whose ends were seen."""
    return [campaign for (campaign,) in db.execute("SELECT campaign FROM ends ORDER BY rowid").fetchall()]


def behind(db: Database, asked: Collection[CampaignId]) -> int:
    """The number of entries of some campaigns that were seen and are not projected yet."""
    return int(db.execute(BEHIND, [json.dumps(list(asked))]).fetchone()[0])
