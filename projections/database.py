"""The connection of the read model: plain SQL, and sqlite-utils where a file is made that people may open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from rollbook.domain.base.letters import caseless

if TYPE_CHECKING:
    import sqlite_utils
    from sqlite_utils.db import Table
from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import NamedTuple, TypeVar, get_type_hints

_Row = TypeVar("_Row", bound=NamedTuple)


def columns(row: type[NamedTuple]) -> dict[str, Any]:
    """The columns of a table whose rows are instances of this named tuple of integers and strings."""
    return dict(_columns(row))


@cache
def _columns(row: type[NamedTuple]) -> Mapping[str, Any]:
    return {name: getattr(kind, "__supertype__", kind) for name, kind in get_type_hints(row).items()}


_TYPES = {str: "TEXT", int: "INTEGER", bytes: "BLOB"}


def create_table(
    db: Database, name: str, held: Mapping[str, type], key: Sequence[str], *indexes: Sequence[str]
) -> None:
    """Make a table with these columns, a primary key and indexes, in plain SQL: rows of an edition are made in a moment."""
    made = ", ".join(f"{column} {_TYPES[kind]}" for column, kind in held.items())
    db.execute(f"CREATE TABLE {name} ({made}, PRIMARY KEY ({', '.join(key)}))")
    for index in indexes:
        db.execute(f"CREATE INDEX idx_{name}_{'_'.join(index)} ON {name} ({', '.join(index)})")


def read_rows(row: type[_Row], found: Iterable[Sequence[Any]]) -> list[_Row]:
    """Rows, with all columns of their class in its order, as its instances. Raises TypeError for values never written there."""
    kinds = tuple(_columns(row).values())
    made = [row._make(each) for each in found]
    for each in made:
        if tuple(map(type, each)) != kinds:
            odd = [name for name, kind, held in zip(row._fields, kinds, each, strict=True) if type(held) is not kind]
            raise TypeError(f"columns of {row.__name__} hold what they never held: {', '.join(odd)}")
    return made


def insert(db: Database, table: str, rows: Sequence[_Row], without: Collection[str] = ()) -> None:
    """Insert rows, all of one class, in the transaction that is open, ``without`` some columns.

    They hold only integers and strings, so no value has to be inspected to see how to store it.
    """
    for row in rows[:1]:
        names = [name for name in row._fields if name not in without]
        held: Iterable[tuple[object, ...]] = map(attrgetter(*names), rows) if without else rows
        places = ", ".join("?" * len(names))
        db.conn.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", held)  # noqa: S608 - as above


def insert_named(db: Database, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows that name their columns, all the same ones, in the transaction that is open."""
    for row in rows[:1]:
        statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES (:{', :'.join(row)})"  # noqa: S608 - names from the code
        db.conn.executemany(statement, rows)


COUNTS, UNDONE, REPLACED, CORRECTION = "counts", "undone", "replaced", "correction"
"""Statuses of a row: an outcome that counts, was undone or was replaced; or the row of a correction itself."""


Parameters = Sequence[object] | Mapping[str, object]


class Database:
    """A connection whose tables are made by sqlite-utils, but for those that ``create_table`` makes.

    That library takes a tenth of a command's time to import, and a command that only reads does without it.
    ``fold`` in its SQL is a text without case, for comparisons.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.conn = connection
        self._columns: dict[str, frozenset[str]] = {}
        connection.create_function("fold", 1, caseless, deterministic=True)

    def execute(self, sql: str, parameters: Parameters = ()) -> sqlite3.Cursor:
        return self.conn.execute(sql, parameters)

    def query(self, sql: str, parameters: Parameters = ()) -> Iterator[dict[str, Any]]:
        """Rows by the names of their columns."""
        cursor = self.execute(sql, parameters)
        names = [column[0] for column in cursor.description]
        for row in cursor:
            yield dict(zip(names, row, strict=True))

    def columns_of(self, table: str) -> frozenset[str]:
        """The columns of a table, none if there is no such table: asked once, until ``forget_columns``."""
        if table not in self._columns:
            found = self.execute("SELECT name FROM pragma_table_info(?)", [table])
            self._columns[table] = frozenset(name for (name,) in found)
        return self._columns[table]

    def forget_columns(self) -> None:
        """Ask again for the columns of tables: some are being made or removed."""
        self._columns.clear()

    def table(self, name: str) -> Table:
        """A table that is made or filled by sqlite-utils."""
        return self._tables.table(name)

    def create_view(self, name: str, sql: str) -> None:
        self._tables.create_view(name, sql)

    def close(self) -> None:
        """Close the file."""
        self.conn.close()

    @cached_property
    def _tables(self) -> sqlite_utils.Database:
        import sqlite_utils  # noqa: PLC0415 - late, see above

        return sqlite_utils.Database(self.conn, recursive_triggers=False, execute_plugins=False)
