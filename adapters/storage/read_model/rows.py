"""Queries of the rows of log and experience in a SQLite database."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from rollbook.projections import session_log, xp_timeline
from rollbook.projections.session_log import SqlCondition

if TYPE_CHECKING:
    from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber
    from rollbook.projections.database import Database

Answer = TypeVar("Answer")


class Rows:
    """The port ``LogRows`` over the tables of ``projections``."""

    def __init__(self) -> None:
        self._database: Database | None = None

    @property
    def db(self) -> Database:
        """The database, opened at its first use."""
        if self._database is None:
            self._database = self._open()
        return self._database

    @abstractmethod
    def _open(self) -> Database: ...

    def close(self) -> None:
        """Close the database."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _rows(self, _: CampaignId, ask: Callable[[], Answer]) -> Answer:
        """An answer from the rows of a campaign."""
        return ask()

    def log(self, campaign: CampaignId, *, last: int | None = None, **how: Any) -> list[session_log.LogLine]:
        wanted = session_log.Wanted(campaign=campaign, **how)
        return self._rows(campaign, lambda: session_log.lines(self.db, wanted, last=last))

    def log_pages(self, wanted: session_log.Wanted, size: int) -> Iterator[list[session_log.LogLine]]:
        last: session_log.LogLine | None = None
        while found := self._page(wanted, size, last):
            yield found
            last = found[-1]

    def _page(
        self, wanted: session_log.Wanted, size: int, after: session_log.LogLine | None
    ) -> list[session_log.LogLine]:
        return self._rows(wanted.campaign, lambda: session_log.page(self.db, wanted, size, after))

    def widest(self, wanted: session_log.Wanted) -> tuple[int, int, int]:
        return self._rows(wanted.campaign, lambda: session_log.widest(self.db, wanted))

    def line(self, campaign: CampaignId, entry: EntryNumber) -> session_log.LogLine | None:
        only = SqlCondition("entry = ?", (entry,))
        return next(iter(self.log(campaign, where=only, everything=True)), None)

    def actions_after(self, campaign: CampaignId, entry: EntryNumber) -> tuple[ActionNumber, ...] | None:
        return self._rows(campaign, lambda: session_log.actions_after(self.db, campaign, entry))

    def xp(self, campaign: CampaignId, character: str = "") -> list[xp_timeline.XpLine]:
        return self._rows(campaign, lambda: xp_timeline.lines(self.db, campaign, character))

    def names(self, campaign: CampaignId, column: str) -> set[str]:
        return self._rows(campaign, lambda: session_log.names_in(self.db, campaign, column))
