"""A PostgreSQL server of the tests' own, the same that is measured on, and what goes wrong there."""

import psycopg

from benchmarks.postgres_server import (
    ADMINISTRATOR,
    OWNER,
    PASSWORDS,
    PROGRAM,
    SEED_KEY,
    PostgresServer,
    free_port,
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
    "free_port",
    "programs",
    "stuck",
    "why_not",
]


def stuck(server: PostgresServer, database: str = "postgres") -> psycopg.Connection:
    """A transaction that has written something and does not end."""
    connection = psycopg.connect(server.socket_dsn("postgres", database))
    connection.execute("CREATE TABLE IF NOT EXISTS stuck (n int)")
    connection.execute("INSERT INTO stuck VALUES (1)")
    return connection
