"""Connections to a PostgreSQL store: a pool on the library's datastore whose every step has an end within five seconds."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from eventsourcing.postgres import PostgresDatastore
from psycopg import Connection, OperationalError
from psycopg.errors import Error
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg_pool import ConnectionPool

PATIENCE = 5.0
"""Seconds after which a server counts as one that does not answer."""
POOL = 10
"""Connections of one program, when so many threads are busy at once. They are made when they are needed."""
LIMITS: dict[str, Any] = {
    "connect_timeout": int(PATIENCE),
    "tcp_user_timeout": int(PATIENCE * 1000),
    "keepalives_idle": 5,
    "keepalives_interval": 1,
    "keepalives_count": 4,
    "application_name": "rollbook",
}
"""What libpq is told, so that a line that was cut is noticed."""
SESSION = (
    "SET statement_timeout = '5s'",
    "SET lock_timeout = '4s'",
    "SET idle_in_transaction_session_timeout = '5s'",
    "SET synchronous_commit = on",
)
"""What the server is told. An administrator who switched durability off for a database has it on for rollbook."""

_Answer = TypeVar("_Answer")


class Silence(OperationalError):
    """The server did not answer in time, so the connection was given up."""


class EntryConnection(Connection[DictRow]):
    """A connection on which no wait lasts longer than ``PATIENCE``: a line may be dead without anybody saying so."""

    def wait(self, gen: Generator[Any, Any, _Answer], interval: float = 0.1, timeout: float | None = None) -> _Answer:
        try:
            return super().wait(gen, interval, PATIENCE + 0.5 if timeout is None else timeout)
        except Error as failure:
            if type(failure).__name__ == "_WaitTimeout" and timeout is None:
                self.pgconn.finish()
                raise Silence("the server does not answer") from failure
            raise


def made_ready(connection: Connection[Any]) -> None:
    """Tell a new connection what holds for it."""
    connection.autocommit = True
    connection.execute("; ".join(SESSION))


class EntryDatastore(PostgresDatastore):
    """The library's datastore over connections of ours; nothing connects before something is asked."""

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        super().__init__("", "", "", "", "", originator_id_type="text", schema="rollbook", connect_timeout=patience)
        self.address = address
        self.patience = patience
        self.pool = ConnectionPool(  # type: ignore[assignment]
            address,
            connection_class=EntryConnection,
            kwargs={**LIMITS, "row_factory": dict_row},
            min_size=0,
            max_size=POOL,
            timeout=patience,
            reconnect_timeout=patience,
            max_idle=60.0,
            open=False,
            configure=made_ready,
            name="rollbook",
        )

    def register_type_adapters(self) -> None:
        """Nothing: entries are sent as arrays of plain types, and no type is looked up before somebody asks for something."""

    @contextmanager
    def connection(self) -> Iterator[EntryConnection]:
        """One of the pool's connections, in autocommit. Raises what psycopg raises."""
        self.pool.open()
        with self.pool.connection() as connection:
            yield connection  # type: ignore[misc]

    def rows(self, statement: Any, parameters: dict[str, object]) -> list[tuple[Any, ...]]:
        """All rows of a short statement; it is committed when this returns."""
        with self.connection() as connection:
            cursor = connection.cursor(binary=True, row_factory=tuple_row)
            return cursor.execute(statement, parameters).fetchall()
