"""Connections to a server and their failures: rollbook retries for five seconds, then raises an error.

A line (connection) may be cut, go silent, or be refused while the server restarts or another takes its place.
"""

import logging
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from time import monotonic, sleep
from typing import Any, Self, TypeVar, cast

from psycopg import Connection, InterfaceError, OperationalError, errors, pq
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import Error
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from rollbook.application.ports.deadline import PATIENCE, is_over, left, waiting

SHORT = 1.0
"""Seconds of retrying a first connection to an address where no server listens: it may be wrong."""
ONE_LINE = 0.4
"""Share of the waiting time after which a silent line is given up and another one is tried."""
CLOSING = 0.5
"""Seconds that closing a store waits for other threads' work on its lines."""
FIRST_PAUSE, LONGEST_PAUSE = 0.01, 0.2
"""Seconds between two attempts: the pause doubles."""

logging.getLogger("psycopg").addHandler(
    logging.NullHandler()
)  # failures are reported in a sentence, without the address

LIMITS: dict[str, Any] = {
    "connect_timeout": int(PATIENCE),
    "tcp_user_timeout": int(PATIENCE * 1000),
    "keepalives_idle": 5,
    "keepalives_interval": 1,
    "keepalives_count": 4,
    "application_name": "rollbook",
}
"""Settings of libpq by which a cut line is noticed."""
SESSION = (
    "SET statement_timeout = '60s'; SET lock_timeout = '4s'; SET idle_in_transaction_session_timeout = '5s'; "
    "SET synchronous_commit = on"
)
"""Settings of the server's session. Durability is on for rollbook even if it is off for the database."""

STARTING = (errors.CannotConnectNow, errors.TooManyConnections)
"""Errors of a server that will answer in a moment."""
CUT = (
    *STARTING,
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.IdleInTransactionSessionTimeout,
    errors.ReadOnlySqlTransaction,
    errors.ConnectionException,
)
"""Errors of a line that is no longer usable; the next one may be. A read-only server is no longer the primary."""

_Answer = TypeVar("_Answer")
_connected_by: ContextVar[float] = ContextVar("when a connection has to be there", default=float("inf"))


SILENT = "the server does not answer"


class Silence(OperationalError):
    """The error of a server that did not answer in time, so that the line was given up."""


class NoLine(OperationalError):
    """The error if no line was available, and nothing was sent."""

    def __init__(self, why: OperationalError) -> None:
        super().__init__()
        self.why = why


class Unanswered(Exception):
    """The error if a statement was sent, no answer came, and no line was left to ask again: it may count, or not."""


def is_lost(failure: BaseException) -> bool:
    """True if the line is at fault, so that another one may work."""
    is_cut = isinstance(failure, OperationalError) and failure.sqlstate is None
    return is_cut or isinstance(failure, (InterfaceError, *CUT))


class EntryConnection(Connection[DictRow]):
    """A connection on which no wait lasts beyond ``until``: a line may be dead without any sign of it."""

    until: float = 0.0

    def wait(self, gen: Generator[Any, Any, _Answer], interval: float = 0.1, timeout: float | None = None) -> _Answer:
        """Wait as psycopg does. Raises Silence when it takes too long."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, max(self.until - monotonic() if self.until else left(), FIRST_PAUSE))
        except Error as failure:
            if type(failure).__name__ != "_WaitTimeout":
                raise
            self.pgconn.finish()
            raise Silence(SILENT) from failure

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> Generator[Any, Any, Self]:
        """Connect as psycopg does, with a deadline: its own timeout is in whole seconds, and per server."""
        until, connecting = _connected_by.get(), super()._connect_gen(conninfo)
        try:
            wanted = next(connecting)
            while True:
                ready = yield wanted
                if monotonic() > until:
                    raise Silence(SILENT)
                wanted = connecting.send(ready)
        except StopIteration as made:
            return cast("Self", made.value)


def limits(address: str) -> dict[str, Any]:
    """Settings to add to an address. Of several servers the writable one is chosen. Raises psycopg's errors."""
    if not _are_several(address):
        return LIMITS
    wanted = conninfo_to_dict(address).get("target_session_attrs") or "read-write"
    return {**LIMITS, "connect_timeout": 2, "target_session_attrs": wanted}


def _are_several(address: str) -> bool:
    return "," in str(conninfo_to_dict(address).get("host") or "")


def connect(
    address: str, patience: float = PATIENCE, failed: Callable[[OperationalError], None] = lambda _: None
) -> EntryConnection:
    """Make a connection of its own, in autocommit. Raises psycopg's errors.

    It waits for a server that is starting. A silent one is tried again: perhaps only that line is dead.
    ``failed`` is called with every failure, even if another attempt follows.
    """
    with waiting():
        begun, pause, patience = monotonic(), FIRST_PAUSE, left(patience)
        until = begun + patience * (1 if _are_several(address) else ONE_LINE)
        while True:
            try:
                return _connected(address, until)
            except OperationalError as failure:
                failed(failure)
                said = str(failure)
                is_starting = isinstance(failure, (*STARTING, Silence)) or any(words in said for words in SOON)
                longest = patience if is_starting else min(patience, SHORT)
                if any(words in said for words in FOR_GOOD) or monotonic() + pause > begun + longest:
                    raise
            sleep(pause)
            pause, until = min(2 * pause, LONGEST_PAUSE), begun + patience


