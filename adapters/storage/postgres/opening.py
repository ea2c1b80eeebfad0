"""A first look at a PostgreSQL store: whether it is one of ours, of a layout that this version of rollbook knows."""

from typing import NamedTuple

from psycopg.errors import UndefinedColumn
from psycopg.rows import tuple_row

from rollbook.adapters.storage.postgres import statements
from rollbook.adapters.storage.postgres.lines import connect
from rollbook.adapters.storage.postgres.schema import LAYOUT
from rollbook.application.ports.deadline import waiting
from rollbook.application.ports.store_address import shown
from rollbook.domain.base.errors import HistoryDamaged, RollbookError


class Opened(NamedTuple):
    """What is known of a store once it is open."""

    identity: str
    epoch: int


def examined(address: str, patience: float) -> Opened:
    """The store's identity. Raises RollbookError if it is of another layout, and what psycopg raises.

    The look is taken over a connection of its own: whatever hinders it is said at once, and not after the pool's patience.
    """
    try:
        with connect(address, patience) as connection, waiting():
            found = connection.cursor(row_factory=tuple_row).execute(statements.STORE).fetchall()
    except UndefinedColumn as failure:
        raise stranger(address) from failure
    if len(found) != 1:
        raise HistoryDamaged(
            f"{shown(address)} has lost the row that says whose store it is. Restore it from a backup."
        )
    identity, layout, epoch, is_here = found[0]
    if layout > LAYOUT:
        raise later(address)
    if layout < LAYOUT:
        raise RollbookError(
            f"{shown(address)} was made by an earlier version of rollbook; it was left as it is. "
            f"Bring it up to date as its owner: rollbook store migrate"
        )
    if not is_here:
        raise RollbookError(
            f"{shown(address)} was restored here from another server, which numbered its transactions otherwise. "
            f"Tell the database once, as its owner: rollbook store migrate"
        )
    return Opened(identity, epoch)


def later(address: str) -> RollbookError:
    """The tables are those of a version that is not known here."""
    return RollbookError(
        f"{shown(address)} was made by a later version of rollbook; it was left as it is. Update rollbook to open it."
    )


def stranger(address: str) -> RollbookError:
    """What is there is called as ours and is not."""
    return RollbookError(
        f"What is at {shown(address)} is not a rollbook store; it was left as it is. Choose another database."
    )
