"""The place of a read model's file, where one program at a time opens, closes or removes it.

SQLite keeps a log beside the file and finds it by its name. A program that removed the file while another one was opening or
closing it would leave a file with the log of another, and both would be spoilt.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.own_files import lock, make_empty
from adapters.storage.read_model_file import put_mark
from projections.database import Database

PATIENCE, PAUSE = 10.0, 0.005
"""Seconds for which it is waited for other programs, and between two looks; one that stands still stops nobody for good."""

File = tuple[int, int] | None


@contextmanager
def alone_at(path: Path | None) -> Iterator[None]:
    """Other programs and threads that come here wait meanwhile. Nothing is locked where folders cannot be."""
    try:
        folder = os.open(path.parent, os.O_RDONLY) if path is not None else None
    except OSError:
        folder = None
    try:
        end = time.monotonic() + PATIENCE
        while folder is not None and not lock(folder) and time.monotonic() < end:
            time.sleep(PAUSE)
        yield
    finally:
        if folder is not None:
            os.close(folder)


def file_at(path: Path | None) -> File:
    """Which file lies at a path, None if there is none."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


def connect(path: Path | None, *, unfinished: bool = False) -> Database:
    """The file at a path, made if there is none; without one a database in memory, or ``unfinished`` in a file without a name."""
    if path is not None:
        make_empty(path.resolve())
    nowhere = "" if unfinished else ":memory:"  # "" is a file that has no name and goes with its connection
    connection = sqlite3.connect(path or nowhere, timeout=10, isolation_level=None)
    if path is not None or unfinished:
        put_mark(connection)
    connection.execute(f"PRAGMA journal_mode={'MEMORY' if unfinished else 'WAL'}")
    connection.execute(f"PRAGMA synchronous={'OFF' if unfinished else 'NORMAL'}")
    connection.create_function("fold", 1, str.casefold, deterministic=True)
    return Database(connection)
