"""A read model of some entries of a campaign: it has their log and their experience, and follows no store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from rollbook.adapters.storage.read_model import checkpoints
from rollbook.adapters.storage.read_model.projector import CampaignProjection
from rollbook.adapters.storage.read_model.rows import Rows
from rollbook.adapters.storage.read_model.tables import transaction
from rollbook.projections import session_log, xp_timeline
from rollbook.projections.acts import Words
from rollbook.projections.context import Context
from rollbook.projections.database import Database
from rollbook.projections.log_lines import NO_RULES

if TYPE_CHECKING:
    from rollbook.domain.base.identifiers import CampaignId
    from rollbook.domain.entries import RecordedEntry

KEPT_ROWS = 64
"""Most rows that wait in memory to be written."""
CACHE_KIB = 64
"""Memory in KiB for the pages of a file without a name."""
STATEMENTS = 16
"""Number of prepared statements that are cached."""


@cache
def _empty() -> sqlite3.Connection:
    """A database with empty tables: copying it takes a hundredth of the time of making them."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db = Database(connection)
    session_log.create(db)
    xp_timeline.create(db)
    checkpoints.create(db)
    session_log.make_searchable(db)
    return connection


class RowsOfEntries(Rows):
    """The rows of given entries, in memory or in a file without a name, which is removed with it."""

    def __init__(
        self,
        campaign: CampaignId,
        entries: Iterable[RecordedEntry] = (),
        *,
        words: Words = NO_RULES.words,
        in_memory: bool = True,
        words_for_foes: bool = False,
    ) -> None:
        """Project ``entries``. ``words`` are those of verbs; ``words_for_foes``: foes' lost hit points are in words."""
        super().__init__()
        self._in_memory = in_memory
        self._words = words
        self._following = CampaignProjection(campaign, 0, Context(words_for_foes=words_for_foes))
        self.take_in(entries)

    def _open(self) -> Database:
        nowhere = ":memory:" if self._in_memory else ""  # "" is a file without a name, removed with its connection
        connection = sqlite3.connect(nowhere, isolation_level=None, cached_statements=STATEMENTS)
        for setting in ("journal_mode=MEMORY", "synchronous=OFF", f"cache_size=-{CACHE_KIB}"):
            connection.execute(f"PRAGMA {setting}")
        _empty().backup(connection)
        return Database(connection)

    def take_in(self, entries: Iterable[RecordedEntry]) -> None:
        following = self._following
        with transaction(self.db) as db:
            for entry in entries:
                following.take(db, entry, self._words)
                if len(following.log) >= KEPT_ROWS:
                    following.flush(db)
            following.flush(db)
