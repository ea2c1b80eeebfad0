"""Upkeep of a PostgreSQL store by its owner: makes and updates its tables, notes that it was set back, wipes it.

After a database was set back, positions and numbers of transactions are assigned a second time. PostgreSQL's own vacuum
leaves bytes in the free space of pages; only a rewritten table has none. Its log, its standbys and its backups contain
removed data for longer: they are the administrator's.
"""

from __future__ import annotations

from secrets import token_hex
from time import monotonic

from psycopg import Cursor
from psycopg.errors import InsufficientPrivilege, UndefinedColumn
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from rollbook.adapters.storage.entry_reading import LEFT
from rollbook.adapters.storage.postgres.failures import in_words, later, stranger
from rollbook.adapters.storage.postgres.lines import connect
from rollbook.adapters.storage.postgres.schema import LAYOUT, PROGRAM, RAISES, SECTIONS
from rollbook.adapters.storage.postgres.statements import spelled
from rollbook.application.ports.seed_store import CLOSED
from rollbook.application.ports.store_address import shown
from rollbook.domain.base.errors import RollbookError

ONE_AT_A_TIME = 0x526F6C6C
"""The number of the advisory lock that a migration holds."""

WHAT_IS_THERE = """\
SELECT to_regnamespace('rollbook') IS NOT NULL, EXISTS (
    SELECT FROM pg_class WHERE relname = 'store' AND relnamespace = to_regnamespace('rollbook')
), EXISTS (
    SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname <> 'rollbook' AND nspname <> 'information_schema'
        AND nspname NOT LIKE 'pg\\_%'
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
)"""
"""Three tests: a schema of rollbook's name, a store in it, and other tables that belong to no extension."""
LAYOUT_THERE = "SELECT layout FROM rollbook.store"
NEW_STORE = """\
INSERT INTO rollbook.store (layout, identity, cluster)
SELECT %s, %s, system_identifier::text FROM pg_control_system() ON CONFLICT DO NOTHING"""
MOVED_HERE = """\
UPDATE rollbook.store SET cluster = system_identifier::text, epoch = epoch + 1
FROM pg_control_system() WHERE cluster <> system_identifier::text RETURNING epoch"""
"""A store that was restored on another server begins a new epoch: earlier cursors are not valid there."""
RENUMBER = "UPDATE rollbook.stored_events SET xid = '3'"
"""Transactions of another server: entries stored there precede those stored here, in their own order."""


def migrate(owner: str, program: str = PROGRAM) -> None:
    """Make the tables in the database at the address ``owner``, or bring them up to date, for a program of that role.

    May be run again, and by several at once: one waits for the other. Raises RollbookError with the reason why it
    cannot be done; then nothing was changed.
    """
    with in_words(owner, "nothing was changed"), connect(owner) as connection, connection.transaction():
        cursor = connection.cursor(row_factory=tuple_row)
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])
        _check_role(cursor, program)
        try:
            layout = _check_database(cursor, owner)
            _raise(cursor, owner, layout)
            _make(cursor, program)
        except InsufficientPrivilege as failure:
            raise RollbookError(
                f"The role at {shown(owner)} may make no tables there; nothing was changed. Migrate as the role that owns the "
                f"database."
            ) from failure


def _raise(cursor: Cursor, owner: str, layout: int) -> None:
    """Bring tables of an earlier layout to this one; the number is written last. Raises RollbookError if nobody knows how."""
    if layout < LAYOUT:
        cursor.execute("SET LOCAL statement_timeout = 0")
    for number in range(layout, LAYOUT):
        if number not in RAISES:
            raise RollbookError(
                f"{shown(owner)} has tables of layout {number}, which this version of rollbook cannot bring up to date; nothing "
                f"was changed. Migrate with each version in between, one after the other."
            )
        for statement in RAISES[number]:
            cursor.execute(statement)
    if layout < LAYOUT:
        cursor.execute("UPDATE rollbook.store SET layout = %s", [LAYOUT])


