"""What nobody asks for goes from a node's cache, and is projected again when somebody does.

The last entry that was seen of a campaign stays (``ends``), so a lost end is noticed all the same.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from rollbook.adapters.storage.read_model import asked
from rollbook.adapters.storage.read_model.tables import transaction
from rollbook.domain.base.identifiers import CampaignId

if TYPE_CHECKING:
    from rollbook.adapters.storage.read_model.model import SQLiteReadModel

KEPT = 10 * asked.DAY
"""So long a campaign stays that nobody asks for: a table that meets once a week finds it warm."""
PAGES = 2_000
"""So many pages of 4 kB at most are given back to the disk at once."""

TABLES = (
    *("campaigns", "opened", "asked", "noted", "marks", "snapshots", "snapshot_characters"),
    *("session_log", "xp_timeline", "parties", "sheets", "sheet_values", "sheet_looks"),
)
"""All that holds rows of one campaign but the end that was seen of it."""

LONG_AGO = "SELECT campaign FROM asked WHERE at < ? ORDER BY at LIMIT 1"


def tidy(model: SQLiteReadModel, in_use: Collection[CampaignId]) -> None:
    """Note in a cache what is ``in_use``, drop the campaign that nobody has asked for longest, and give room back to the disk.

    Takes a moment; call it again and again. A read model that is no cache is left as it is. Raises RollbookError, sqlite3.Error.
    """
    if model.clock is None:
        return
    now = model.clock()
    with transaction(model.db) as db:
        asked.note(db, in_use, now)
        found = db.execute(LONG_AGO, [now - KEPT]).fetchone()
        for table in TABLES if found else ():
            db.execute(f"DELETE FROM {table} WHERE campaign = ?", found)  # noqa: S608 - names from the code
    model.db.conn.executescript(f"PRAGMA incremental_vacuum({PAGES})")  # ``execute`` would stop after a page
