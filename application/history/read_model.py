"""The port to the read model: rows of the log, of experience and of sheets, projected from the store and quick to ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber, SeatName, StreamId

if TYPE_CHECKING:
    from rollbook.application.history.head import Head
    from rollbook.application.history.verified_ranges import Past, VerifiedEntry
    from rollbook.domain.audit.witnesses import Witness
    from rollbook.domain.entries import RecordedEntry
    from rollbook.domain.history.checkpoints import Checkpoint
    from rollbook.domain.history.event_store import EventStore, StoredEntry, StreamState
    from rollbook.domain.rulebook import Rulebook
    from rollbook.projections.session_log import LogLine, Wanted
    from rollbook.projections.sheet_questions import Party
    from rollbook.projections.xp_timeline import XpLine


class JustRead(NamedTuple):
    """A campaign as it was just read: what was ``seen`` in its store, and its ``entries`` after a number up to another."""

    seen: StreamState
    entries: Callable[[EntryNumber, EntryNumber], Iterable[StoredEntry]]


class LogRows(Protocol):
    """The log and the experience of campaigns, as rows. Raises RollbookError if they cannot be read."""

    def log(self, campaign: CampaignId, *, last: int | None = None, **how: Any) -> list[LogLine]:
        """Lines of the session log, see ``rollbook.projections.session_log.Wanted``; ``last`` keeps only so many at the end."""

    def log_pages(self, wanted: Wanted, size: int) -> Iterator[list[LogLine]]:
        """The same lines, oldest first and so many at a time; each page is read when it is asked for."""

    def widest(self, wanted: Wanted) -> tuple[int, int, int]:
        """The widths that the columns of a log need, see ``rollbook.projections.session_log.widest``."""

    def line(self, campaign: CampaignId, entry: EntryNumber) -> LogLine | None:
        """The line of one entry, None if it is not in the log."""

    def actions_after(self, campaign: CampaignId, entry: EntryNumber) -> tuple[ActionNumber, ...] | None:
        """The actions that the lines after an entry are about, in their order; None if one of them was inserted."""

    def xp(self, campaign: CampaignId, character: str = "") -> list[XpLine]:
        """Lines of the XP timeline, see ``rollbook.projections.xp_timeline.lines``."""

    def people(self, campaign: CampaignId) -> Mapping[SeatName, str]:
        """The last names of all who were ever called otherwise than the seat that they took, by seat."""

    def names(self, campaign: CampaignId, column: str) -> set[str]:
        """Every name in a column of a campaign's log."""


class ReadModel(LogRows, Protocol):
    """The rows of all campaigns of a store, brought up to date when they are asked for."""

    @property
    def path(self) -> Path | None:
        """Its file, None if it is in memory."""

    def belongs_to(self, store: EventStore) -> None:
        """Follow this store from now on. Rows of another store are dropped."""

    def check(self) -> None:
        """Open it. Raises RollbookError, sqlite3.Error or OSError if it cannot be used."""

    def close(self) -> None:
        """Close the file."""

    def apart(self, timeline: StreamId = "") -> ReadModel:
        """An empty one in memory, which follows one timeline out of its own store, or all campaigns."""

    def of_entries(
        self,
        campaign: CampaignId,
        entries: Iterable[RecordedEntry] = (),
        *,
        rulebook: Rulebook,
        again: Callable[[EntryNumber], RecordedEntry] | None = None,
        words_for_foes: bool = False,
    ) -> EntryRows:
        """The rows of some entries alone, in memory.

        If there may be many, ``again`` reads one of them again: a row is worded only when it is asked for, and all are
        in a file that has no name and goes with them. The ``rulebook`` words them. ``words_for_foes``: its lines say
        that foes lose hit points, and not how many.
        """

    def catch_up(
        self,
        store: EventStore,
        rulebook: Rulebook,
        heads: Mapping[str, Head] | None = None,
        *,
        only: Collection[CampaignId] | None = None,
        places: Mapping[str, VerifiedEntry] | None = None,
        just_read: JustRead | None = None,
    ) -> int:
        """Take in the store's new entries of some campaigns, or of all. Returns their number.

        ``heads`` are campaigns whose state the caller knows already; ``places`` are the last entries of campaigns that the caller
        has just checked. ``just_read`` is the one campaign that is asked for, if the caller has just read it to its head.
        """

    def rebuild(self, store: EventStore, rulebook: Rulebook, *, only: Collection[CampaignId] | None = None) -> int:
        """Build all rows again and replace the old ones. Returns the number of entries."""

    def is_whole(self, store: EventStore, rules: Callable[[], Rulebook], campaign: CampaignId) -> bool:
        """True if it has all that the store has of a campaign, so that it can be queried without opening that."""

    def has(self, campaign: CampaignId) -> bool:
        """True if a campaign is projected, if only in part."""

    def party(self, campaign: CampaignId, stamp: Callable[[str], str]) -> Party | None:
        """The sheets of all characters; None if the rules have to derive them."""

    def snapshot(self, campaign: CampaignId) -> Head | None:
        """The last head that was projected, if there is one that can be read."""

    def past(self, campaign: CampaignId, hash_at: Callable[[EntryNumber], str]) -> Past | None:
        """The stored notes on a campaign's past; None if its history has to be read whole."""

    def keep(self, campaign: CampaignId, found: Iterable[Checkpoint], hash_at: Callable[[EntryNumber], str]) -> None:
        """Keep states that were found while the past of a campaign was looked at. Raises RollbookError, sqlite3.Error."""

    def witnesses(self, campaign: CampaignId | None = None) -> tuple[Witness, ...]:
        """The entries of a campaign, or of all, that this computer once saw and its store had no more when it was looked at."""

    def has_followed_removals(self, store: EventStore) -> bool:
        """True if nothing is in it that was removed from the store."""

    def is_log_empty(self) -> bool:
        """True if nothing that was in it before is left in files beside it: another program may be reading there."""

    def tidy(self, in_use: Collection[CampaignId]) -> None:
        """Evict the campaign that was not used for longest from a node's cache, and note which are ``in_use``.

        Takes a moment; call it again and again. A read model that is no cache is left as it is. Raises RollbookError,
        sqlite3.Error.
        """

    def forget(self, campaign: CampaignId) -> None:
        """Forget what was seen of a campaign that was deleted. Raises OSError."""


class EntryRows(LogRows, Protocol):
    """The rows of given entries: it follows no store."""

    def take_in(self, entries: Iterable[RecordedEntry]) -> None:
        """Add more entries."""

    def word(self, most: int) -> EntryNumber:
        """Word up to so many more rows, from the first on. Returns the entry up to which all are worded."""
