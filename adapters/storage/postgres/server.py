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
    from rollbook.adapters.storage.postgres.upkeep import SetBack
    from rollbook.application.ports.store_address import ServerAddress


def open_server(where: ServerAddress) -> PostgresEventStore:
    """The store at an address. Raises RollbookError with the reason it cannot be opened."""
    with _installed():
        from rollbook.adapters.storage.postgres.store import PostgresEventStore

    return PostgresEventStore(where.given)


def open_secrets(where: ServerAddress, store: str, folder: Path) -> SharedSecrets:
    """What is kept beside the store of that identity, and in a ``folder`` of this computer. Raises RollbookError."""
    with _installed():
        from rollbook.adapters.storage.postgres.shared_secrets import SharedSecrets, Vault

    return SharedSecrets(Vault(where.given, store), folder)


def make_key(path: Path, *, add: bool) -> None:
    """Write a new key of secret dice, see ``shared.keys.write_key``."""
    with _installed():
        from rollbook.adapters.storage.postgres.keys import write_key

    write_key(path, add=add)


def migrate(where: ServerAddress, program: str) -> None:
    """Make the tables of a store, see ``postgres.upkeep.migrate``."""
    with _installed():
        from rollbook.adapters.storage.postgres import upkeep

    upkeep.migrate(where.given, program)


def vacuum(owner: ServerAddress) -> int:
    """Wipe what was removed, see ``postgres.upkeep.vacuum``."""
    with _installed():
        from rollbook.adapters.storage.postgres import upkeep

    return upkeep.vacuum(owner.given)


def note_set_back(where: ServerAddress) -> SetBack:
    """Say that a database was restored to an earlier moment, see ``postgres.upkeep``."""
    with _installed():
        from rollbook.adapters.storage.postgres import upkeep

    return upkeep.note_set_back(where.given)


@contextmanager
def _installed() -> Iterator[None]:
    try:
        yield
    except ImportError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in ("psycopg", "psycopg_pool", "cryptography"):
            raise
        raise RollbookError(
            f"A store on a PostgreSQL server needs {package}, which is not installed: pip install 'rollbook[postgres]'"
        ) from missing