def _make(cursor: Cursor, program: str) -> None:
    for section in SECTIONS:
        for statement in section:
            if "{program}" in statement:
                cursor.execute(SQL(statement).format(program=Identifier(program)))
            else:
                cursor.execute(statement)
    cursor.execute(NEW_STORE, [LAYOUT, token_hex(16)])
    if cursor.execute(MOVED_HERE).fetchall():
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute(RENUMBER)


def _check_role(cursor: Cursor, program: str) -> None:
    cursor.execute(
        "SELECT rolsuper OR pg_has_role(rolname, current_user, 'MEMBER') FROM pg_roles WHERE rolname = %s", [program]
    )
    found = cursor.fetchone()
    if found is None:
        raise RollbookError(
            f"There is no role {program!r} on this server for the program to play under. "
            f"Make one as its administrator: CREATE ROLE {program} LOGIN PASSWORD '…'"
        )
    if any(found):
        raise RollbookError(
            f"The program cannot play as {program!r}, which owns the tables or is an administrator: "
            f"nothing would keep it from changing what is stored. Name another role."
        )


def _check_database(cursor: Cursor, owner: str) -> int:
    """The layout of the tables; this one's if there are none yet.

    Raises RollbookError for a database that is not rollbook's, or that a later version made.
    """
    has_schema, has_store, has_others = cursor.execute(WHAT_IS_THERE).fetchall()[0]
    if has_schema and not has_store:
        raise stranger(owner)
    if not has_store and has_others:
        raise RollbookError(
            f"{shown(owner)} holds tables of something else; nothing was changed. Give rollbook a database of its own."
        )
    if has_store:
        try:
            rows = cursor.execute(LAYOUT_THERE).fetchall()
        except UndefinedColumn as failure:
            raise stranger(owner) from failure
        if any(layout > LAYOUT for (layout,) in rows):
            raise later(owner)
        return min((int(layout) for (layout,) in rows), default=LAYOUT)
    return LAYOUT


NEW_EPOCH = "UPDATE rollbook.store SET epoch = epoch + 1 RETURNING epoch"
CLOSE = """\
INSERT INTO rollbook.dice_marks (stream, session, run, used)
SELECT stream, session, %(closed)s, 1 FROM rollbook.seeds ON CONFLICT DO NOTHING RETURNING session"""


def note_set_back(owner: str) -> tuple[int, int]:
    """Begin a new epoch, as the role that owns the tables: every node rebuilds its read models.

    Returns how often the store was set back or moved, and how many sessions were closed to further dice.
    Raises RollbookError; then nothing was changed.
    """
    with in_words(owner, "nothing was changed"), connect(owner) as connection, connection.transaction():
        cursor = connection.cursor(row_factory=tuple_row)
        ((epoch,),) = cursor.execute(NEW_EPOCH).fetchall()
        closed = cursor.execute(CLOSE, {"closed": CLOSED}).fetchall()
    return epoch - 1, len(closed)


LONGEST = 3600.0
"""Most seconds of a vacuum."""
UNLIMITED = "SET statement_timeout = 0; SET lock_timeout = '60s'"
TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'rollbook'::regnamespace AND relkind = 'r' ORDER BY relname"
WIPED = "UPDATE rollbook.removals SET is_wiped = true WHERE id <= %s AND NOT is_wiped"


def vacuum(owner: str) -> int:
    """Rewrite the tables at the address ``owner`` without removed data. Returns how many removals it wiped.

    Writers wait meanwhile. Raises RollbookError if it cannot be done; what was removed stays removed.
    """
    with in_words(owner, "the files still hold what was removed"), connect(owner) as connection:
        connection.until = monotonic() + LONGEST
        cursor = connection.cursor(row_factory=tuple_row)
        cursor.execute(UNLIMITED)
        ((last,),) = cursor.execute(spelled(LEFT).encode()).fetchall()
        for (table,) in cursor.execute(TABLES).fetchall():
            cursor.execute(SQL("VACUUM (FULL) rollbook.{}").format(Identifier(table)))
        return cursor.execute(WIPED, [last]).rowcount
