"""Wiping what was removed from the files of a PostgreSQL server: the tables are written again without it, as their owner.

A vacuum that PostgreSQL does by itself leaves bytes in the free room of pages; only a table that is written again has none. Its
log, its standbys and its backups hold what was removed for longer: they are its administrator's.
"""

from time import monotonic

from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from rollbook.adapters.storage.postgres import statements
from rollbook.adapters.storage.postgres.failures import in_words
from rollbook.adapters.storage.postgres.lines import connect

LONGEST = 3600.0
"""Seconds that it may take."""
UNLIMITED = "SET statement_timeout = 0; SET lock_timeout = '60s'"
TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'rollbook'::regnamespace AND relkind = 'r' ORDER BY relname"
WIPED = "UPDATE rollbook.removals SET is_wiped = true WHERE id <= %s AND NOT is_wiped"


def vacuum(owner: str) -> int:
    """Write the tables at the address ``owner`` again without what was removed. Returns how many removals are wiped by it.

    Who writes meanwhile waits. Raises RollbookError if it cannot be done; what was removed stays removed.
    """
    with in_words(owner, "the files still hold what was removed"), connect(owner) as connection:
        connection.until = monotonic() + LONGEST
        cursor = connection.cursor(row_factory=tuple_row)
        cursor.execute(UNLIMITED)
        ((last,),) = cursor.execute(statements.LEFT).fetchall()
        for (table,) in cursor.execute(TABLES).fetchall():
            cursor.execute(SQL("VACUUM (FULL) rollbook.{}").format(Identifier(table)))
        return cursor.execute(WIPED, [last]).rowcount
