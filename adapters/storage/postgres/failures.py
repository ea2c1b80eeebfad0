"""Sentences for the table from the errors of PostgreSQL and its driver.

Messages of libpq while it connects are never repeated: if an address was mistyped, they may contain a part of its
password.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import OperationalError, errors
from psycopg_pool import PoolClosed, PoolTimeout

from rollbook.adapters.storage.postgres.lines import NoLine, Silence, Unanswered
from rollbook.application.ports.store_address import shown
from rollbook.domain.base.errors import NotFound, OutcomeUnknown, RollbookError, StoreAway, StoreSilent

FAILURES = (psycopg.Error, psycopg.Warning, Unanswered, OSError, ValueError)
"""Errors of reading and writing."""

OURS = "RB001"
"""The SQLSTATE of refusals by rollbook's own functions."""
NO_STORE = (
    "There is no rollbook store at {store}; {outcome}. Make one as the owner of the database: rollbook store migrate"
)
MANY = "{store} has too many connections already; {outcome}, try again."
AWAY = "{store} does not answer; {outcome}. See whether the server runs and the address is right."
FULL = "There is no room left on the disk of {store}; {outcome}. Make room and try again."
STARTING = "{store} is only just starting; {outcome}, try again."
STOPPING = "{store} is being shut down; {outcome}."
SOON = (AWAY, MANY, STARTING, STOPPING)
"""Sentences on what may be over in a moment."""
NO_ADDRESS = "That is no address of a PostgreSQL server; {outcome}. Write it as postgresql://role@host/database."
SENTENCES: dict[type[Exception], str] = {
    errors.InsufficientPrivilege: (
        "The role at {store} may not do that; {outcome}. Give it its rights as the owner: rollbook store migrate"
    ),
    errors.TooManyConnections: MANY,
    errors.UndefinedTable: NO_STORE,
    errors.InvalidSchemaName: NO_STORE,
    errors.DiskFull: FULL,
    errors.ReadOnlySqlTransaction: "{store} may only be read, not written; {outcome}.",
    errors.LockNotAvailable: "Somebody else is busy with {store} and does not let go; {outcome}, try again.",
    errors.QueryCanceled: "{store} took too long; {outcome}, try again.",
    PoolTimeout: "Too much of this program is busy with {store} at once; {outcome}, try again.",
    PoolClosed: "The event store {store} was closed; {outcome}. Open it again.",
    Silence: AWAY,
    Unanswered: AWAY,
}
"""Sentences by the first class of a failure that is named here."""
CONNECTING = {
    "invalid integer": NO_ADDRESS,
    "not support SSL": "{store} does not speak TLS, which the address asks for; {outcome}. See sslmode, or switch TLS on there.",
    "certificate": (
        "The certificate of {store} is not trusted here or is for another name; {outcome}. See sslrootcert and sslmode."
    ),
    "SSL error": "{store} and this computer do not agree about TLS; {outcome}. See sslmode and sslrootcert.",
    "permission denied for database": (
        "The role at {store} may not connect to that database; {outcome}. As its owner: GRANT CONNECT ON DATABASE … TO …"
    ),
    "no password supplied": (
        "{store} asks for a password, and none was given; {outcome}. Give it in PGPASSWORD, in ~/.pgpass or in the address."
    ),
    "password": "{store} does not take that password for this role; {outcome}.",
    "does not exist": "{store} has no such role or database; {outcome}.",
    "pg_hba.conf": "{store} does not let this role in from here; {outcome}.",
    "not permitted": "{store} does not let this role in; {outcome}.",
    "could not write": FULL,
    "too many": MANY,
    "remaining connection slots": MANY,
    "starting up": STARTING,
    "shutting down": STOPPING,
    "read-write": "No server at {store} can be written to; {outcome}.",
}
"""Sentences by a part of the message while connecting. Messages in another language get the general sentence."""


@contextmanager
def in_words(address: str, outcome: str) -> Iterator[None]:
    """Turn failures inside a block into RollbookError. ``outcome`` says what was not done: "nothing was recorded"."""
    try:
        yield
    except FAILURES as failure:
        raise sentence(address, failure, outcome) from failure


@contextmanager
def in_words_of_doubt(address: str, outcome: str) -> Iterator[None]:
    """Turn failures of writing into RollbookError; without an answer from the server, raise OutcomeUnknown."""
    try:
        yield
    except (*FAILURES, RollbookError) as failure:
        is_said = isinstance(failure, RollbookError)
        cause = failure.__cause__ if is_said else failure
        if isinstance(cause, Unanswered):
            raise OutcomeUnknown(
                f"{shown(address)} did not answer, so it is not known whether this was recorded. Sent again under the same "
                f"command id it happens once; without an id, look at the log before you do it again."
            ) from cause
        if is_said:
            raise
        raise sentence(address, failure, outcome) from failure


def sentence(address: str, failure: BaseException, outcome: str) -> RollbookError:
    """The error for a failure at a server: its meaning, and what would help."""
    failure = failure.why if isinstance(failure, NoLine) else failure
    words = next((SENTENCES[kind] for kind in type(failure).__mro__ if kind in SENTENCES), "") or _connecting(failure)
    if not words and isinstance(failure, psycopg.ProgrammingError) and failure.sqlstate is None:
        words = NO_ADDRESS
    if not words and isinstance(failure, UnicodeError):
        words = "{store} holds text in UTF-8 alone, and that is none; {outcome}."
    kind: type[RollbookError] = NotFound if words == NO_STORE else StoreSilent if words in SOON else StoreAway
    if isinstance(failure, UnicodeError):
        kind = RollbookError
    if getattr(failure, "sqlstate", None) == OURS:
        words, kind = "{store} refuses that ({reason}); {outcome}.", RollbookError
    words = words or "The event store {store} does not work ({reason}); {outcome}."
    return kind(words.format(store=shown(address), outcome=outcome, reason=_reason(failure)))


def _connecting(failure: BaseException) -> str:
    if not isinstance(failure, OperationalError) or failure.sqlstate is not None:
        return ""
    said = str(failure)
    return next((words for part, words in CONNECTING.items() if part in said), AWAY)


def _reason(failure: BaseException) -> str:
    """The server's own message, never libpq's."""
    said = getattr(getattr(failure, "diag", None), "message_primary", None) or type(failure).__name__
    return " ".join(said.split()).rstrip(".")


def later(address: str) -> RollbookError:
    """The error for tables of a later version."""
    return RollbookError(
        f"{shown(address)} was made by a later version of rollbook; it was left as it is. Update rollbook to open it."
    )


def stranger(address: str) -> RollbookError:
    """The error for a schema that has rollbook's name and is not a store."""
    return RollbookError(
        f"What is at {shown(address)} is not a rollbook store; it was left as it is. Choose another database."
    )
