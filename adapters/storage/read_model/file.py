"""The file of a read model, and the tests that it is one: only such a file is ever removed or rebuilt.

Its path follows from the name of the store, so any file may be there: a user's notes, or a store of that name.
"""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from rollbook.adapters.local_files.own_files import begin_of, make_empty, make_folder, named
from rollbook.adapters.local_files.sqlite_faults import BUSY, is_full, result_code
from rollbook.domain.base.errors import RollbookError
from rollbook.projections.database import Database

APPLICATION_ID = 0x526F6C72
SQLITE = b"SQLite format 3\0"
MARKED = 72
"""Bytes at the beginning of a file, of which the last four are the mark."""
SMALLEST = 512
"""Bytes of the smallest database that is not empty."""
TABLES = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('position', 'snapshots', 'session_log')"


def check_ours(path: Path) -> None:
    """Raise RollbookError for a file that is not a read model, or that cannot be told from another program's."""
    if path.is_file() and not is_read_model(path):
        raise RollbookError(
            f"The read model cannot be at {named(path)}: another file is there, which was left as it is. "
            f"Give it another name, and then: rollbook rebuild"
        )


HINDRANCES = (
    *(*BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
)
"""Result codes of SQLite when nothing is wrong with the file itself."""

OF_THE_QUESTION = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_MISMATCH)
"""Result codes of SQLite for a query that it cannot answer; they are the same if tables are missing."""

SPOILT = (
    sqlite3.DatabaseError,
    msgspec.MsgspecError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
)
"""Errors that damaged rows may cause."""

TRIES = 3
"""Most tries to open a file that other programs may replace."""

WHY = dict.fromkeys(BUSY, "another process is writing it") | {
    sqlite3.SQLITE_IOERR: "its disk does not answer as it should",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_READONLY: "it may only be read",
    sqlite3.SQLITE_FULL: "there is no room left",
}


def is_of_the_question(fault: sqlite3.DatabaseError) -> bool:
    """True if an error may come from the query, and is no sign of a fault in the file."""
    return isinstance(fault, sqlite3.ProgrammingError) or result_code(fault) in OF_THE_QUESTION


def is_spoilt(path: Path | None, fault: BaseException) -> bool:
    """True if an error comes from the file's contents, so that rebuilding helps."""
    return path is not None and result_code(fault) not in HINDRANCES


def is_perhaps_replaced(fault: BaseException) -> bool:
    """True if another program may have removed the file while this one opened it: a further try opens the new one."""
    return result_code(fault) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)


def unusable(path: Path | None, fault: Exception) -> RollbookError:
    """The error for a read model that cannot be written or read: recorded entries do not depend on it."""
    if path is not None and is_full(path):
        why, instead = "there is no room left on the disk", " Make room, and it follows."
    else:
        why, instead = WHY.get(result_code(fault), "something in it is not as it was written"), advice(path, fault)
    return RollbookError(f"What is recorded counts, but the read model cannot be used ({why}).{instead}")


def advice(path: Path | None, fault: BaseException) -> str:
    """Advice to rebuild if the file is at fault; "" if it is read-only or in use, as rebuilding does not help."""
    is_kept_away = isinstance(fault, PermissionError) or not is_spoilt(path, fault)
    return "" if is_kept_away else " Build it again with: rollbook rebuild"


def is_read_model(path: Path) -> bool:
    """True if a file is a read model, or contains nothing that could be lost.

    SQLite itself reads the mark if it can: opening and closing the file directly would end the locks that other
    connections of this program have on it, and the next program that closes the file would remove its log, which they
    still use.
    """
    try:
        if path.stat().st_size < SMALLEST:
            return _is_by_its_bytes(path)
    except OSError:  # another program has just removed it
        return True
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
            (mark,) = connection.execute("PRAGMA application_id").fetchone()
            return mark == APPLICATION_ID or (mark == 0 and _has_tables(connection))
    except sqlite3.Error:
        return _is_by_its_bytes(path)


def _is_by_its_bytes(path: Path) -> bool:
    """True if a file that SQLite cannot read is one all the same: empty, truncated at its very beginning, or marked."""
    begin = begin_of(path.resolve(), MARKED)
    if not begin.strip(b"\0") or (len(begin) < MARKED and SQLITE.startswith(begin[: len(SQLITE)])):
        return True
    return begin.startswith(SQLITE) and int.from_bytes(begin[MARKED - 4 :], "big") == APPLICATION_ID


def _has_tables(connection: sqlite3.Connection) -> bool:
    """True if an unmarked file has the tables of a read model from before there were marks, or no tables."""
    (everything,) = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    (found,) = connection.execute(TABLES).fetchone()
    return bool(found == 3 or everything == 0)


def connected(path: Path | None, *, is_unfinished: bool, is_cache: bool) -> Database:
    """A connection to the file of a read model, which is made if it does not exist; None: in memory.

    An unfinished one is in a file without a name, which is removed with its connection. A cache frees the space of
    dropped rows.
    """
    if path is not None:
        make_folder(path.parent)
        make_empty(path.resolve())
    connection = sqlite3.connect(path or ("" if is_unfinished else ":memory:"), timeout=10, isolation_level=None)
    if is_cache:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    if path is not None or is_unfinished:
        put_mark(connection)
    connection.execute(f"PRAGMA journal_mode={'MEMORY' if is_unfinished else 'WAL'}")
    connection.execute(f"PRAGMA synchronous={'OFF' if is_unfinished else 'NORMAL'}")
    return Database(connection)


def remove(path: Path | None) -> None:
    """Remove the file of a read model, with the files that SQLite has beside it."""
    for suffix in ("", "-wal", "-shm") if path else ():
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def put_mark(connection: sqlite3.Connection) -> None:
    """Mark a file as a read model, in its first page, before it gets a log beside it, unless it is read-only."""
    if connection.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
        with suppress(sqlite3.OperationalError):
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
