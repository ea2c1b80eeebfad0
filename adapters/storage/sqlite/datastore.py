"""Connections to one campaign file and the transactions on them, on the classes of the eventsourcing library.

Two things differ from the library's own. A writer takes the file's write lock when it begins, not at its first write:
one that first read would otherwise fail at once whenever another process wrote in between. And all writing uses one
connection, which is rolled back after each turn: a failed commit or an interruption leaves no lock behind.
"""

import sqlite3
from collections.abc import Callable, Mapping
from threading import Lock

from eventsourcing.persistence import ConnectionUnavailableError
from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool, SQLiteDatastore


class CampaignConnectionPool(SQLiteConnectionPool):
    """Connections that are durable: a commit returns when the disk has it, whatever SQLite was compiled to do."""

    def __init__(self, db_name: str, patience: float) -> None:
        self.patience = patience
        super().__init__(db_name=db_name, pool_timeout=patience)

    @staticmethod
    def detect_memory_mode(db_name: str) -> bool:
        return False

    def _create_connection(self) -> SQLiteConnection:
        connection = sqlite3.connect(
            self.db_name, timeout=self.patience, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA secure_delete=ON")  # deleted data is overwritten in its page
        except BaseException:
            connection.close()
            raise
        connection.row_factory = sqlite3.Row
        return SQLiteConnection(connection, max_age=None)


class CommitFailed(Exception):
    """A disk error at a commit: it is not yet known whether the transaction counts; the cause is SQLite's error."""


SURELY_NOT = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL)
"""Result codes of a commit of which certainly nothing counts."""


def commit(cursor: sqlite3.Cursor | sqlite3.Connection) -> None:
    """Commit a transaction. Raises CommitFailed, or SQLite's error if nothing of it counts."""
    try:
        cursor.execute("COMMIT")
    except sqlite3.Error as failure:
        if getattr(failure, "sqlite_errorcode", 0) & 0xFF in SURELY_NOT:
            raise
        raise CommitFailed from failure


class WritersTurn:
    """A transaction on the one connection that appends, for one thread at a time: committed at its end, or undone.

    The connection is kept, because fetching it each time slows small appends down by a third. Besides, the pool's own
    queue of writers would make readers wait behind a waiting writer.
    """

    def __init__(self, pool: CampaignConnectionPool) -> None:
        self.lock = Lock()
        self.undone: Callable[[], None] = lambda: None
        """Callback for a transaction that was not committed, before the next one begins."""
        self._pool = pool
        self._cursor: sqlite3.Cursor | None = None

    def __enter__(self) -> sqlite3.Cursor:
        if not self.lock.acquire(timeout=self._pool.patience):
            raise ConnectionUnavailableError
        try:
            if self._cursor is None:
                self._cursor = self._pool.get_connection().cursor().sqlite_cursor
                self._cursor.row_factory = None
            return self._cursor.execute("BEGIN IMMEDIATE")
        except BaseException:
            self.lock.release()
            raise

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        assert self._cursor
        try:
            if failed is None:
                commit(self._cursor)
            else:
                self.undone()
        except BaseException:
            self.undone()
            raise
        finally:
            try:
                if self._cursor.connection.in_transaction:
                    self._cursor.connection.rollback()
            finally:
                self.lock.release()


class CampaignDatastore(SQLiteDatastore):
    """The file at the SQLite address ``url``; a caller that needs it waits at most ``patience`` seconds for its turn."""

    pool: CampaignConnectionPool

    def __init__(self, url: str, patience: float) -> None:
        super().__init__(url, originator_id_type="text")
        self.pool = CampaignConnectionPool(url, patience)
        self.turn = WritersTurn(self.pool)

    def rows(self, statement: str, parameters: Mapping[str, object]) -> list[tuple[object, ...]]:
        """All rows of a short read as plain tuples; the read is over when this returns."""
        connection = self.pool.get_connection()
        try:
            cursor = connection.cursor().sqlite_cursor
            cursor.row_factory = None
            return cursor.execute(statement, parameters).fetchall()
        finally:
            self.pool.put_connection(connection)

    def close(self) -> None:
        """Close all connections, after the append that is under way."""
        waited = self.turn.lock.acquire(timeout=self.pool.patience)
        try:
            self.pool.close()
        finally:
            if waited:
                self.turn.lock.release()
