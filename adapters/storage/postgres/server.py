"""Opening of stores on a PostgreSQL server: the driver, which may not be installed, is imported when one is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rollbook.adapters.presentation.installing import install
from rollbook.domain.base.errors import RollbookError

if TYPE_CHECKING:
    from rollbook.adapters.storage.postgres.shared_secrets import SharedSecrets
    from rollbook.adapters.storage.postgres.store import PostgresEventStore
    from rollbook.application.ports.store_address import ServerAddress


def open_server(where: ServerAddress) -> PostgresEventStore:
    """Open the store at an address. Raises RollbookError with the reason why it cannot be opened."""
    with driver():
        from rollbook.adapters.storage.postgres.store import PostgresEventStore

    return PostgresEventStore(where.given)


def open_secrets(where: ServerAddress, store: str, folder: Path) -> SharedSecrets:
    """Open the secrets of the store of that identity, in it and in a ``folder`` here. Raises RollbookError."""
    with driver():
        from rollbook.adapters.storage.postgres.shared_secrets import SharedSecrets, Vault

    return SharedSecrets(Vault(where.given, store), folder)


@contextmanager
def driver() -> Iterator[None]:
    """A block for imports that need the driver. Raises RollbookError that says what to install if it is missing."""
    try:
        yield
    except ImportError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in ("psycopg", "psycopg_pool", "cryptography"):
            raise
        raise RollbookError(
            f"A store on a PostgreSQL server needs {package}, which is not installed: {install('postgres')}"
        ) from missing
