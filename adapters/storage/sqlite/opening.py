"""Opening of a campaign file: a new one is made, and a file that is not rollbook's is left as it is.

A new file gets its mark and its tables in one transaction of the old journal, before it is switched to the write-ahead
log. So every file that is not empty has the mark in its first page, and reading that page alone, which takes no lock
and leaves no files behind, recognises another program's file.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from rollbook.adapters.local_files.own_files import make_empty, make_folder
from rollbook.adapters.local_files.sqlite_faults import BUSY, is_full, result_code
from rollbook.adapters.storage.sqlite.datastore import CampaignDatastore
from rollbook.adapters.storage.sqlite.recorder import CampaignRecorder
from rollbook.adapters.storage.sqlite.schema import APPLICATION_ID, LAYOUT
from rollbook.domain.base.errors import HistoryDamaged, NotFound, RollbookError

SHAPE = "SELECT name, type FROM pragma_table_info('stored_events')"
TABLES = """\
SELECT COUNT(*) FROM sqlite_schema
WHERE name IN ('kind_sets', 'entry_kinds', 'entry_commands', 'store_identity', 'events')"""
COLUMNS = [
    ("rowid", "INTEGER"),
    ("originator_id", "TEXT"),
    ("originator_version", "INTEGER"),
    ("topic", "TEXT"),
    ("kinds", "INTEGER"),
    ("state", "BLOB"),
]


CANNOT_WRITE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
"""Result codes of SQLite on a full or read-only disk: such a store can still be read."""


def open_recorder(path: Path, create: bool, patience: float) -> CampaignRecorder:
    """The recorder of the campaign file at ``path``. Raises NotFound if there is none and ``create`` is false."""
    refuse_network_drive(path)
    if path.exists():
        refuse_strangers(path)
    elif create:
        make_folder(path.parent)
        make_empty(path.resolve())
    else:
        raise missing(path)
    try:
        return opened(address(path, create), path, create=create, patience=patience)
    except Exception as failure:
        if result_code(failure) != sqlite3.SQLITE_IOERR or not is_full(path) or log_size(path):
            raise
        return opened(fixed(path), path, create=False, patience=patience)


def opened(url: str, path: Path, *, create: bool, patience: float) -> CampaignRecorder:
    """The recorder of the file at a SQLite address, with its tables made and checked."""
    recorder = CampaignRecorder(CampaignDatastore(url, patience))
    try:
        patiently(recorder, path, create)
    except BaseException:
        recorder.datastore.close()
        raise
    return recorder


def missing(path: Path) -> NotFound:
    """The error for a missing or empty file."""
    return NotFound(f"There is no event store at {path} yet.")


def stranger(path: Path) -> RollbookError:
    """The error for another program's file."""
    return RollbookError(f"{path} is not a rollbook event store; it was left as it is. Choose another file.")


def refuse_strangers(path: Path) -> None:
    """Raise RollbookError for a path that is not a campaign file, without a lock and without touching any file."""
    if path.is_dir():
        raise RollbookError(f"{path} is a folder, not an event store. Name a file in it.")
    if not path.is_file():
        raise stranger(path)
    # The log is measured before the file: another process that is making the store fills the file first.
    log = log_size(path)
    if path.stat().st_size == 0:
        if log:
            raise HistoryDamaged(f"{path} is empty, yet the log beside it is not. Restore the file from a backup.")
        return
    try:  # the first page alone, read as from a medium that cannot change
        with closing(sqlite3.connect(fixed(path), uri=True)) as connection:
            (mark,) = connection.execute("PRAGMA application_id").fetchone()
    except sqlite3.Error as failure:
        if result_code(failure) == sqlite3.SQLITE_NOTADB:
            raise stranger(path) from failure
        return  # The first page alone is not reliable while another process writes; ``examine`` will check it.
    if mark != APPLICATION_ID:
        raise stranger(path)


def address(path: Path, create: bool) -> str:
    """The SQLite address of the file. If no log can be made beside it, it is read as a medium that cannot change."""
    is_fixed = path.exists() and not os.access(path, os.W_OK) and not os.access(path.resolve().parent, os.W_OK)
    if is_fixed and not log_size(path):
        return fixed(path)
    return f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"


def fixed(path: Path) -> str:
    """The address of a file that cannot change: SQLite puts no file beside it, so a full disk does not matter."""
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


def log_size(path: Path) -> int:
    """Bytes in the write-ahead log beside the file."""
    log = Path(f"{path.resolve()}-wal")
    return log.stat().st_size if log.exists() else 0


def patiently(recorder: CampaignRecorder, path: Path, create: bool) -> None:
    """Call ``make_ready``, repeatedly until the patience ends: SQLite refuses some steps while others open too."""
    deadline = time.monotonic() + recorder.datastore.pool.patience
    while True:
        try:
            return make_ready(recorder, path, create)
        except Exception as failure:
            if result_code(failure) not in BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def make_ready(recorder: CampaignRecorder, path: Path, create: bool) -> None:
    """Create the tables in an empty file, examine any file, and switch the write-ahead log on."""
    if recorder.rows("PRAGMA page_count") == [(0,)]:
        if not create:
            raise missing(path)
        recorder.create_table()
    examine(recorder, path)
    if not os.access(path, os.W_OK):
        return
    if recorder.rows("PRAGMA journal_mode") != [("wal",)]:
        recorder.rows("PRAGMA journal_mode = WAL")
    try:
        recorder.make_noting_removals()
    except Exception as failure:
        if result_code(failure) not in CANNOT_WRITE:
            raise


def examine(recorder: CampaignRecorder, path: Path) -> None:
    """Raise RollbookError for a file with another mark or layout, HistoryDamaged for other tables."""
    if recorder.rows("PRAGMA application_id") != [(APPLICATION_ID,)]:
        raise stranger(path)
    [(layout,)] = recorder.rows("PRAGMA user_version")
    if layout > LAYOUT:
        raise RollbookError(f"{path} was written by a later version of rollbook. Update rollbook to open it.")
    if layout < LAYOUT:
        raise RollbookError(
            f"{path} was written by an earlier version of rollbook, which stored campaigns in another shape; it was left as it "
            f"is. Begin a new store, or open this one with that version."
        )
    if recorder.rows(SHAPE) != COLUMNS or recorder.rows(TABLES) != [(5,)]:
        raise HistoryDamaged(f"{path} has lost one of its tables or has another. Restore it from a backup.")


MOUNTS = Path("/proc/self/mountinfo")
"""Linux's list of mounts. Other systems have no such file, and nothing is refused there."""
NETWORK = frozenset(
    ("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "ceph", "glusterfs", "lustre", "beegfs")
)
OVER_THE_NETWORK = ("fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs", "fuse.glusterfs", "fuse.curlftpfs", "davfs")


def refuse_network_drive(path: Path) -> None:
    """Raise RollbookError if the file at ``path``, or the folder that it is to be made in, is on a network drive."""
    kind = kind_of_drive(path)
    if kind in NETWORK or kind.startswith(OVER_THE_NETWORK):
        raise RollbookError(
            f"{path} is on a network drive ({kind}), where SQLite cannot keep writers apart; it was left as it is. "
            f"Keep the store on a disk of this computer, or on a server: --store postgresql://…"
        )


def kind_of_drive(path: Path) -> str:
    """The kind of file system that a path is on, or would be; "" if it is not known."""
    there = path.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    try:
        device = there.stat().st_dev
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    begin = mounts.find(f" {os.major(device)}:{os.minor(device)} ")
    _, _, rest = mounts[begin:].partition("\n")[0].partition(" - ")
    return rest.partition(" ")[0] if begin >= 0 else ""
