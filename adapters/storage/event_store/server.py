"""Stores on a PostgreSQL server, for whom none may be wanted: the driver is imported when one is, and may not be installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from domain.errors import RollbookError

if TYPE_CHECKING:
    from adapters.storage.event_store.address import ServerAddress
    from adapters.storage.event_store.postgres import PostgresEventStore


def open_server(where: ServerAddress) -> PostgresEventStore:
    """The store at an address. Raises RollbookError with the reason it cannot be opened."""
    with _installed():
        from adapters.storage.event_store.postgres import PostgresEventStore

    return PostgresEventStore(where.given)


def migrate(where: ServerAddress, program: str) -> None:
    """Make the tables of a store, see ``postgres.schema.migrate``."""
    with _installed():
        from adapters.storage.event_store.postgres import schema

    schema.migrate(where.given, program)


@contextmanager
def _installed() -> Iterator[None]:
    try:
        yield
    except ImportError as missing:
        if (missing.name or "").split(".")[0] not in ("psycopg", "psycopg_pool"):
            raise
        raise RollbookError(
            "A store on a PostgreSQL server needs psycopg, which is not installed: pip install 'rollbook[postgres]'"
        ) from missing
