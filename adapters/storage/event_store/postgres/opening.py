"""A first look at a PostgreSQL store: whether it is one of ours, of a layout that this version of rollbook knows."""

from typing import NamedTuple

from psycopg.rows import tuple_row

from adapters.storage.event_store.address import shown
from adapters.storage.event_store.postgres import statements
from adapters.storage.event_store.postgres.lines import connect
from adapters.storage.event_store.postgres.schema import LAYOUT
from domain.errors import RollbookError


class Opened(NamedTuple):
    """What is known of a store once it is open."""

    identity: str
    epoch: int


def examined(address: str, patience: float) -> Opened:
    """The store's identity. Raises RollbookError if it is of another layout, and what psycopg raises.

    The look is taken over a connection of its own: whatever hinders it is said at once, and not after the pool's patience.
    """
    with connect(address, patience) as connection:
        found = connection.cursor(row_factory=tuple_row).execute(statements.STORE).fetchall()
    if len(found) != 1:
        raise RollbookError(f"{shown(address)} has lost the row that says whose store it is. Restore it from a backup.")
    identity, layout, epoch, is_here = found[0]
    if layout > LAYOUT:
        raise RollbookError(f"{shown(address)} was made by a later version of rollbook. Update rollbook to open it.")
    if layout < LAYOUT:
        raise RollbookError(
            f"{shown(address)} was made by an earlier version of rollbook. Bring it up to date: rollbook store migrate"
        )
    if not is_here:
        raise RollbookError(
            f"{shown(address)} was copied here from another server, whose transactions were numbered otherwise. "
            f"Say so to the database once: rollbook store migrate"
        )
    return Opened(identity, epoch)
