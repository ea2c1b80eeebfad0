"""When campaigns were last asked for, in a node's cache. What nobody asks for is dropped there (``tidying``)."""

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
