"""A PostgreSQL server of the tests' own, the same that is measured on, and what goes wrong there."""

from pathlib import Path

import psycopg

from benchmarks.postgres_server import (
    ADMINISTRATOR,
    OWNER,
    PASSWORDS,
    PROGRAM,
    SEED_KEY,
    PostgresServer,
    as_user,
    programs,
    why_not,
)

__all__ = [
    "ADMINISTRATOR",
    "OWNER",
    "PASSWORDS",
    "PROGRAM",
    "SEED_KEY",
    "PostgresServer",
    "as_user",
    "programs",
    "stored_bytes",
    "stuck",
    "why_not",
]


def stored_bytes(folder: Path) -> bytes:
    """The bytes of all files below a folder of a running server, which may remove one at any moment."""
    found = []
    for path in folder.rglob("*"):
        try:
            found.append(path.read_bytes() if path.is_file() else b"")
        except FileNotFoundError:
            continue
    return b"".join(found)


def stuck(server: PostgresServer, database: str = "postgres") -> psycopg.Connection:
    """A transaction that has written something and does not end."""
    connection = psycopg.connect(server.socket_dsn("postgres", database))
    connection.execute("CREATE TABLE IF NOT EXISTS stuck (n int)")
    connection.execute("INSERT INTO stuck VALUES (1)")
    return connection
