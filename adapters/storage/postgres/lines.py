"""What can happen to the line to a server, and how long rollbook goes on trying: five seconds, then there is a sentence.

A line may be cut, go silent, or be refused while the server starts again or another takes its place.
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
"""Seconds for which a first connection is tried again where nobody listens: the address may be wrong."""
ONE_LINE = 0.4
"""The part of what may be waited after which a line that is silent is given up and another one is tried."""
CLOSING = 0.5
"""Seconds for which who closes a store waits for what others still have to say on its lines."""
FIRST_PAUSE, LONGEST_PAUSE = 0.01, 0.2
"""Seconds between two attempts: the pause doubles."""

logging.getLogger("psycopg").addHandler(
    logging.NullHandler()
)  # what goes wrong is said in a sentence, without the address

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
    "SET statement_timeout = '60s'; SET lock_timeout = '4s'; SET idle_in_transaction_session_timeout = '5s'; "
    "SET synchronous_commit = on"
)
"""What the server is told. Where an administrator switched durability off for a database, it is on for rollbook."""

STARTING = (errors.CannotConnectNow, errors.TooManyConnections)
"""What a server says that will answer in a moment."""
CUT = (
    *STARTING,
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.IdleInTransactionSessionTimeout,
    errors.ReadOnlySqlTransaction,
    errors.ConnectionException,
)
"""What is said on a line that is of no use any more; the next one may be. A server that may only be read is not the first one."""

_Answer = TypeVar("_Answer")
_connected_by: ContextVar[float] = ContextVar("when a connection has to be there", default=float("inf"))


SILENT = "the server does not answer"


class Silence(OperationalError):
    """The server did not answer in time, so the line was given up."""


class NoLine(OperationalError):
    """No line was to be had, and nothing was sent."""

    def __init__(self, why: OperationalError) -> None:
        super().__init__()
        self.why = why


class Unanswered(Exception):
    """Something was sent, no answer came, and no line was to be had to ask again: it may count, or not."""


def is_lost(failure: BaseException) -> bool:
    """Whether the line is at fault, so that another one may do."""
    is_cut = isinstance(failure, OperationalError) and failure.sqlstate is None
    return is_cut or isinstance(failure, (InterfaceError, *CUT))


class EntryConnection(Connection[DictRow]):
    """A connection on which no wait goes on after ``until``: a line may be dead without anybody saying so."""

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
        """Connect as psycopg does, which knows whole seconds alone, and those for each of several servers."""
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
    """What is added to an address. Of several servers the one that can be written to is meant. Raises psycopg's errors."""
    if not _are_several(address):
        return LIMITS
    wanted = conninfo_to_dict(address).get("target_session_attrs") or "read-write"
    return {**LIMITS, "connect_timeout": 2, "target_session_attrs": wanted}


def _are_several(address: str) -> bool:
    return "," in str(conninfo_to_dict(address).get("host") or "")


def connect(
    address: str, patience: float = PATIENCE, failed: Callable[[OperationalError], None] = lambda _: None
) -> EntryConnection:
    """A connection of its own, in autocommit. Raises what psycopg raises.

    A server that is starting is waited for. One that is silent is tried a second time: perhaps only that line is dead.
    ``failed`` is told each time that it failed, though it may be tried again.
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
    "could not translate",
)
"""What a server says to a stranger. psycopg has no number for what libpq is told while it connects."""


SOON = ("starting up", "too many", "remaining connection slots", "shutting down")
"""What a server says that will let somebody in in a moment."""


class _LastUsedFirst(deque[EntryConnection]):
    """Lines that nobody uses. The pool takes the first: the server's side of the one that was used last is warm."""

    append = deque.appendleft


class EntryPool(ConnectionPool[EntryConnection]):
    """psycopg's pool, that tries again at once where its own pauses would be longer than anybody's patience."""

    last_failure: OperationalError | None = None
    """Why the last connection could not be made."""

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

    def _connect(self, timeout: float | None = None) -> EntryConnection:  # noqa: ARG002 - the pool says how it is called
        connection = connect(self._address, self.patience, partial(setattr, self, "last_failure"))
        self.last_failure = None
        connection._pool = self  # noqa: SLF001 - as the pool's own method does
        self._set_connection_expiry_date(connection)
        return connection

    def close(self, timeout: float = CLOSING) -> None:
        """Close all lines. One that is just being made is not waited for longer than ``timeout`` seconds."""
        super().close(timeout)

    def _return_connection(self, conn: EntryConnection, from_getconn: bool) -> None:
        """Take a line back. One that is lost is not replaced before somebody wants one, else every crash would leave one more."""
        if conn.pgconn.transaction_status != pq.TransactionStatus.UNKNOWN:
            super()._return_connection(conn, from_getconn)
            return
        with self._lock:
            self._nconns -= 1
            if self._waiting:
                self._maybe_grow_pool()

    def _let_go_of_idle(self) -> None:
        """One line is lost, so perhaps all are: what a crash or a dead network left is not tried one after the other."""
        with self._lock:
            idle = list(self._pool)
            self._pool.clear()
            self._nconns -= len(idle)
        for line in idle:
            self._close_connection(line)

    def deadline(self) -> float:
        """Until when what begins now may be waited for. Raises NoLine if that is for a command which has no time left."""
        if is_over():
            raise NoLine(Silence(SILENT))
        return monotonic() + left(self.patience)

    def insist(self, act: Callable[[EntryConnection], _Answer], more: float = 0.0) -> _Answer:
        """Do something on a connection, and again on another one where the line is lost: it must do no harm twice.

        ``more`` are seconds that it may take beyond the patience, because there is much to send.

        Raises Unanswered if it was begun and nobody can say how it ended, and what psycopg raises.
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
        """One connection, lent; nothing on it is waited for after ``until``. Raises NoLine if there is none to be had."""
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
        """Why there was no line in time: the last one could not be made, or is still being made, or all are in use."""
        is_busy = self._nconns >= self._max_size and not self._growing
        return self.last_failure or (failure if is_busy else Silence(SILENT))
