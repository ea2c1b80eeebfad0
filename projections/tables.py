"""Tables out of the classes of their rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
from sqlite_utils import Database

from domain.records import field_names, field_values


def columns(row: type[Any]) -> dict[str, Any]:
    """The columns of a table whose rows are instances of this attrs class of integers and strings."""
    attrs.resolve_types(row)
    return {field.name: field.type for field in attrs.fields(row)}


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
