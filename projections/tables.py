"""Tables out of the classes of their rows."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

import attrs

from domain.entries import EntryKind, RecordedEntry
from domain.identifiers import CampaignId
from domain.records import field_names, field_values
from projections.database import Database

_Row = TypeVar("_Row")


def columns(row: type[Any]) -> dict[str, Any]:
    """The columns of a table whose rows are instances of this attrs class of integers and strings."""
    attrs.resolve_types(row)
    return {field.name: field.type for field in attrs.fields(row)}


def read_rows(row: type[_Row], found: Iterable[Mapping[str, Any]]) -> list[_Row]:
    """Rows as instances of their class. Raises TypeError for values that were never written there."""
    made = [row(**each) for each in found]
    for name, kind in columns(row).items():
        odd = set(map(type, map(attrgetter(name), made))) - {kind}
        if odd:
            raise TypeError(f"the column {name} holds {odd}")
    return made


def insert(db: Database, table: str, row: type[Any], rows: Iterable[Any]) -> None:
    """Insert instances of a row's class, in the transaction that is open.

    They hold integers and strings alone, so nothing has to look at every value to see how it might be stored.
    """
    fields = field_names(row)
    places = ", ".join("?" * len(fields))
    db.conn.executemany(
        f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({places})",  # noqa: S608 - names from the code
        map(field_values, rows),
    )


def insert_named(db: Database, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows that name their columns, all the same ones, in the transaction that is open."""
    for row in rows[:1]:
        statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES (:{', :'.join(row)})"  # noqa: S608 - names from the code
        db.conn.executemany(statement, rows)


COUNTS, UNDONE, REPLACED, CORRECTION = "counts", "undone", "replaced", "correction"
"""What a row of an action's outcome can be: counting, undone, or replaced; or the row of a correction itself."""


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