def _connected(address: str, until: float) -> EntryConnection:
    before = _connected_by.set(until)
    try:
        connection = EntryConnection.connect(address, autocommit=True, row_factory=dict_row, **limits(address))
    finally:
        _connected_by.reset(before)
    connection.until = until
    try:
        connection.execute(SESSION)
    except BaseException:
        connection.close()
        raise
    connection.until = 0.0
    return connection


FOR_GOOD = (
    "invalid integer",
    "authentication failed",
    "no password supplied",
    "does not exist",
    "no pg_hba.conf",
    "not permitted",
    "permission denied for database",
    "certificate",
    "not support SSL",
    "could not translate",
)
"""Parts of messages that end the attempts. psycopg gives no SQLSTATE for errors while libpq connects."""


SOON = ("starting up", "too many", "remaining connection slots", "shutting down")
"""Parts of messages of a server that will accept connections in a moment."""


class _LastUsedFirst(deque[EntryConnection]):
    """Idle lines. The pool takes the first: the server's side of the one that was used last is warm."""

    append = deque.appendleft


class EntryPool(ConnectionPool[EntryConnection]):
    """psycopg's pool, with immediate retries where its own pauses would be longer than the patience."""

    last_failure: OperationalError | None = None
    """The failure of the last attempt to connect, None if it succeeded."""

    def __init__(self, address: str, size: int, patience: float) -> None:
        self._address = address
        self.patience = patience
        super().__init__(
            address,
            connection_class=EntryConnection,
            min_size=0,
            max_size=size,
            timeout=patience,
            reconnect_timeout=patience,
            max_idle=60.0,
            open=False,
            name="rollbook",
        )
        self._pool = _LastUsedFirst()

    def _connect(self, timeout: float | None = None) -> EntryConnection:  # noqa: ARG002 - the pool's signature
        connection = connect(self._address, self.patience, partial(setattr, self, "last_failure"))
        self.last_failure = None
        connection._pool = self  # noqa: SLF001 - as the pool's own method does
        self._set_connection_expiry_date(connection)
        return connection

    def close(self, timeout: float = CLOSING) -> None:
        """Close all lines. Waits at most ``timeout`` seconds for one that is just being made."""
        super().close(timeout)

    def _return_connection(self, conn: EntryConnection, from_getconn: bool) -> None:
        """Take a line back. A lost one is only replaced for a waiting thread, else every crash would leave one more."""
        if conn.pgconn.transaction_status != pq.TransactionStatus.UNKNOWN:
            super()._return_connection(conn, from_getconn)
            return
        with self._lock:
            self._nconns -= 1
            if self._waiting:
                self._maybe_grow_pool()

    def _let_go_of_idle(self) -> None:
        """Close all idle lines: if one is lost, perhaps all are, and trying them one after the other takes too long."""
        with self._lock:
            idle = list(self._pool)
            self._pool.clear()
            self._nconns -= len(idle)
        for line in idle:
            self._close_connection(line)

    def deadline(self) -> float:
        """The deadline of a wait that begins now. Raises NoLine if the command has no time left."""
        if is_over():
            raise NoLine(Silence(SILENT))
        return monotonic() + left(self.patience)

    def insist(self, act: Callable[[EntryConnection], _Answer], more: float = 0.0) -> _Answer:
        """Call ``act`` with a connection, and again with another one if the line is lost: it must be safe to repeat.

        ``more`` are seconds that it may take beyond the patience, because there is much to send.

        Raises Unanswered if it was begun and its outcome is unknown, and psycopg's errors.
        """
        deadline, pause, is_begun = self.deadline() + more, FIRST_PAUSE, False
        on_one = ONE_LINE * left(self.patience) + more
        while True:
            try:
                connection = self._lent(min(deadline, monotonic() + on_one))
                try:
                    return act(connection)
                finally:
                    self._returned(connection)
            except Error as failure:
                if not is_lost(failure):
                    raise
                why = failure.why if isinstance(failure, NoLine) else None
                is_begun = is_begun or why is None
                if why is None:
                    self._let_go_of_idle()
                if monotonic() + pause > deadline or isinstance(why, PoolClosed):
                    raise (why if why and not is_begun else Unanswered()) from failure
            sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    @contextmanager
    def one(self, until: float) -> Iterator[EntryConnection]:
        """Lend one connection, on which no wait lasts beyond ``until``. Raises NoLine if none is available."""
        connection = self._lent(until)
        try:
            yield connection
        finally:
            self._returned(connection)

    def _lent(self, until: float) -> EntryConnection:
        if self.closed:
            self.open()
        try:
            connection = self.getconn(timeout=max(until - monotonic(), FIRST_PAUSE))
        except (PoolClosed, PoolTimeout) as failure:
            raise NoLine(failure if isinstance(failure, PoolClosed) else self._why_none(failure)) from failure
        connection.until = until
        return connection

    def _returned(self, connection: EntryConnection) -> None:
        connection.until = 0.0
        self.putconn(connection)

    def _why_none(self, failure: PoolTimeout) -> OperationalError:
        """The reason why no line was available in time: connecting failed or is still under way, or all are in use."""
        is_busy = self._nconns >= self._max_size and not self._growing
        return self.last_failure or (failure if is_busy else Silence(SILENT))
