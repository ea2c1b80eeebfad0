"""Marking the rows of an action that is corrected."""

from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.entries import EntryKind, RecordedEntry
from rollbook.projections.database import Database
from rollbook.projections.tables import COUNTS, REPLACED, UNDONE


def mark_corrected(
    db: Database, table: str, campaign: CampaignId, entry: RecordedEntry, *, is_noted: bool = False
) -> None:
    """Mark the rows of the action that a correction is about; the correction's own rows must not be in the table yet.

    ``is_noted``: the table says by which entry a row was corrected, and why.
    """
    status = UNDONE if entry.kind is EntryKind.UNDONE else REPLACED
    note, values = (", corrected_by = ?, why = ?", [entry.number, entry.reason]) if is_noted else ("", [])
    rows = f"UPDATE {table} SET status = ?{{}} WHERE campaign = ? AND action = ? AND "  # noqa: S608 - names from the code
    db.execute(rows.format(note) + "status = 'counts'", [status, *values, campaign, entry.action])
    if status == REPLACED:
        db.execute(rows.format("") + "status = 'undone'", [status, campaign, entry.action])
    if entry.kind is EntryKind.REDONE:
        values = [0, ""] if is_noted else []
        where = "revision = ? AND status != 'correction'"
        db.execute(rows.format(note) + where, [COUNTS, *values, campaign, entry.action, entry.restores])
