"""When campaigns were last asked for, in a node's cache. What nobody asks for goes, and is projected again when somebody does.

The last entry that was seen of a campaign stays (``ends``), so a lost end is noticed all the same.
"""

from __future__ import annotations

from collections.abc import Collection

from rollbook.domain.base.identifiers import CampaignId
from rollbook.projections.database import Database

DAY = 24 * 60 * 60 * 1_000_000
"""Microseconds."""
AS_GOOD_AS_NOW = DAY // 24
"""A moment is noted again after so long."""

NOTE = """\
INSERT INTO asked (campaign, at) VALUES (?1, ?2) ON CONFLICT (campaign) DO UPDATE SET at = ?2
WHERE abs(at - ?2) > ?3"""
"""A clock may have been set back, so a moment that is to come is noted again, too. Mostly nothing is written."""


def create(db: Database) -> None:
    """The table."""
    db.table("asked").create({"campaign": str, "at": int}, pk="campaign").create_index(["at"])


def note(db: Database, campaigns: Collection[CampaignId], now: int) -> None:
    """Note that campaigns are asked for now (microseconds, UTC), in the transaction that is open."""
    db.conn.executemany(NOTE, [(campaign, now, AS_GOOD_AS_NOW) for campaign in campaigns])


KEPT = 10 * DAY
"""So long a campaign stays that nobody asks for: a table that meets once a week finds it warm."""
GIVE_BACK = "PRAGMA incremental_vacuum(2000)"
"""Gives so many pages of 4 kB at most back to the disk at once."""

TABLES = (
    *("campaigns", "opened", "asked", "noted", "marks", "snapshots", "snapshot_characters"),
    *("session_log", "xp_timeline", "parties", "sheets", "sheet_values", "sheet_looks"),
)
"""All that holds rows of one campaign but the end that was seen of it."""

LONG_AGO = "SELECT campaign FROM asked WHERE at < ? ORDER BY at LIMIT 1"


def evict(db: Database, now: int) -> None:
    """Drop the campaign that was asked for longest ago (microseconds, UTC), in the transaction that is open."""
    found = db.execute(LONG_AGO, [now - KEPT]).fetchone()
    for table in TABLES if found else ():
        db.execute(f"DELETE FROM {table} WHERE campaign = ?", found)  # noqa: S608 - names from the code
