"""The index of entries by the kinds of their events.

Each set of kinds that occurs gets a small number, which is in the entry's own row. The index notes in which blocks of a
stream a set occurs: for most entries their block already has their set, and nothing more is written.
"""

import sqlite3
from collections.abc import Iterable

from rollbook.adapters.storage.entry_reading import BETWEEN, IN_ORDER
from rollbook.domain.base.identifiers import StreamId

BLOCK = 64
"""Number of versions of a stream in a block."""

ADD_SET = "INSERT OR IGNORE INTO kind_sets (kinds) VALUES (?)"
SET = "SELECT id FROM kind_sets WHERE kinds = ?"
ADD_BLOCK = "INSERT OR IGNORE INTO entry_kinds (originator_id, kinds, block) VALUES (?, ?, ?)"
ALL_SETS = "SELECT id, kinds FROM kind_sets"
READ_KINDS = f"""\
SELECT originator_version, topic, CAST(state AS BLOB) FROM (
    SELECT DISTINCT block FROM entry_kinds
    WHERE originator_id = :stream AND kinds IN (SELECT value FROM json_each(:kinds)) AND block >= :after / {BLOCK}
) AS known CROSS JOIN stored_events
WHERE {BETWEEN} AND originator_version BETWEEN block * {BLOCK} AND block * {BLOCK} + {BLOCK - 1}
    AND kinds IN (SELECT value FROM json_each(:kinds)) {IN_ORDER}"""  # noqa: S608 - our own


class KindIndex:
    """Writer of the index. It caches the rows that it has written, until ``forget``: a commit may have failed."""

    def __init__(self) -> None:
        self._sets: dict[tuple[str, tuple[str, ...]], int] = {}
        self._blocks: dict[tuple[StreamId, int], int] = {}

    def forget(self) -> None:
        self._sets.clear()
        self._blocks.clear()

    def add(self, cursor: sqlite3.Cursor, stream: StreamId, version: int, kind: str, events: tuple[str, ...]) -> int:
        """Index an entry that is about to be stored; returns the number of its set of kinds."""
        number = self._sets.get((kind, events)) or self._set(cursor, kind, events)
        block = version // BLOCK
        if self._blocks.get((stream, number)) != block:
            cursor.execute(ADD_BLOCK, (stream, number, block))
            self._blocks[stream, number] = block
        return number

    def _set(self, cursor: sqlite3.Cursor, kind: str, events: tuple[str, ...]) -> int:
        kinds = " ".join((kind.partition("@")[0], *events))
        cursor.execute(ADD_SET, (kinds,))
        number = int(cursor.execute(SET, (kinds,)).fetchone()[0])
        self._sets[kind, events] = number
        return number


def sets_with(rows: Iterable[tuple[int, str]], wanted: Iterable[str]) -> list[int]:
    """The numbers of those sets in ``rows`` that contain one of the wanted kinds."""
    kinds = frozenset(wanted)
    return [number for number, known in rows if not kinds.isdisjoint(known.split(" "))]
