"""The connection of the read model: plain SQL, and sqlite-utils where tables are made."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rollbook.domain.base.letters import caseless

if TYPE_CHECKING:
    import sqlite_utils
    from sqlite_utils.db import Table

Parameters = Sequence[object] | Mapping[str, object]


class Database:
    """A connection whose tables are made by sqlite-utils.

    That library takes a tenth of a command's time to import, and a command that only asks does without it.
    ``fold`` in its SQL is a text as it is compared.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.conn = connection
        connection.create_function("fold", 1, caseless, deterministic=True)

    def execute(self, sql: str, parameters: Parameters = ()) -> sqlite3.Cursor:
        return self.conn.execute(sql, parameters)

    def query(self, sql: str, parameters: Parameters = ()) -> Iterator[dict[str, Any]]:
        """Rows by the names of their columns."""
        cursor = self.execute(sql, parameters)
        names = [column[0] for column in cursor.description]
        for row in cursor:
            yield dict(zip(names, row, strict=True))

    def table(self, name: str) -> Table:
        """A table that is made or filled by sqlite-utils."""
        return self._tables.table(name)

    def create_view(self, name: str, sql: str) -> None:
        self._tables.create_view(name, sql)

    def close(self) -> None:
        """Let go of the file."""
        self.conn.close()

    @cached_property
    def _tables(self) -> sqlite_utils.Database:
        import sqlite_utils  # noqa: PLC0415 - late, see above

        return sqlite_utils.Database(self.conn, recursive_triggers=False, execute_plugins=False)
