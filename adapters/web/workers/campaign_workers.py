"""Workers: threads with a book each. A campaign always has the same one, so one thread at a time writes it."""

import asyncio
import sqlite3
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from rollbook.adapters.local_files.sqlite_faults import is_full
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.workers.turns import Turns
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.ports.deadline import carried
from rollbook.application.visibility.editions.cursor import with_mark
from rollbook.application.visibility.editions.edition import mark_of_own
from rollbook.application.visibility.editions.live import AnyEdition, Editions
from rollbook.application.visibility.sight import DAMAGED
from rollbook.domain.base.errors import RollbookError, StaleHistory
from rollbook.domain.base.identifiers import CampaignId

WordsForFoes = Callable[[CampaignId], bool]
_T = TypeVar("_T")


class WarmCampaign:
    """An open campaign with its editions. An ``audience`` is None for the GM, a player's seat, or "" for the table."""

    def __init__(self, campaign: Campaign, words_for_foes: WordsForFoes = lambda _: False) -> None:
        """``words_for_foes`` returns True if all but the GM see the health of foes in words."""
        self.campaign = campaign
        self._words_for_foes = words_for_foes
        self._editions = Editions(campaign)
        self.in_stretches = False
        self._projected = ""
        self._own: dict[str, tuple[tuple[str, str], str]] = {}
        self._beside: dict[str, Any] = {}
        self.follow()
        self.let_go()

    def let_go(self) -> None:
        """Drop the past from memory, except for what is asked for again and again."""
        self.campaign.session.let_go()

    def follow(self, *, after_adding: bool = False) -> None:
        """Read all new entries. Raises StaleHistory if the campaign is gone or has lost entries.

        ``after_adding``: if something was just appended here, that is the newest.
        """
        self.forget_beside()
        session = self.campaign.session
        head = session.refresh(self._editions.read, after_adding=after_adding)
        if session.history.has_lost_entries:
            raise StaleHistory(f"{self.campaign.id} has lost entries that were here, or was deleted.")
        in_words = self._words_for_foes(self.campaign.id)
        if in_words != self._editions.words_for_foes:
            self._editions = Editions(self.campaign, words_for_foes=in_words)
        self._editions.look_again(session.history.last_seen)
        if head.hash != self._projected or not session.read_model.has(self.campaign.id):
            session.project(head=head)
            self._projected = head.hash

    @property
    def is_followed(self) -> bool:
        """True if nothing was appended here since the last ``follow``."""
        return self.campaign.head.hash == self._projected

    def forget_beside(self) -> None:
        """Read the notes beside the entries again."""
        self._beside.clear()

    def beside(self, name: str, read: Callable[[], _T]) -> _T:
        """A note beside the entries, under a name: read once for all audiences, until the next ``follow``."""
        if name not in self._beside:
            self._beside[name] = read()
        found: _T = self._beside[name]
        return found

    @property
    def words_for_foes(self) -> bool:
        """True if all but the GM see the health of foes in words."""
        return self._editions.words_for_foes

    @property
    def is_being_read(self) -> bool:
        """True if an edition of it is still being read."""
        return self._editions.is_being_read

    def edition(self, audience: str | None) -> AnyEdition:
        """The edition of an audience; only the GM's has the GM's numbers.

        Raises BeingRead if that takes longer, unless the campaign was opened with ``whole``.
        """
        self._editions.in_stretches = self.in_stretches
        return self._editions.of(audience)

    def cursor(self, audience: str | None) -> str:
        """The cursor of an audience: another one whenever something has changed for it, and only then.

        A player's own numbers are true, so a hidden entry that changes them moves the cursor of that player only.
        """
        edition = self.edition(audience)
        mark = self._mark_of_own(audience, edition) if audience else ""
        return with_mark(edition.cursor, mark)

    def _mark_of_own(self, seat: str, edition: AnyEdition) -> str:
        at = self.campaign.head.hash, edition.cursor
        known = self._own.get(seat)
        if known is None or known[0] != at:
            known = self._own[seat] = at, mark_of_own(self.campaign, edition, seat)
        return known[1]

    def damage_for(self, identity: Identity) -> str:
        """A sentence for the requester about damage of the history, and what to do; "" if none is known."""
        if not identity.is_gm:
            return self.edition(identity.audience).session.damage or (DAMAGED if self.campaign.session.damage else "")
        if not self.campaign.session.damage:
            return ""
        return f"{self.campaign.session.damage} Restore a backup, or import a file that was exported before."


