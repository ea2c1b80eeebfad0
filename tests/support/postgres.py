"""A PostgreSQL server of the tests' own, the same that is measured on."""

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
    "why_not",
]
