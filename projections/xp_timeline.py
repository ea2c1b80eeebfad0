"""The XP timeline: every award of experience and every level gained, with the session and the reason."""

from collections.abc import Iterator

import attrs

from domain.entries import RecordedEntry
from domain.events import ExperienceAwarded, LevelGained
from domain.identifiers import ActionNumber, CampaignId, EntryNumber
from projections.context import Context
from projections.database import Database
from projections.tables import columns, mark_corrected, read_rows

TABLE = "xp_timeline"


@attrs.frozen(kw_only=True)
class XpLine:
    """One award or level. ``status`` is "counts", "undone" or "replaced", as in the session log."""

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


def create(db: Database) -> None:
    """The table and the views that add it up."""
    table = db.table(TABLE)
    table.create(columns(XpLine), pk=("campaign", "entry", "part"))
    table.create_index(["campaign", "action"])
    db.create_view(
        "xp_running_totals",
        "SELECT campaign, name, session, action, xp, levels, reason, "
        "sum(xp) OVER so_far AS total_xp, sum(levels) OVER so_far AS level, "
        "datetime(at / 1000000, 'unixepoch') AS at_utc "
        "FROM xp_timeline WHERE status = 'counts' "
        "WINDOW so_far AS (PARTITION BY campaign, character ORDER BY action, entry, part)",
    )


def rows(campaign: CampaignId, entry: RecordedEntry, context: Context) -> Iterator[XpLine]:
    """The rows of one entry, if it awards anything."""
    for part, event in enumerate(entry.events):
        if isinstance(event, (ExperienceAwarded, LevelGained)):
            yield XpLine(
                campaign=campaign,
                entry=entry.number,
                part=part,
                action=entry.action,
                revision=entry.revision,
                session=context.session,
                at=entry.at,
                character=event.character,
                name=context.shown_names.get(event.character, event.character),
                xp=event.amount if isinstance(event, ExperienceAwarded) else 0,
                levels=event.levels if isinstance(event, LevelGained) else 0,
                reason=event.reason if isinstance(event, ExperienceAwarded) else "",
                status="counts",
            )


def mark(db: Database, campaign: CampaignId, entry: RecordedEntry) -> None:
    """Mark the rows of the action that a correction is about."""
    mark_corrected(db, TABLE, campaign, entry)


def lines(db: Database, campaign: CampaignId, character: str = "") -> list[XpLine]:
    """What counts, in the order of the actions, of one character or of all."""
    sql = f"SELECT * FROM {TABLE} WHERE campaign = ? AND status = 'counts'"  # noqa: S608 - a constant
    values = [campaign]
    if character:
        sql += " AND character = ?"
        values.append(character)
    return read_rows(XpLine, db.query(f"{sql} ORDER BY action, entry, part", values))
