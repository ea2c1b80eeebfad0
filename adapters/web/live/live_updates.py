"""Follower of campaigns with listeners: answers for each audience are made before its bell rings."""

import asyncio
import logging
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection
from time import perf_counter
from typing import TypeVar
from urllib.parse import quote

import attrs
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from rollbook.adapters.web.live import response_cache
from rollbook.adapters.web.live.bells import Audience, Hub
from rollbook.adapters.web.logs import note
from rollbook.adapters.web.seats.requester import Identity, Seated, seated_at
from rollbook.adapters.web.workers.campaign_workers import CampaignWorker, CampaignWorkers, WarmCampaign
from rollbook.adapters.web.workers.jobs import Stopped
from rollbook.application.history.timeline_marker import is_timeline
from rollbook.application.visibility.editions.live import BeingRead
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId

PAGE_PATIENCE = 1.0
"""Seconds that a page waits while a long history is read, before it shows the progress."""
FORM_PATIENCE = 25.0
"""Seconds that forms and requests of scripts wait meanwhile: less than proxies wait (60)."""

_T = TypeVar("_T")
_Wanted = tuple[CampaignWorker, CampaignId, Audience]


@attrs.define(eq=False)
class EditionBuilder:
    """Builder of editions, in the server's own thread. ``made`` is called with a campaign when its edition is ready."""

    _hub: Hub
    _made: Callable[[CampaignId], object]
    patience: float = PAGE_PATIENCE
    _under_way: dict[_Wanted, asyncio.Task[None]] = attrs.field(factory=dict)
    _how_far: dict[_Wanted, BeingRead] = attrs.field(factory=dict)
    _turns: dict[CampaignWorker, asyncio.Lock] = attrs.field(factory=dict)

    def while_serving(self, _done: int, _total: int) -> None:
        """Progress callback of long work. Raises Stopped when the server is closing."""
        if self._hub.is_closing:
            raise Stopped

    async def ready(self, request: Request, worker: CampaignWorker, work: Callable[[], _T]) -> _T:
        """Return the result of work for a request, as ``answer`` does: a page waits a moment, other requests longer."""
        patience = self.patience if response_cache.is_of_browser(request) else FORM_PATIENCE
        return await self.answer(worker, request.path_params.get("campaign", ""), work, patience)

    async def answer(self, worker: CampaignWorker, campaign: CampaignId, work: Callable[[], _T], patience: float) -> _T:
        """Return the result of work in a worker's thread, once the editions that it needs are ready.

        Raises BeingRead after ``patience`` seconds. The work is begun again, so it must change nothing before it has
        them.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + patience
        while True:
            try:
                return await worker.run(work)
            except BeingRead as being:
                making = self.begin(worker, campaign, being)
                await asyncio.wait((making,), timeout=max(0.0, end - clock()))
                if not making.done() or self._hub.is_closing:
                    raise self._how_far.get((worker, campaign, being.audience), being) from None

    def begin(self, worker: CampaignWorker, campaign: CampaignId, being: BeingRead) -> asyncio.Task[None]:
        """Begin to build an edition, or return the task that builds it."""
        wanted = worker, campaign, being.audience
        if wanted not in self._under_way:
            self._how_far[wanted] = being
            task = self._under_way[wanted] = self._hub.begin(self._go_on(wanted))
            task.add_done_callback(lambda _: self._forget(wanted))
        return self._under_way[wanted]

    def _forget(self, wanted: _Wanted) -> None:
        del self._under_way[wanted], self._how_far[wanted]

    async def _go_on(self, wanted: _Wanted) -> None:
        """Build editions one after the other at each worker, so that the first is ready as soon as possible."""
        worker, campaign, audience = wanted
        async with self._turns.setdefault(worker, asyncio.Lock()):
            while not self._hub.is_closing:
                try:
                    await worker.run(lambda: worker.warm(campaign).edition(audience))
                    break
                except BeingRead as being:
                    self._how_far[wanted] = being
                except (RollbookError, sqlite3.Error, OSError) as fault:  # the requester gets it, too
                    note(logging.WARNING, "unread", f"{campaign} cannot be read: {fault}", why=type(fault).__name__)
                    break
        if not self._hub.is_closing:
            self._made(campaign)


MOST_ASKS = 16
"""Most remembered ways of an audience to ask for news: those used last."""
IDLE = 3
"""Number of unused answers after which none is made ahead for that way to ask."""
TOGETHER = 0.03
"""Seconds that audiences whose answers are made wait for the others, so that their bells ring together."""
AFTER = b"after="
"""Prefix of a query that asks for what is new."""

AnswerAhead = Callable[[Scope, WarmCampaign], Response]
"""Answers a request ahead of time, in the thread of the campaign's worker."""
News = tuple[Audience, str, list[tuple[response_cache.Question, response_cache.CachedResponse]]]
"""An audience, its new cursor, and the answers that are ready for it."""


