"""Guards of a campaign file: its entries are not changed or deleted by mistake, whatever program is used on the file.

The program itself lifts them for a removal, in the transaction in which it removes, and puts them back in the same one. They keep
nobody out who means to change a file; the chain of hashes tells of that.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

_REFUSAL = "SELECT RAISE(ABORT, 'entries are only ever added: nothing was changed')"
GUARDS = (
    f"CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE UPDATE ON stored_events BEGIN {_REFUSAL}; END",
    f"CREATE TRIGGER IF NOT EXISTS entries_remain BEFORE DELETE ON stored_events BEGIN {_REFUSAL}; END",
)
HAS_GUARDS = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('entries_stay', 'entries_remain')"
_LIFT = ("DROP TRIGGER IF EXISTS main.entries_stay", "DROP TRIGGER IF EXISTS main.entries_remain")


@contextmanager
def lifted(cursor: sqlite3.Cursor | sqlite3.Connection) -> Iterator[None]:
    """Change entries inside, in the transaction that is open; if it fails, that is undone and the guards stay."""
    for statement in _LIFT:
        cursor.execute(statement)
    yield
    for statement in GUARDS:
        cursor.execute(statement)
