"""Whether a file is a read model of ours: only such a file is ever removed or built again.

Its place follows from the name of the store, so anything may lie there: somebody's notes, or a store that is called so.
"""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from adapters.own_files import begin_of, named
from adapters.storage.event_store.failures import is_full
from domain.errors import RollbookError

APPLICATION_ID = 0x526F6C72
SQLITE = b"SQLite format 3\0"
MARKED = 72
"""The mark is in the last four of so many bytes."""
TABLES = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('position', 'snapshots', 'session_log')"


def check_ours(path: Path) -> None:
    """Raise RollbookError if a file is there that is not a read model, or that cannot be told from somebody else's."""
    if path.is_file() and not is_read_model(path):
        raise RollbookError(
            f"The read model cannot be at {named(path)}: another file is there, which was left as it is. "
            f"Give it another name, and then: rollbook rebuild"
        )


def unusable(path: Path | None, fault: Exception) -> RollbookError:
    """The read model cannot be written or read: what is recorded does not hang on it."""
    if path is not None and is_full(path):
        why, instead = "there is no room left on the disk", "Make room, and it follows."
    else:
        why, instead = str(fault).rstrip("."), "Build it again with: rollbook rebuild"
    return RollbookError(f"What is recorded counts, but the read model cannot be used ({why}). {instead}")


def is_read_model(path: Path) -> bool:
    """Whether a file is a read model, or holds nothing that could be lost."""
    begin = begin_of(path.resolve(), MARKED)
    if not begin.strip(b"\0") or (len(begin) < MARKED and SQLITE.startswith(begin[: len(SQLITE)])):
        return True
    if not begin.startswith(SQLITE):
        return False
    mark = int.from_bytes(begin[MARKED - 4 :], "big")
    return mark == APPLICATION_ID or (mark == 0 and _has_tables(path))


def _has_tables(path: Path) -> bool:
    """Whether a file without a mark has the tables of a read model, as those have that were made before there was one."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        (everything,) = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        (found,) = connection.execute(TABLES).fetchone()
        return bool(found == 3 or everything == 0)
    return False


def put_mark(connection: sqlite3.Connection) -> None:
    """Mark a file as a read model, in its first page, before it gets a log beside it, unless it may only be read."""
    if connection.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
        with suppress(sqlite3.OperationalError):
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
