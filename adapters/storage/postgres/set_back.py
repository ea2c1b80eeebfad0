"""Saying to a PostgreSQL store that its database was set back to an earlier moment, which it cannot know by itself.

Numbers of transactions and positions are given out a second time after that. And dice may have been seen that the marks, set back
too, know nothing of: no session that is open goes on rolling.
"""

from typing import NamedTuple

from psycopg.rows import tuple_row

from rollbook.adapters.storage.postgres.failures import in_words
from rollbook.adapters.storage.postgres.lines import connect
from rollbook.application.ports.dice_marks import CLOSED

NEW_EPOCH = "UPDATE rollbook.store SET epoch = epoch + 1 RETURNING epoch"
CLOSE = """\
INSERT INTO rollbook.dice_marks (stream, session, run, used)
SELECT stream, session, %(closed)s, 1 FROM rollbook.seeds ON CONFLICT DO NOTHING RETURNING session"""


class SetBack(NamedTuple):
    """How often the store was set back or moved, and how many sessions roll no more dice."""

    epoch: int
    sessions: int


def note_set_back(owner: str) -> SetBack:
    """Begin a new epoch, as the role that owns the tables: every node makes its read models again.

    Raises RollbookError; then nothing was changed.
    """
    with in_words(owner, "nothing was changed"), connect(owner) as connection, connection.transaction():
        cursor = connection.cursor(row_factory=tuple_row)
        ((epoch,),) = cursor.execute(NEW_EPOCH).fetchall()
        closed = cursor.execute(CLOSE, {"closed": CLOSED}).fetchall()
    return SetBack(epoch - 1, len(closed))
