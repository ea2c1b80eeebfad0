"""How far a read model has looked at its store, and what it saw at the end of each campaign and timeline.

That is what tells of a lost end. Whenever it looks, it notes the ends of all that have changed, also of those that nobody
has asked for yet: that takes one look at the last entry of each. What they say is projected when they are asked for.
"""

import json
from collections.abc import Collection

from rollbook.adapters.storage.read_model.witnesses import lost
from rollbook.domain.base.identifiers import CampaignId, StreamId
from rollbook.domain.history.chain import hash_in
from rollbook.domain.history.event_store import START, Cursor, EventStore, StoredEntry
from rollbook.projections.database import Database

BEHIND = """\
SELECT COALESCE(SUM(entry - COALESCE(entries, 0)), 0) FROM ends LEFT JOIN campaigns USING (campaign)
WHERE campaign IN (SELECT value FROM json_each(?))"""

NOTE = """\
INSERT INTO ends (campaign, entry, hash) VALUES (?, ?, ?)
ON CONFLICT (campaign) DO UPDATE SET entry = excluded.entry, hash = excluded.hash WHERE excluded.entry >= entry"""


def create(db: Database, store: str, removals: int) -> None:
    """Make the tables, for a store of this identity that was not looked at yet."""
    db.table("position").create(
        {"id": int, "position": str, "store": str, "stream": str, "entry": int, "hash": str, "removals": int}, pk="id"
    )
    nothing = {"stream": "", "entry": 0, "hash": ""}
    db.table("position").insert({"id": 1, "position": START, "store": store, **nothing, "removals": removals})
    db.table("ends").create({"campaign": str, "entry": int, "hash": str}, pk="campaign")


def look(db: Database, store: EventStore, asked: Collection[CampaignId] | None) -> bool:
    """Note the ends of what has changed since the last look, in the transaction that is open.

    Returns whether all is still there that was seen before of it, and of the campaigns that are asked for (None for all);
    otherwise nothing is noted.
    """
    position, *seen, removals = db.execute(
        "SELECT position, stream, entry, hash, removals FROM position WHERE id = 1"
    ).fetchone()
    before, last = Cursor(position), store.last_position()
    if _change_at(store, before) != tuple(seen) or removals != store.removals():
        return False
    ends = list(store.ends(before)) if last != before else []
    if any(lost(db, store, None if asked is None else {*asked, *(end.stream for end in ends)})):
        return False
    db.conn.executemany(NOTE, ends)
    if last != before:
        db.execute(
            "UPDATE position SET position = ?, stream = ?, entry = ?, hash = ?", [last, *_change_at(store, last)]
        )
    return True


def note(db: Database, campaign: CampaignId, last: StoredEntry) -> None:
    """Note an entry that is being projected, if it is later than the end that was seen.

    A campaign is read to its own end, which what all campaigns have in common may not show yet: a writer elsewhere holds that up.
    """
    db.execute(NOTE, [campaign, last.version, hash_in(last.data)])


def _change_at(store: EventStore, cursor: Cursor) -> tuple[str, int, str]:
    change = store.at(cursor)
    return (change.stream, change.entry.version, hash_in(change.entry.data)) if change else ("", 0, "")


def known(db: Database) -> list[StreamId]:
    """The campaigns and timelines whose ends were seen."""
    return [campaign for (campaign,) in db.execute("SELECT campaign FROM ends ORDER BY rowid").fetchall()]


def behind(db: Database, asked: Collection[CampaignId]) -> int:
    """How many entries of some campaigns were seen and are not projected yet."""
    return int(db.execute(BEHIND, [json.dumps(list(asked))]).fetchone()[0])
