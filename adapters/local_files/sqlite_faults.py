"""Sentences for the table from the errors of SQLite and of the event-sourcing library."""

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from eventsourcing.persistence import ConnectionPoolClosedError, ConnectionUnavailableError, PersistenceError

from rollbook.adapters.local_files.own_files import named
from rollbook.domain.base.errors import HistoryDamaged, OutcomeUnknown, RollbookError, StoreAway

FAILURES = (
    sqlite3.Error,
    sqlite3.Warning,
    PersistenceError,
    ConnectionPoolClosedError,
    OSError,
    OverflowError,
    TypeError,
    ValueError,
)
"""Errors of reading and writing. A TypeError or ValueError comes from a row with a value that is never stored."""

BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
LITTLE_ROOM = 64 * 1024
"""Bytes: with less free space, SQLite cannot even make the files beside a store that it needs for reading."""
FOR_WANT_OF_ROOM = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""Result codes that SQLite may give on such a full disk, instead of SQLITE_FULL."""
SENTENCES = dict.fromkeys(BUSY, "Another process is writing to {path} and does not let go; {outcome}, try again.") | {
    sqlite3.SQLITE_FULL: "There is no room left on the disk that holds {path}; {outcome}. Make room and try again.",
    sqlite3.SQLITE_READONLY: "{path} may only be read, not written; {outcome}. Copy it to a place you may write to.",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened; {outcome}. See whether you may read and write in its folder.",
}


ODD = (TypeError, ValueError)


def check_types(rows: Iterable[tuple[object, ...]], kinds: Sequence[type]) -> None:
    """Raise TypeError unless every value in the rows is of its column's type: SQLite lets any column hold anything."""
    for column, kind in zip(zip(*rows, strict=True), kinds, strict=False):
        if set(map(type, column)) != {kind}:
            raise TypeError(kind)


@contextmanager
def in_words(path: Path, outcome: str) -> Iterator[None]:
    """Turn failures inside a block into RollbookError. ``outcome`` says what was not done: "nothing was recorded"."""
    try:
        yield
    except FAILURES as failure:
        raise sentence(path, failure, outcome) from failure


def result_code(failure: BaseException) -> int:
    """SQLite's primary result code behind a failure, 0 if there is none. The library keeps it as the cause."""
    cause = failure if isinstance(failure, sqlite3.Error) else failure.__cause__
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF


def is_full(path: Path) -> bool:
    """True if the disk that holds a file is full, or nearly so."""
    try:
        disk = os.statvfs(path.absolute().parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < LITTLE_ROOM


def sentence(path: Path, failure: BaseException, outcome: str) -> RollbookError:
    """The error for a failure at the file ``path``: its meaning, and what would help."""
    code = result_code(failure)
    if (code in FOR_WANT_OF_ROOM or getattr(failure, "errno", 0) == errno.ENOSPC) and is_full(path):
        code = sqlite3.SQLITE_FULL
    if isinstance(failure, ConnectionPoolClosedError) or "closed database" in str(failure):
        return StoreAway(f"The event store {named(path)} was closed; {outcome}. Open it again.")
    if isinstance(failure, ConnectionUnavailableError):
        return StoreAway(f"Too much of this program is busy with {named(path)} at once; {outcome}, try again.")
    if isinstance(failure, ODD) and not isinstance(failure, UnicodeError):
        return HistoryDamaged(
            f"{path} is damaged (it holds a value that is never stored); {outcome}. Restore it from a backup."
        )
    if "decode to UTF-8" in str(failure):
        return HistoryDamaged(f"{path} is damaged (a text in it is none); {outcome}. Restore it from a backup.")
    if code in DAMAGED:
        return HistoryDamaged(
            f"{named(path)} is damaged (its pages are not as SQLite wrote them); {outcome}. Restore it from a backup."
        )
    words = SENTENCES.get(code, "The event store {path} does not work ({reason}); {outcome}.")
    return StoreAway(words.format(path=named(path), outcome=outcome, reason=_reason(failure)))


def not_recorded(path: Path, failure: BaseException) -> StoreAway:
    """The error for a disk that failed at a commit when certainly nothing was recorded."""
    return StoreAway(
        f"The disk that holds {named(path)} failed ({_reason(failure)}); the store was opened again, and nothing was recorded."
    )


def unknown(path: Path, failure: BaseException) -> OutcomeUnknown:
    """The error for a disk that failed at a commit when it is unknown whether anything was recorded."""
    return OutcomeUnknown(
        f"The disk that holds {named(path)} failed ({_reason(failure)}), so it is not known whether this was recorded. "
        f"Look at the log before you do it again, and make a backup on another disk."
    )


def _reason(failure: BaseException) -> str:
    if isinstance(failure, UnicodeError):
        return "it holds text in UTF-8 alone, and that is none"
    if isinstance(failure, OverflowError):
        return "that number is larger than any in it can be"
    return getattr(failure, "strerror", None) or str(failure) or type(failure).__name__
