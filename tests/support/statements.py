"""The SQL statements that the workers of a server in this process run, counted by the database that they are for."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from typing import Any

import psycopg
import pytest

FILES, SERVER = "SQLite", "PostgreSQL"


def counted(patch: pytest.MonkeyPatch) -> Counter[str]:
    """The statements from now on, on connections that are made from now on; many rows at once are one statement."""
    found: Counter[str] = Counter()

    def note(database: str) -> None:
        if threading.current_thread().name.startswith("worker-"):
            found[database] += 1

    class Asking(sqlite3.Cursor):
        def execute(self, *given: Any) -> Any:
            note(FILES)
            return super().execute(*given)

        def executemany(self, *given: Any) -> Any:
            note(FILES)
            return super().executemany(*given)

    class Connection(sqlite3.Connection):
        def cursor(self, *_: Any) -> Any:
            return super().cursor(Asking)

        def execute(self, *given: Any) -> Any:
            return self.cursor().execute(*given)

        def executemany(self, *given: Any) -> Any:
            return self.cursor().executemany(*given)

    connect, execute = sqlite3.connect, psycopg.Cursor.execute

    def ask(self: psycopg.Cursor[Any], *given: Any, **more: Any) -> Any:
        note(SERVER)
        return execute(self, *given, **more)

    patch.setattr(sqlite3, "connect", lambda *given, **more: connect(*given, **{"factory": Connection, **more}))
    patch.setattr(psycopg.Cursor, "execute", ask)
    return found
