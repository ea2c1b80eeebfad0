"""What nobody asks for goes from a node's cache, and is projected again when somebody does.

The last entry that was seen of a campaign stays (``ends``), so a lost end is noticed all the same.
"""

from __future__ import annotations

from collections.abc import Collection

from rollbook.adapters.storage.read_model import last_access
from rollbook.adapters.storage.read_model.tables import transaction
from rollbook.domain.base.identifiers import CampaignId
from rollbook.projections.database import Database

KEPT = 10 * last_access.DAY
"""So long a campaign stays that nobody asks for: a table that meets once a week finds it warm."""
PAGES = 2_000
"""So many pages of 4 kB at most are given back to the disk at once."""

TABLES = (
    *("campaigns", "opened", "asked", "noted", "marks", "snapshots", "snapshot_characters"),
    *("session_log", "xp_timeline", "parties", "sheets", "sheet_values", "sheet_looks"),
)
"""All that holds rows of one campaign but the end that was seen of it."""

LONG_AGO = "SELECT campaign FROM asked WHERE at < ? ORDER BY at LIMIT 1"


def tidy(db: Database, now: int, in_use: Collection[CampaignId]) -> None:
    """Note in a cache what is ``in_use``, drop the campaign that was asked for longest ago, and give room back to the disk.

    ``now`` is microseconds, UTC. Takes a moment; call it again and again. Raises sqlite3.Error.
    """
    with transaction(db) as rows:
        last_access.note(rows, in_use, now)
        found = rows.execute(LONG_AGO, [now - KEPT]).fetchone()
        for table in TABLES if found else ():
            rows.execute(f"DELETE FROM {table} WHERE campaign = ?", found)  # noqa: S608 - names from the code
    db.conn.executescript(f"PRAGMA incremental_vacuum({PAGES})")  # ``execute`` would stop after a page