@attrs.define(eq=False)
class Ask:
    """A way to ask for what is new, which the next readers will use too. ``made`` is the last answer made for it."""

    identity: Identity
    scope: Scope
    answer: AnswerAhead
    made: response_cache.CachedResponse | None = None
    idle: int = 0

    @property
    def kind(self) -> response_cache.Question:
        """The question without its cursor."""
        question = response_cache.question_of(self.scope, "", self.identity)
        return question._replace(query=self._beside_cursor)

    @property
    def _beside_cursor(self) -> bytes:
        query: bytes = self.scope["query_string"]
        return query.partition(b"&")[2]

    def query_after(self, cursor: str) -> bytes:
        """The same query after another cursor."""
        beside = self._beside_cursor
        return AFTER + quote(cursor).encode() + (b"&" + beside if beside else b"")

    @property
    def is_wanted(self) -> bool:
        """True if readers still ask in this way: after ``IDLE`` unused answers no more are made."""
        self.idle = self.idle + 1 if self.made is not None and not self.made.uses else 0
        return self.idle < IDLE


class LiveUpdates:
    """Live updates of all campaigns with listeners, in the server's own thread but for ``_answers`` and ``has_read_on``."""

    def __init__(self, workers: CampaignWorkers, hub: Hub, saw: Callable[[CampaignId, Seated | None], object]) -> None:
        """``saw`` is called with a campaign that was looked through and its seats, None if it could not be read."""
        self._saw = saw
        self.builder = EditionBuilder(hub, self.begin)
        self.cache = response_cache.ResponseCache(hub)
        self.workers = workers
        self._hub = hub
        self._asks: dict[tuple[CampaignId, Audience], dict[response_cache.Question, Ask]] = {}
        self._under_way: dict[CampaignId, bool] = {}
        self._last: dict[CampaignId, str] = {}
        self._looks = Counter[CampaignId]()
        self._rung: dict[CampaignId, set[str]] = {}

    def looks(self, campaign: CampaignId) -> int:
        """The number of times that a campaign was looked through for news. May be called from any thread."""
        return self._looks[campaign]

    def begin_after(self, campaign: CampaignId, looks: float, *, is_known: bool) -> None:
        """Follow a campaign in which something was done when it had been looked through so often.

        A look that began since then has found it: the store's own bell was quicker. ``is_known``: its worker knows what was done.
        """
        if self._looks[campaign] <= looks:
            self.begin(campaign, is_known=is_known)

    def note(self, campaign: CampaignId, ask: Ask) -> None:
        """Remember how a reader asked for what is new."""
        if self._hub.cursor(campaign, ask.identity.audience) and ask.scope["query_string"].startswith(AFTER):
            asks = self._asks.setdefault((campaign, ask.identity.audience), {})
            asks.pop(ask.kind, None)
            asks[ask.kind] = ask
            while len(asks) > MOST_ASKS:
                asks.pop(next(iter(asks)), None)

    def has_read_on(self, campaign: CampaignId, identity: Identity) -> None:
        """Make no answer ahead for a reader whose page gets what is new with the answer to an act, until it asks again.

        May be called from any thread.
        """
        asks, seat = self._asks.get((campaign, identity.audience), {}), response_cache.seat_of(identity)
        for kind in tuple(asks):
            if kind.seat == seat:
                asks.pop(kind, None)

    def is_looking(self, campaign: CampaignId) -> bool:
        """True if a campaign is about to be looked through, or just being so: it says who sits there then."""
        return campaign in self._under_way

    def begin(self, campaign: CampaignId, last: str = "", *, is_known: bool = False) -> bool:
        """Follow a campaign that may have new entries. False if its last entry was followed already.

        ``last`` is the hash of its last entry, if that is known. ``is_known``: its worker knows them.
        """
        if last and self._last.get(campaign) == last:
            return False
        if not last:  # the next answer here includes what was done here
            self.cache.forget(campaign)
        if not self._hub.audiences(campaign):
            self._last.pop(campaign, None)
            return True
        if not is_known:
            self._rung.setdefault(campaign, set()).add(last)
        if campaign in self._under_way:
            self._under_way[campaign] = True
            return True
        self._under_way[campaign] = True
        self._hub.begin(self._follow_until_done(campaign))
        return True

    async def _follow_until_done(self, campaign: CampaignId) -> None:
        try:
            while self._under_way[campaign]:
                self._under_way[campaign] = False
                await self.follow(campaign, self._rung.pop(campaign, ()))
        finally:
            del self._under_way[campaign]

    async def follow(self, campaign: CampaignId, rung: Collection[str] = ("",)) -> None:
        """Compute the cursors of a campaign's listening audiences, and ring for those that have moved.

        ``rung`` are last hashes of the campaign that others rang with, "" if one did not say.
        """
        worker = self.workers.of(campaign)
        loop = asyncio.get_running_loop()

        def look() -> None:
            self._looks[campaign] += 1
            table, news, began = worker.followed(campaign, rung), list[News](), perf_counter()
            loop.call_soon_threadsafe(self._last.__setitem__, campaign, table.campaign.head.hash)
            if not is_timeline(campaign):
                loop.call_soon_threadsafe(self._saw, campaign, seated_at(table.campaign))
            try:
                for audience in self._hub.audiences(campaign):
                    if news and perf_counter() - began > TOGETHER:
                        loop.call_soon_threadsafe(self._tell, campaign, news)
                        news, began = [], perf_counter()
                    try:
                        cursor = table.cursor(audience)
                    except BeingRead as being:  # its bell rings when the edition is ready
                        loop.call_soon_threadsafe(self.builder.begin, worker, campaign, being)
                        continue
                    if cursor != self._hub.cursor(campaign, audience):
                        news.append((audience, cursor, self._answers(campaign, audience, cursor, table)))
            finally:
                loop.call_soon_threadsafe(self._tell, campaign, news)

        try:
            await worker.run(look)
        except (RollbookError, sqlite3.Error, OSError) as fault:
            note(logging.WARNING, "unfollowed", f"{campaign} cannot be followed: {fault}", why=type(fault).__name__)
            self._saw(campaign, None)

    def _answers(
        self, campaign: CampaignId, audience: Audience, cursor: str, table: WarmCampaign
    ) -> list[tuple[response_cache.Question, response_cache.CachedResponse]]:
        """In the worker's thread, the questions that an audience will ask at its next bell, and the answers."""
        before = self._hub.cursor(campaign, audience)
        asks = tuple(self._asks.get((campaign, audience), {}).values()) if before else ()
        try:
            return [self._made(ask, campaign, before, cursor, table) for ask in asks if ask.is_wanted]
        except Exception as fault:  # noqa: BLE001 - the next requester gets the fault; the bell rings all the same
            note(logging.ERROR, "fault", f"{campaign}: what is new could not be made ready", fault)
            return []

    def _made(
        self, ask: Ask, campaign: CampaignId, before: str, cursor: str, table: WarmCampaign
    ) -> tuple[response_cache.Question, response_cache.CachedResponse]:
        rings = self._hub.rings(campaign, ask.identity.audience)
        scope = {**ask.scope, "query_string": ask.query_after(before)}
        question = response_cache.question_of(scope, campaign, ask.identity)
        made = ask.made = response_cache.CachedResponse(cursor, ask.answer(scope, table), rings)
        if response_cache.reads_compressed(ask.scope):
            made.pack()
        return question, made

    def _tell(self, campaign: CampaignId, news: list[News]) -> None:
        """Ring for some audiences together: one by one, a busy worker thread would hold up each bell and answer."""
        for audience, cursor, answers in news:
            self._hub.tell(campaign, audience, cursor)
            for question, answer in answers:
                self.cache.keep(question, answer)

    def forget_unheard(self) -> None:
        """Forget answers, questions and last entries of audiences without listeners."""
        self.cache.forget_unheard()
        for campaign, audience in [heard for heard in self._asks if not self._hub.cursor(*heard)]:
            del self._asks[campaign, audience]
        for campaign in [one for one in self._last if not self._hub.is_heard(one)]:
            del self._last[campaign]
        for campaign in [one for one in list(self._looks) if not self._hub.is_heard(one)]:  # workers add to them
            del self._looks[campaign]
