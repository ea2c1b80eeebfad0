"""Tables out of the classes of their rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, get_type_hints

from rollbook.projections.database import Database

_Row = TypeVar("_Row", bound=NamedTuple)


def columns(row: type[_Row]) -> dict[str, Any]:
    """The columns of a table whose rows are instances of this named tuple of integers and strings."""
    return {name: getattr(kind, "__supertype__", kind) for name, kind in get_type_hints(row).items()}


def read_rows(row: type[_Row], found: Iterable[Mapping[str, Any]]) -> list[_Row]:
    """Rows as instances of their class. Raises TypeError for values that were never written there."""
    make: Callable[..., _Row] = row
    made = [make(**each) for each in found]
    for name, kind in columns(row).items():
        odd = set(map(type, map(attrgetter(name), made))) - {kind}
        if odd:
            raise TypeError(f"the column {name} holds {odd}")
    return made


def insert(db: Database, table: str, rows: Sequence[_Row]) -> None:
    """Insert rows, all of one class, in the transaction that is open.

    They hold integers and strings alone, so nothing has to look at every value to see how it might be stored.
    """
    for row in rows[:1]:
        places = ", ".join("?" * len(row))
        db.conn.executemany(f"INSERT INTO {table} ({', '.join(row._fields)}) VALUES ({places})", rows)  # noqa: S608 - as above


def insert_named(db: Database, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows that name their columns, all the same ones, in the transaction that is open."""
    for row in rows[:1]:
        statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES (:{', :'.join(row)})"  # noqa: S608 - names from the code
        db.conn.executemany(statement, rows)


COUNTS, UNDONE, REPLACED, CORRECTION = "counts", "undone", "replaced", "correction"
"""What a row of an action's outcome can be: counting, undone, or replaced; or the row of a correction itself."""
