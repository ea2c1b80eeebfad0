"""Turns what PostgreSQL and its driver say when something fails into sentences for the table, without passwords."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from eventsourcing.persistence import PersistenceError
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from adapters.storage.event_store.address import shown
from domain.errors import NotFound, RollbookError

FAILURES = (
    psycopg.Error,
    psycopg.Warning,
    PersistenceError,
    PoolClosed,
    PoolTimeout,
    TooManyRequests,
    OSError,
    ValueError,
)
"""What may be raised by reading and writing."""

SENTENCES: dict[type[Exception], str] = {
    errors.InvalidPassword: "{store} does not take that password; {outcome}.",
    errors.InvalidAuthorizationSpecification: "{store} does not let that role in; {outcome}.",
    errors.InvalidCatalogName: "There is no database of that name at {store}; {outcome}.",
    errors.InsufficientPrivilege: "The role at {store} may not do that; {outcome}. Give it its rights: rollbook store migrate",
    errors.TooManyConnections: "{store} has too many connections; {outcome}, try again.",
    errors.UndefinedTable: "There is no rollbook store at {store}; {outcome}. Make one: rollbook store migrate",
    errors.InvalidSchemaName: "There is no rollbook store at {store}; {outcome}. Make one: rollbook store migrate",
    errors.DiskFull: "There is no room left on the disk of {store}; {outcome}. Make room and try again.",
    errors.ReadOnlySqlTransaction: "{store} may only be read, not written; {outcome}.",
    PoolTimeout: "{store} cannot be reached; {outcome}, try again.",
    PoolClosed: "The event store {store} was closed; {outcome}. Open it again.",
}
"""By the first class of a failure that is named here."""


@contextmanager
def in_words(address: str, outcome: str) -> Iterator[None]:
    """Let no other exception than ours out of a block. ``outcome`` is what did not happen: "nothing was recorded"."""
    try:
        yield
    except FAILURES as failure:
        raise sentence(address, failure, outcome) from failure


def sentence(address: str, failure: BaseException, outcome: str) -> RollbookError:
    """What a failure at a server means and what would help."""
    known = next((SENTENCES[kind] for kind in type(failure).__mro__ if kind in SENTENCES), "")
    words = known or "The event store {store} does not work ({reason}); {outcome}."
    kind = NotFound if isinstance(failure, (errors.UndefinedTable, errors.InvalidSchemaName)) else RollbookError
    return kind(words.format(store=shown(address), outcome=outcome, reason=_reason(failure)))


def _reason(failure: BaseException) -> str:
    said = getattr(getattr(failure, "diag", None), "message_primary", None) or str(failure) or type(failure).__name__
    return " ".join(said.split()).rstrip(".")
