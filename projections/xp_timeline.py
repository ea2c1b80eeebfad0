"""The XP timeline: every award of experience and every level gained, with the session and the reason.

``log_rows`` makes the rows.
"""

from typing import NamedTuple

from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber
from rollbook.projections.database import Database, columns, create_table, read_rows

TABLE = "xp_timeline"


class XpLine(NamedTuple):
    """One award or level. ``status`` ("counts", "undone" or "replaced") and ``place`` are as in the session log."""

    campaign: CampaignId
    entry: EntryNumber
    part: int
    action: ActionNumber
    revision: int
    session: int
    at: int
    character: str
    name: str
    xp: int
    levels: int
    reason: str
    status: str
    place: int


_FIELDS = ", ".join(XpLine._fields)


def create(db: Database) -> None:
    """The table and the views that add it up."""
    create_table(db, TABLE, columns(XpLine), ("campaign", "entry", "part"), ("campaign", "action"))
    db.execute(
        "CREATE VIEW xp_running_totals AS SELECT campaign, name, session, action, xp, levels, reason, "
        "sum(xp) OVER so_far AS total_xp, sum(levels) OVER so_far AS level, "
        "datetime(at / 1000000, 'unixepoch') AS at_utc "
        "FROM xp_timeline WHERE status = 'counts' "
        "WINDOW so_far AS (PARTITION BY campaign, character ORDER BY place, entry, part)"
    )


def lines(db: Database, campaign: CampaignId, character: str = "") -> list[XpLine]:
    """The lines that count, in the order of play, of one character or of all."""
    sql = f"SELECT {_FIELDS} FROM {TABLE} WHERE campaign = ? AND status = 'counts'"  # noqa: S608 - a constant
    values = [campaign]
    if character:
        sql += " AND character = ?"
        values.append(character)
    return read_rows(XpLine, db.execute(f"{sql} ORDER BY place, entry, part", values))
