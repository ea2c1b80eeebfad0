"""Copying of a campaign file while it is in use, and replacing of its content while others play.

A file that is open elsewhere is never renamed or removed: SQLite would continue to write to the renamed file, and would
remove the new file's log when the old one is closed. So restored content is written into the file itself, in one
transaction.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex

from rollbook.adapters.local_files.sqlite_faults import BUSY, DAMAGED, in_words
from rollbook.adapters.storage.sqlite import removals
from rollbook.adapters.storage.sqlite.datastore import commit
from rollbook.adapters.storage.sqlite.schema import PICTURES, REMOVALS
from rollbook.domain.base.errors import HistoryDamaged

SOURCE_AT_FAULT = (*BUSY, *DAMAGED)

TABLES = ("stored_events", "kind_sets", "entry_kinds", "entry_commands", "store_identity")
"""The tables of a campaign file, except those of its removals and pictures, which an older one lacks."""


def copy_pages(source: sqlite3.Connection, target: Path) -> None:
    """Copy a database as it is at this moment; writers may continue meanwhile."""
    with closing(sqlite3.connect(target)) as copy:
        copy.execute("PRAGMA synchronous=FULL")
        source.backup(copy)


def copy_file(path: Path, target: Path) -> None:
    """Copy a database file, which is not changed, with the contents of the log beside it. Raises sqlite3.Error."""
    is_alone = not Path(f"{path}-wal").exists()
    how = "mode=ro&immutable=1" if is_alone else "mode=ro"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as source:
        copy_pages(source, target)


def finish(path: Path) -> None:
    """Make a closed database one file, without a log beside it, and flush it to the disk."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    with path.open("rb") as file:
        os.fsync(file.fileno())


def check_pages(path: Path) -> None:
    """Raise HistoryDamaged if SQLite finds a fault in a file."""
    with in_words(path, "it cannot be relied on"), closing(sqlite3.connect(path)) as connection:
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise HistoryDamaged(f"{path} is damaged ({' '.join(str(found).split())}).")


def identity_of(path: Path) -> str:
    """The identity of the store in a file that no program uses."""
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("SELECT identity FROM store_identity").fetchone()[0])


def give_identity(path: Path) -> str:
    """Give a file that no program uses yet an identity of its own: data of another store is not taken for its own.

    The seeds of a backup are wiped from it: a store that is played does not contain them.
    """
    identity = token_hex(16)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("DROP TABLE IF EXISTS unrevealed_seeds")
        connection.execute("UPDATE store_identity SET identity = ?", [identity])
    return identity


def replace_content(path: Path, source: Path, keep: Callable[[], None], patience: float = 5.0) -> None:
    """Replace the content of the store at ``path`` by that of ``source``, completely or not at all.

    Other programs may have the store open: they wait, and then read the new content. ``keep`` is called while no
    program can write, before anything is changed. Raises CommitFailed if it is unknown which of the two contents is
    there.
    """
    with closing(sqlite3.connect(path, isolation_level=None, timeout=patience)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("ATTACH ? AS restored", [str(source)])
        connection.execute("BEGIN IMMEDIATE")
        try:
            keep()
            with _interruptible(connection), removals.lifted(connection):
                for table in TABLES:
                    connection.execute(f"DELETE FROM main.{table}")  # noqa: S608 - our own
                    connection.execute(f"INSERT INTO main.{table} SELECT * FROM restored.{table}")  # noqa: S608 - our own
                _replace(connection, REMOVALS, "removals")
                _replace(connection, PICTURES, "pictures")
            commit(connection)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


STEPS = 10_000
"""Number of SQLite's steps between two checks for an interruption of a statement: a few milliseconds."""


@contextmanager
def _interruptible(connection: sqlite3.Connection) -> Iterator[None]:
    """Let Ctrl-C stop a long statement, and not only the ones after it."""
    connection.set_progress_handler(
        lambda: 0, STEPS
    )  # a signal is handled in it; SQLite only learns that an exception was raised
    try:
        yield
    except sqlite3.OperationalError as failure:
        if failure.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from failure
        raise
    finally:
        connection.set_progress_handler(None, 0)


def _replace(connection: sqlite3.Connection, create: str, table: str) -> None:
    """Replace the rows of a table that an older file lacks."""
    connection.execute(create)
    connection.execute(f"DELETE FROM main.{table}")  # noqa: S608 - our own
    if connection.execute("SELECT 1 FROM restored.sqlite_schema WHERE name = ?", [table]).fetchone():
        connection.execute(f"INSERT INTO main.{table} SELECT * FROM restored.{table}")  # noqa: S608 - our own
