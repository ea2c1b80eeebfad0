"""Stores on a PostgreSQL server, for whom none may be wanted: the driver is imported when one is, and may not be installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rollbook.domain.base.errors import RollbookError

if TYPE_CHECKING:
    from rollbook.adapters.storage.postgres.shared_secrets import SharedSecrets
    from rollbook.adapters.storage.postgres.store import PostgresEventStore
    from rollbook.application.ports.store_address import ServerAddress


def open_server(where: ServerAddress) -> PostgresEventStore:
    """The store at an address. Raises RollbookError with the reason it cannot be opened."""
    with driver():
        from rollbook.adapters.storage.postgres.store import PostgresEventStore

    return PostgresEventStore(where.given)


def open_secrets(where: ServerAddress, store: str, folder: Path) -> SharedSecrets:
    """What is kept beside the store of that identity, and in a ``folder`` of this computer. Raises RollbookError."""
    with driver():
        from rollbook.adapters.storage.postgres.shared_secrets import SharedSecrets, Vault

    return SharedSecrets(Vault(where.given, store), folder)


@contextmanager
def driver() -> Iterator[None]:
    """Import inside what needs the driver. Raises RollbookError that says what to install where it is missing."""
    try:
        yield
    except ImportError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in ("psycopg", "psycopg_pool", "cryptography"):
            raise
        raise RollbookError(
            f"A store on a PostgreSQL server needs {package}, which is not installed: pip install 'rollbook[postgres]'"
        ) from missing