OpenBook = Callable[[], Book]

WORKERS = 4
MOST_WARM = 16
"""Most open campaigns of one worker; the one with the oldest last access is evicted first."""
KEPT_SECONDS = 300
"""Seconds that a campaign without listeners stays open after its last access."""
PAST_KEPT_SECONDS = 3
"""Seconds that the past of a campaign stays in memory: a page asks for the same again and again."""


class CampaignWorker:
    """One thread, its book and its open campaigns. Other threads may use ``run``, ``close`` and what says so."""

    def __init__(
        self,
        open_book: OpenBook,
        number: int,
        words_for_foes: WordsForFoes = lambda _: False,
        *,
        turns: Turns | None = None,
    ) -> None:
        """``turns`` are those of all workers that commands wait for; one without does slow work beside them."""
        self._open_book = open_book
        self._turns = turns
        self._words_for_foes = words_for_foes
        self._book: Book | None = None
        self._warm: OrderedDict[CampaignId, WarmCampaign] = OrderedDict()
        self._used: dict[CampaignId, float] = {}
        self._is_in_memory = False
        self._cache: Path | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"worker-{number}")

    async def run(self, work: Callable[[], _T]) -> _T:
        """Do some work in the worker's thread, after all earlier work, and return its result."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, carried(partial(self._in_turn, work), as_command=self._turns is not None)
        )

    def _in_turn(self, work: Callable[[], _T]) -> _T:
        with self._turns.one() if self._turns is not None else nullcontext():
            return work()

    @property
    def book(self) -> Book:
        """The book, opened at its first use."""
        if self._book is None:
            self._book = self._open_book()
            self._cache = self._book.read_model.path
        return self._book

    def warm(self, campaign: CampaignId, *, whole: bool = False) -> WarmCampaign:
        """A campaign, open and up to date. Raises NotFound, and what opening a campaign raises.

        ``whole``: a missing edition is made at once, however long that takes.
        """
        found = self._warmed(campaign)
        found.in_stretches = not whole
        return found

    def followed(self, campaign: CampaignId, rung: Collection[str]) -> WarmCampaign:
        """A campaign with all that was done here, and up to date unless all that ``rung`` is its last hash.

        Raises what ``warm`` raises.
        """
        known = self._warm.get(campaign)
        is_new = known is None or not known.is_followed or any(last != known.campaign.head.hash for last in rung)
        if known is None or is_new or self._is_in_memory:
            return self.warm(campaign)
        known.forget_beside()
        known.in_stretches = True
        return known

    def _warmed(self, campaign: CampaignId) -> WarmCampaign:
        if self._is_in_memory and not self._is_disk_full():
            self.let_go()
        try:
            return self._followed(campaign)
        except StaleHistory:  # a backup was restored over the store, or the campaign was deleted
            self.let_go()
        except (RollbookError, sqlite3.Error, OSError):
            if self._is_in_memory or not self._is_disk_full():
                raise
            self._read_in_memory()
        return self._followed(campaign)

    def _is_disk_full(self) -> bool:
        return self._cache is not None and is_full(self._cache)

    def _read_in_memory(self) -> None:
        """Use a read model in memory while the disk is full, as the one in a file cannot follow."""
        self.let_go()
        self.book.read_model.close()
        self.book.read_model = self.book.read_model.apart()
        self._is_in_memory = True

    def _followed(self, campaign: CampaignId) -> WarmCampaign:
        found = self._warm.pop(campaign, None)
        if found is None:
            found = WarmCampaign(self.book.campaign(campaign), self._words_for_foes)
        else:
            found.follow()
        self._warm[campaign] = found
        self._used[campaign] = time.monotonic()
        for cold in [*self._warm][:-MOST_WARM]:
            if not self._warm[cold].is_being_read:
                self._cool(cold)
        return found

    def refreshed(self, campaign: CampaignId) -> Campaign:
        """A campaign with all new entries; its editions and read model may be behind. Raises what ``warm`` raises."""
        known = self._warm.get(campaign)
        if known is not None and not self._is_in_memory:
            with suppress(StaleHistory):
                known.campaign.refresh()
                return known.campaign
        return self.warm(campaign).campaign

    def is_warm(self, campaign: CampaignId) -> bool:
        """True if a campaign is open. May be called from any thread."""
        return campaign in self._warm

    @property
    def open_campaigns(self) -> int:
        """The number of open campaigns. May be read from any thread."""
        return len(self._warm)

    @property
    def read_model(self) -> Path | None:
        """The file of its read model, None before it is opened or if it is in memory. May be read from any thread."""
        return None if self._is_in_memory else self._cache

    def glance(self, campaign: CampaignId) -> Campaign:
        """A campaign as it is now; closed again if it was not open."""
        if campaign in self._warm:
            return self._followed(campaign).campaign
        found = self.book.campaign(campaign)
        self.book.reopen(campaign)
        return found

    def _cool(self, campaign: CampaignId) -> None:
        del self._warm[campaign], self._used[campaign]
        self.book.reopen(campaign)

    def let_go_of_unused(self, is_heard: Callable[[CampaignId], bool]) -> None:
        """Evict campaigns without listeners or recent access, and drop the past of the others from memory."""
        late = time.monotonic() - KEPT_SECONDS
        for campaign in [one for one, used in self._used.items() if used < late and not is_heard(one)]:
            self._cool(campaign)
        for campaign, table in self._warm.items():
            if self._used[campaign] < time.monotonic() - PAST_KEPT_SECONDS:
                table.let_go()
        if self._book is not None:
            with suppress(
                RollbookError, sqlite3.Error, OSError
            ):  # the disk is full, or another program locks the file: next time
                self._book.read_model.tidy(self._warm)

    def let_go(self) -> None:
        """Close the book and its campaigns; it is opened again at its next use."""
        self._warm.clear()
        self._used.clear()
        book, self._book = self._book, None
        self._is_in_memory = False
        if book is not None:
            book.close()

    def finish(self) -> None:
        """Take no more work; finish what was begun, and then close the book. May be called from any thread."""
        self._thread.submit(self.let_go)
        self._thread.shutdown(wait=False)

    def close(self) -> None:
        """Wait until the worker has finished."""
        self._thread.shutdown()


class CampaignWorkers:
    """The workers of a server."""

    def __init__(
        self,
        open_book: OpenBook,
        count: int = WORKERS,
        words_for_foes: WordsForFoes = lambda _: False,
        *,
        are_slow: bool = False,
    ) -> None:
        """``are_slow``: their work may wait longer for the store than a command may."""
        turns = None if are_slow else Turns()
        self._workers = [
            CampaignWorker(open_book, number, words_for_foes, turns=turns) for number in range(1, count + 1)
        ]

    def of(self, campaign: CampaignId) -> CampaignWorker:
        """The worker of a campaign and its timelines; "" is the store's own."""
        name = campaign.partition("~")[0]
        return self._workers[zlib.crc32(name.encode(errors="replace")) % len(self._workers)]

    def warm(self) -> int:
        """The number of open campaigns. May be called from any thread."""
        return sum(worker.open_campaigns for worker in self._workers)

    def read_models(self) -> set[Path]:
        """The files of the open read models. May be called from any thread."""
        return {worker.read_model for worker in self._workers if worker.read_model is not None}

    async def let_go_of_unused(self, is_heard: Callable[[CampaignId], bool]) -> None:
        """Evict campaigns without listeners or recent access."""
        for worker in self._workers:
            await worker.run(partial(worker.let_go_of_unused, is_heard))

    async def open_again(self) -> None:
        """Close all books and campaigns, which open again at their next use."""
        for worker in self._workers:
            await worker.run(worker.let_go)

    def close(self) -> None:
        """Close all workers, when they have finished what they began."""
        for worker in self._workers:
            worker.finish()
        for worker in self._workers:
            worker.close()
