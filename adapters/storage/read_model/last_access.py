"""Last access to campaigns in a node's cache. Unused campaigns are evicted, and projected again at the next access.

The last entry that was seen of a campaign is kept (``ends``), so a lost end is noticed all the same.
"""

from __future__ import annotations

from collections.abc import Collection

from rollbook.domain.base.identifiers import CampaignId
from rollbook.projections.database import Database

DAY = 24 * 60 * 60 * 1_000_000
"""A day in microseconds."""
AS_GOOD_AS_NOW = DAY // 24
"""Microseconds after which a last access is noted again."""

NOTE = """\
INSERT INTO asked (campaign, at) VALUES (?1, ?2) ON CONFLICT (campaign) DO UPDATE SET at = ?2
WHERE abs(at - ?2) > ?3"""
"""Notes a last access if the noted one differs enough, also if it is later, as a clock may have been set back."""


def create(db: Database) -> None:
    """Make the table."""
    db.table("asked").create({"campaign": str, "at": int}, pk="campaign").create_index(["at"])


def note(db: Database, campaigns: Collection[CampaignId], now: int) -> None:
    """Note that campaigns were asked for at ``now`` (microseconds, UTC), in the transaction that is open."""
    db.conn.executemany(NOTE, [(campaign, now, AS_GOOD_AS_NOW) for campaign in campaigns])


KEPT = 10 * DAY
"""Microseconds that an unused campaign is kept: a table that meets once a week finds it cached."""
GIVE_BACK = "PRAGMA incremental_vacuum(2000)"
"""Returns at most 2,000 pages of 4 kB to the disk at once."""

TABLES = (
    *("campaigns", "opened", "asked", "noted", "marks", "snapshots", "snapshot_characters"),
    *("session_log", "xp_timeline", "parties", "sheets", "sheet_values", "sheet_looks"),
)
"""All tables with rows of one campaign, except that of the ends that were seen."""

LONG_AGO = "SELECT campaign FROM asked WHERE at < ? ORDER BY at LIMIT 1"


def evict(db: Database, now: int) -> None:
    """Drop the campaign with the oldest last access, if that is more than KEPT before ``now`` (microseconds, UTC).

    It uses the transaction that is open.
    """
    found = db.execute(LONG_AGO, [now - KEPT]).fetchone()
    for table in TABLES if found else ():
        db.execute(f"DELETE FROM {table} WHERE campaign = ?", found)  # noqa: S608 - names from the code
