"""A read model of some entries of a campaign alone: it has their log and their experience, and follows no store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from adapters.storage.projector import Following
from adapters.storage.read_model import ReadModel
from adapters.storage.read_model_tables import transaction
from projections import session_log
from projections.context import Context

if TYPE_CHECKING:
    from domain.entries import RecordedEntry
    from domain.identifiers import CampaignId, EntryNumber
    from domain.marks import Mark

KEPT_ROWS = 1_000
"""So many rows wait in memory at most to be written."""
CACHE_KIB = 64
"""What a read model in a file without a name keeps of it in memory."""


class RowsOfEntries(ReadModel):
    """The rows of the entries that it was given, in memory or in a file that has no name and goes with it."""

    def __init__(self, campaign: CampaignId, entries: Iterable[RecordedEntry] = (), *, in_memory: bool = True) -> None:
        super().__init__(unfinished=not in_memory)
        self._following = Following(campaign, 0, Context())
        if not in_memory:
            self.db.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
            session_log.make_searchable(self.db)
        self.take_in(entries)

    def take_in(self, entries: Iterable[RecordedEntry]) -> None:
        """Add more entries."""
        following = self._following
        with transaction(self.db) as db:
            for entry in entries:
                following.take(db, entry)
                if len(following.log) >= KEPT_ROWS:
                    following.flush(db)
            following.flush(db)

    def catch_up(self, *_: object, **__: object) -> int:
        """Do nothing, because it has what it was given."""
        return 0

    def is_whole(self, *_: object) -> bool:
        """False: it does not have what a store has."""
        return False

    def keep(self, campaign: CampaignId, found: Iterable[Mark], hash_at: Callable[[EntryNumber], str]) -> None:
        """Do nothing, because nobody looks for it here."""
