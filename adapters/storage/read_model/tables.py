"""The tables of a read model, the number of their shape, and transactions on them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from secrets import token_hex
from typing import TypeVar

from rollbook.adapters.local_files.sqlite_faults import BUSY, result_code
from rollbook.adapters.storage.read_model import last_access, stream_positions
from rollbook.adapters.storage.read_model.file import is_of_the_question
from rollbook.domain.base.errors import RollbookError
from rollbook.projections import session_log, sheet_questions, xp_timeline
from rollbook.projections.database import Database

Answer = TypeVar("Answer")

SHAPE = 21
"""The number of the shape of the tables and of their texts. A file of another shape is rebuilt."""


def shape_of(db: Database) -> int:
    """The shape of the tables, 0 if there are none yet."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def is_made_otherwise(db: Database, store: str) -> bool:
    """True if there are tables of another shape, or made from another store than the one of this identity."""
    shape = shape_of(db)
    if shape != SHAPE:
        return shape != 0
    mine = db.execute("SELECT COUNT(*) FROM position WHERE store = ?", [store]).fetchone()[0]
    return bool(store) and not mine


def made_as(db: Database) -> str:
    """The id of this build of the tables: a rebuild has another one."""
    return str(db.execute("SELECT id FROM made").fetchone()[0])


@cache
def empty() -> sqlite3.Connection:
    """An empty read model, which is copied for each one in memory: that takes a hundredth of the time of making it."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db = Database(connection)
    create(db, "", 0)
    session_log.make_searchable(db)
    return connection


def create(db: Database, store: str, removals: int) -> None:
    """Make the tables, for a store of this identity with so many removals. The full-text index is made apart."""
    from rollbook.adapters.storage.read_model import checkpoints, head_snapshots

    db.table("made").insert({"id": token_hex(8)})
    stream_positions.create(db, store, removals)
    last_access.create(db)
    db.table("campaigns").create(
        {"campaign": str, "entries": int, "session": int, "scene": str, "scenes": int, "names": str, "seats": str}
        | checkpoints.NOTED,
        pk="campaign",
    )
    checkpoints.create(db)
    head_snapshots.create(db)
    db.table("opened").create({"campaign": str, "hash": str}, pk="campaign")
    session_log.create(db)
    xp_timeline.create(db)
    sheet_questions.create(db)
    db.execute(f"PRAGMA user_version = {SHAPE}")


def answered(db: Database, ask: Callable[[], Answer]) -> Answer:
    """An answer from the rows. Raises RollbookError for a query that fails although all tables are there."""
    try:
        return ask()
    except sqlite3.DatabaseError as fault:
        if is_of_the_question(fault) and _schema(db.conn) == _schema(empty()):
            raise RollbookError(f"The log cannot be asked that ({fault}). Ask for less, or in other words.") from fault
        raise


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    return set(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


@contextmanager
def transaction(db: Database) -> Iterator[Database]:
    """A transaction that locks at its beginning, so that a later writer waits instead of failing half-way.

    Raises RollbookError if another process is writing.
    """
    _begin(db)
    try:
        yield db
    except BaseException:
        if db.conn.in_transaction:
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextmanager
def between_two(db: Database) -> Iterator[None]:
    """Commit the transaction that is open and begin another after the block, so that others may write meanwhile."""
    db.execute("COMMIT")
    yield
    _begin(db)


def _begin(db: Database) -> None:
    try:
        db.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if result_code(error) not in BUSY:
            raise
        raise RollbookError(f"Another process is writing the read model ({error}). Try again.") from None
