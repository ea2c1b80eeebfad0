"""A read model of some entries of a campaign: it has their log and their experience, and follows no store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import ref

from rollbook.adapters.storage.read_model import checkpoints
from rollbook.adapters.storage.read_model.projector import CampaignProjection
from rollbook.adapters.storage.read_model.rows import Answer, Rows
from rollbook.adapters.storage.read_model.tables import transaction
from rollbook.projections import session_log, xp_timeline
from rollbook.projections.context import Context, NamesOfTheTime
from rollbook.projections.database import Database
from rollbook.projections.log_lines import NO_RULES
from rollbook.projections.log_rows import UNWORDED, worded

if TYPE_CHECKING:
    from rollbook.domain.base.identifiers import CampaignId, EntryNumber, SeatName
    from rollbook.domain.entries import RecordedEntry
    from rollbook.domain.rulebook import Rulebook

KEPT_ROWS = 64
"""Most rows that wait in memory to be written, and most whose words do."""
CACHE_KIB = 64
"""Memory in KiB for the pages of a file without a name."""
STATEMENTS = 16
"""Number of prepared statements that are cached."""

Wording = Callable[[int, int], "str | int"]
"""A column of a row in words, from the number of its entry and its place among those columns."""


@cache
def _empty(*, when_asked: bool) -> sqlite3.Connection:
    """A database with empty tables: copying it takes a hundredth of the time of making them."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _word_by(connection, lambda _, place: UNWORDED[place])
    db = Database(connection)
    session_log.create(db, when_asked=when_asked)
    xp_timeline.create(db)
    checkpoints.create(db)
    if not when_asked:
        session_log.make_searchable(db)
    return connection


def _word_by(connection: sqlite3.Connection, wording: Wording) -> None:
    connection.create_function(session_log.WORDING, 2, wording, deterministic=True)


class RowsOfEntries(Rows):
    """The rows of given entries, in memory; those that are worded when asked are in a file without a name."""

    def __init__(
        self,
        campaign: CampaignId,
        entries: Iterable[RecordedEntry] = (),
        *,
        rulebook: Rulebook = NO_RULES,
        again: Callable[[EntryNumber], RecordedEntry] | None = None,
        words_for_foes: bool = False,
    ) -> None:
        """Project ``entries``. ``rulebook`` words them; ``words_for_foes``: foes' lost hit points are in words.

        ``again`` reads an entry again, to word its row when that is asked for.
        """
        super().__init__()
        self._rulebook = rulebook
        self._again = again
        self._names = NamesOfTheTime(words_for_foes)
        self._worded: dict[EntryNumber, tuple[Any, ...]] = {}
        self._last_kept = 0  # no row after this entry has its words in the file
        self._worded_up_to = 0
        self._fault: Exception | None = None
        context = Context(words_for_foes=words_for_foes)
        self._following = CampaignProjection(campaign, 0, context, when_asked=again is not None)
        self.take_in(entries)

    def _open(self) -> Database:
        nowhere = "" if self._again else ":memory:"  # "" is a file without a name, removed with its connection
        connection = sqlite3.connect(nowhere, isolation_level=None, cached_statements=STATEMENTS)
        for setting in ("journal_mode=MEMORY", "synchronous=OFF", f"cache_size=-{CACHE_KIB}"):
            connection.execute(f"PRAGMA {setting}")
        if self._again:
            _word_by(connection, self._wording())
        _empty(when_asked=self._again is not None).backup(connection)
        return Database(connection)

    def take_in(self, entries: Iterable[RecordedEntry]) -> None:
        following = self._following
        with transaction(self.db) as db:
            for entry in entries:
                if self._again:
                    self._names.follow(entry)
                following.take(db, entry, self._rulebook)
                if len(following.log) >= KEPT_ROWS:
                    following.flush(db)
            following.flush(db)

    def people(self, _: CampaignId) -> Mapping[SeatName, str]:
        return self._following.context.seats

    # Wording rows when they are asked for.

    def word(self, most: int) -> EntryNumber:
        until = min(self._worded_up_to + most, self._following.entries)
        for number in range(self._worded_up_to + 1, until + 1):
            self._row_in_words(number)
        self._worded_up_to = until
        return until

    def _wording(self) -> Wording:
        """The function of the database. It does not hold these rows: nothing would ever see that the two hold each other."""
        rows = ref(self)

        def column(number: int, place: int) -> str | int:
            found = rows()
            return found._row_in_words(number)[place] if found is not None else UNWORDED[place]  # noqa: SLF001 - its own

        return column

    def _row_in_words(self, number: EntryNumber) -> tuple[Any, ...]:
        if (known := self._worded.get(number)) is not None:
            return known
        try:
            if len(self._worded) >= KEPT_ROWS:
                self._keep_words()
            kept = session_log.words_kept(self.db, number) if number <= self._last_kept else None
            words = self._worded[number] = kept or self._word(number)
        except Exception as fault:
            self._fault = fault  # the database only says that there was one
            raise
        return words

    def _keep_words(self) -> None:
        session_log.keep_words(self.db, self._worded)
        self._last_kept = max(self._last_kept, *self._worded)
        self._worded.clear()

    def _word(self, number: EntryNumber) -> tuple[Any, ...]:
        assert self._again is not None
        return worded(self._again(number), self._names.at(number), self._rulebook)

    def _rows(self, _: CampaignId, ask: Callable[[], Answer]) -> Answer:
        self._fault = None
        try:
            return ask()
        except sqlite3.OperationalError:
            if self._fault is not None:
                raise self._fault from None
            raise
