"""The application: every page of the route table, asked for by those who have a seat, answered in the thread of its campaign."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import perf_counter

from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from rollbook.adapters.web.faults import status_of_fault, title_of_fault
from rollbook.adapters.web.guards.limits import XCards
from rollbook.adapters.web.guards.requests import AtOnce, Door, Guards
from rollbook.adapters.web.live.bells import Bells
from rollbook.adapters.web.live.hub import Hub
from rollbook.adapters.web.live.live_updates import Ask, LiveUpdates, Work
from rollbook.adapters.web.live.questions import Question, question_of, reads_compressed, seat_of
from rollbook.adapters.web.live.response_cache import ResponseCache, packed
from rollbook.adapters.web.live.seat_cache import SeatCache
from rollbook.adapters.web.live.stream_access import StreamAccess
from rollbook.adapters.web.logs import note
from rollbook.adapters.web.pages.page import Page, Where
from rollbook.adapters.web.pages.request_context import Visit
from rollbook.adapters.web.pages.templating import Templates
from rollbook.adapters.web.routes import PAGES
from rollbook.adapters.web.seats.identity import Identity
from rollbook.adapters.web.seats.sessions import Sessions
from rollbook.adapters.web.serving.browsers import Browsers
from rollbook.adapters.web.serving.cache_lookup import CacheLookup
from rollbook.adapters.web.serving.counts import Counts, NotCounted, Shows
from rollbook.adapters.web.serving.error_pages import ErrorPages
from rollbook.adapters.web.serving.handling import form_of, handled, handled_in_loop, is_shared, job_in, sent_on
from rollbook.adapters.web.serving.node import Node
from rollbook.adapters.web.serving.static_files import StaticFiles
from rollbook.adapters.web.serving.store_notes import StoreNotes, links_and_notes, store_notes_in
from rollbook.adapters.web.serving.tidying import Tidying
from rollbook.adapters.web.serving.wiping import let_go_of_removed
from rollbook.adapters.web.table.panels import Panels
from rollbook.adapters.web.watching import watcher_of
from rollbook.adapters.web.watching.watcher import News
from rollbook.adapters.web.workers.campaign_workers import CampaignWorkers
from rollbook.adapters.web.workers.jobs import Jobs
from rollbook.adapters.web.workers.warm_campaign import WarmCampaign
from rollbook.adapters.wiring import open_book
from rollbook.application.ports.deadline import end_command
from rollbook.application.ports.page_settings import PageSettings
from rollbook.application.ports.store_address import Place, ServerAddress
from rollbook.application.timelines.marker import campaign_of
from rollbook.application.visibility.editions.live import BeingRead
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId, StreamId
from rollbook.domain.base.progress import telling

LINKS_CLOSED_AFTER = 5.0
"""Seconds for which the links of a store stay open that is gone: somebody may be looking in them."""

SLOW_WORKERS = 2
"""Threads with a book each for what takes long and records nothing: why a number is what it is, drawings, odds."""


class WebTable:
    """The table of one store as an ASGI application. ``pages`` is every route there is."""

    def __init__(
        self, store: Place, seeds: Path, sessions: Sessions, door: Door, notes: StoreNotes, counts: Counts
    ) -> None:
        self.store, self.door = store, door
        self.counts = counts
        self.hub = Hub()
        news = News(self._changed, self._replaced, self._followed, self._removed, self._unseated)
        self._watcher = watcher_of(store, news, seeds)
        self.node = Node(self._watcher.silence)
        self._seeds = seeds
        self._is_one_of_many = isinstance(store, ServerAddress)
        self.sessions = sessions
        self._open = lambda: open_book(store, seeds, create=False)
        self.workers = CampaignWorkers(self._open, words_for_foes=self._words_for_foes)
        self.slow_workers = CampaignWorkers(self._open, SLOW_WORKERS, self._words_for_foes, are_slow=True)
        self.jobs = Jobs(self._open)
        self.files = StaticFiles()
        self.templates = Templates(self.files.address)
        self.pages: tuple[Page, ...] = (*PAGES, *self._own_pages(), *self.node.pages())
        self._error_pages = ErrorPages(self.templates, self.jobs, counts)
        self._cache = ResponseCache(self.hub)
        self.live_updates = LiveUpdates(self.workers, self.hub, self._cache, self._ahead)
        self._seat_cache = SeatCache(self.workers, self.hub)
        self._stream_access = StreamAccess(self.sessions, self._seat_cache, self.hub)
        file = None if isinstance(store, ServerAddress) else store
        self._tidying = Tidying(
            file, self.hub, self._cache, self.live_updates, self._seat_cache, self.workers, self.slow_workers
        )
        self._cache_lookup = CacheLookup(self.sessions, self._seat_cache, self._cache, counts)
        self._starlette = Starlette(
            routes=[Route(page.path, self._endpoint(page), methods=[page.method]) for page in self.pages],
            exception_handlers={HTTPException: self._error_pages.status, Exception: self._error_pages.broken},
            lifespan=self._lifespan,
        )
        self._starlette.state.sessions, self._starlette.state.who_sits = self.sessions, self._seat_cache.known
        self._starlette.state.hub = self.hub
        self._starlette.state.requests, self._starlette.state.page_settings = notes.requests, notes.settings
        self._starlette.state.panels = Panels(self.pages)
        self._starlette.state.x_cards = XCards(door.limits)
        self._guards = Guards(self._let_in, door, self._error_pages.turned_away, Browsers(sessions, self._seat_cache))
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """CachedResponse one request."""
        await self._guards(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """CachedResponse what the guards let pass. What is kept for everybody of an audience is sent past routes and threads."""
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            try:
                await self.sessions.know(HTTPConnection(scope))
            except RollbookError as fault:
                answer = self._say(Request(scope), str(fault), status_of_fault(fault), title_of_fault(fault))
                await answer(scope, receive, send)
                return
        kept = self._cache_lookup.found(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (self._cache_lookup.given(scope, kept) if kept else self._starlette)(scope, receive, send)

    def at_once(self, scope: Scope) -> AtOnce | None:
        """What is sent for a GET request if it is ready, or if the guards turn it away; None if it has to be worked out.

        So a connection can send it without a task. Nothing has been counted of a request for which it is None.
        """
        if self.sessions.links.is_far:  # who asks has to be asked for first
            return None
        asked = self._guards.seen(scope)
        kept = self._cache_lookup.found(asked.scope)
        return self._guards.at_once(asked, lambda: self._cache_lookup.given(asked.scope, kept)) if kept else None

    def _own_pages(self) -> tuple[Page, ...]:
        async def stream(visit: Visit) -> Response:
            return self._bells(visit)

        async def static(visit: Visit) -> Response:
            return self.files.answer(visit.request)

        return (
            Page(path="/c/{campaign}/stream", handler=stream, where=Where.LOOP),
            Page(path="/static/{digest}/{file:path}", handler=static, where=Where.LOOP, roles=frozenset()),
        )

    # A request.

    def _endpoint(self, page: Page) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            began, status = perf_counter(), 500
            request.state.route = page.path
            try:
                response = await self._response(page, request)
                status = response.status_code
            finally:
                end_command()
                self.counts.answered(page, status, perf_counter() - began)
            return response

        return answer

    async def _response(self, page: Page, request: Request) -> Response:
        try:
            identity = await self._identity(page, request)
            refusal = self._refusal(page, identity, request)
            if refusal is not None:
                return refusal
            if identity is not None and is_shared(page, identity):
                return await self._answer_shared(page, request, identity)
            form = await form_of(page, request)
            if self._is_one_of_many and self.jobs.is_elsewhere(job_in(request, form)) and (again := sent_on(request)):
                return again
            response = await self._answer(page, request, identity, form)
        except BeingRead as being:
            return self._error_pages.being_read(request, being)
        except RollbookError as fault:
            return self._say(request, str(fault), status_of_fault(fault), title_of_fault(fault))
        return packed(response, request.headers)

    async def _identity(self, page: Page, request: Request) -> Identity | None:
        """Who asks, where that matters. Who sits where is asked of a campaign's worker, once something was stored."""
        if not page.roles:
            return None
        campaign = request.path_params.get("campaign", "")
        for leading in self.sessions.leading(request, campaign):
            await self._seat_cache.look(leading, asked_for=campaign_of(campaign))
        identity = request.state.identity = self.sessions.identity(request, campaign, self._seat_cache.known)
        if campaign and identity is not None and identity.is_host:  # pages name the campaign in their heading
            await self._seat_cache.look(campaign_of(campaign), asked_for=campaign_of(campaign))
        return identity

    def _refusal(self, page: Page, identity: Identity | None, request: Request) -> Response | None:
        if not page.roles:
            return None
        if identity is None:
            campaign = request.path_params.get("campaign", "")
            sentence = self.sessions.why_not(request, campaign, self._seat_cache.known)
            return self._say(request, sentence, 401, "No seat yet")
        if identity.role not in page.roles or (page.is_host_only and not identity.is_host):
            return self._say(request, "Your seat may not do that. Ask the GM.", 403, "Not from your seat")
        return None

    async def _answer(self, page: Page, request: Request, identity: Identity | None, form: FormData) -> Response:
        campaign = request.path_params.get("campaign", "")
        worker = self.workers.of(campaign)
        visit = Visit(page, request, identity, form, self.templates, self.jobs, worker)
        if page.where is Where.LOOP:
            return await handled_in_loop(visit)
        try:
            if page.where is Where.SLOW:
                return await self._answer_slowly(visit)
            return await self.live_updates.builder.ready(request, worker, lambda: self._handled(visit))
        finally:
            if page.acts and campaign:
                await self._seat_cache.look_again(campaign_of(campaign))
                self.live_updates.begin(campaign)

    def _handled(self, visit: Visit) -> Response:
        """In a thread that has a book: what the handler answers. How often others were faster is counted."""
        try:
            return handled(visit)
        finally:
            if "table" in vars(visit):
                self.counts.conflicts(visit.page_, visit.table.campaign.take_overtaken())

    async def _answer_slowly(self, visit: Visit) -> Response:
        """In a thread where nobody waits to act. The editions that are made there are gone on with by who asks next."""
        end_command()
        worker = visit._worker = self.slow_workers.of(visit.campaign_id)  # noqa: SLF001 - the visit has a book of its own now

        def handle() -> Response:
            with telling(self.live_updates.builder.while_serving):
                return self._handled(visit)

        return await self.live_updates.builder.ready(visit.request, worker, handle)

    async def _answer_shared(self, page: Page, request: Request, identity: Identity) -> Response:
        campaign = request.path_params.get("campaign", "")
        worker = self.workers.of(campaign)
        question = question_of(request.scope, campaign, identity)
        if not page.shared:
            question = question._replace(seat=seat_of(identity))

        async def make() -> tuple[str, Response]:
            visit = Visit(page, request, identity, FormData(), self.templates, self.jobs, worker)

            def handle() -> tuple[str, Response]:
                response = handled(visit)
                return visit.table.cursor(identity.audience), response

            try:
                return await self.live_updates.builder.ready(request, worker, handle)
            except BeingRead as being:
                return "", self._error_pages.being_read(request, being)
            except RollbookError as fault:
                return "", self._say(request, str(fault), status_of_fault(fault), title_of_fault(fault))

        self.live_updates.note(campaign, Ask(page, identity, request.scope))
        return (await self._cache.answer(question, make)).to(compressed=reads_compressed(request.scope))

    # Bells.

    def _bells(self, visit: Visit) -> Response:
        campaign = visit.campaign_id
        after = visit.request.headers.get("last-event-id", visit.query.get("after", ""))
        is_welcome = self._stream_access.of(visit.seated, visit.request, campaign)
        audience = visit.seated.audience
        return Bells(self.hub, campaign, audience, after, lambda: self.live_updates.follow(campaign), is_welcome)

    def _ahead(self, ask: Ask, campaign: CampaignId, after: str, table: WarmCampaign) -> tuple[Question, Work]:
        """What a reader is about to ask who has read up to a cursor, and what answers it in the worker's thread."""
        scope = {**ask.scope, "query_string": ask.query_after(after)}
        visit = Visit(
            ask.page, Request(scope), ask.identity, FormData(), self.templates, self.jobs, self.workers.of(campaign)
        )
        vars(visit)["table"] = table
        return question_of(scope, campaign, ask.identity), lambda: handled(visit)

    def _say(self, request: Request, sentence: str, status: int, title: str) -> Response:
        return self._error_pages.say(request, sentence, status, title)

    # Starting and stopping.

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        self._watcher.start()
        tidying = asyncio.create_task(self._tidying.go_on())
        try:
            yield
        finally:
            tidying.cancel()
            self.hub.close()
            self.sessions.links.close()
            self._watcher.stop()
            self.jobs.close()
            self.slow_workers.close()
            self.workers.close()

    def _changed(self, stream: StreamId, last: str) -> None:
        self._soon(self._follow_others, stream, last)

    def _replaced(self) -> None:
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self._go_on_with_another(), self._loop)

    async def _go_on_with_another(self) -> None:
        """A backup was restored: go on with the links, the notes and the campaigns of the store that is there now."""
        await self.workers.open_again()
        await self.slow_workers.open_again()
        try:
            links, notes = await asyncio.to_thread(links_and_notes, self.store, self._seeds)
        except RollbookError as fault:
            note(logging.WARNING, "restored", f"The store cannot be gone on with: {fault}", why=type(fault).__name__)
            return
        self._later(LINKS_CLOSED_AFTER, self.sessions.go_on_with(links).close)
        self._starlette.state.requests, self._starlette.state.page_settings = notes.requests, notes.settings
        self._seat_cache.known.clear()
        self._cache.forget_unheard()
        for campaign in self.hub.heard():
            await self._seat_cache.look_again(campaign)
            self.live_updates.begin(campaign)
        self._stream_access.ask_again_soon("")

    def _removed(self) -> None:
        assert self._loop is not None
        letting_go = let_go_of_removed(self._cache, (self.workers, self.slow_workers), self._open)
        asyncio.run_coroutine_threadsafe(letting_go, self._loop)

    def _unseated(self, campaign: CampaignId) -> None:
        self._soon(self._stream_access.ask_again_soon, campaign)

    def _words_for_foes(self, campaign: CampaignId) -> bool:
        settings: PageSettings = self._starlette.state.page_settings
        return settings.words_for_foes(campaign)

    def _followed(self) -> tuple[StreamId, ...]:
        """The campaigns and timelines of which something is kept here that others may change; may be asked from any thread."""
        return (*dict.fromkeys((*self.hub.heard(), *list(self._seat_cache.known))),)

    def _soon(self, call: Callable[..., object], *values: object) -> None:
        """Call something in the server's own thread; from any thread and from a signal."""
        with suppress(RuntimeError):  # the server has stopped already
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call, *values)

    def _follow_others(self, stream: StreamId, last: str) -> None:
        """Another program has stored something. Those who sit there have their seats while that is looked at."""
        if self.live_updates.begin(stream, last):
            self._seat_cache.look_again_soon(campaign_of(stream))

    def show_in(self, shows: Shows) -> None:
        """Have what is looked at from time to time shown: how many are open, how old what is known of the store is."""
        shows("streams", "Open streams.", self.hub.listeners)
        shows("warm_campaigns", "Campaigns that are open.", self.workers.warm)
        shows("tail_age_seconds", "Seconds since all that is stored was known here.", self._watcher.tail_age)
        shows("ready", "1 if requests may be sent here.", lambda: 0 if self.node.not_ready() else 1)

    def drain(self, seconds: float, end: Callable[[], None]) -> None:
        """Say at once that nothing more should be sent here, and ``end`` after some seconds, in the server's own thread."""
        self.node.drain()
        self._soon(self._later, seconds, end)

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        assert self._loop is not None
        self._loop.call_later(seconds, call)

    def end_streams(self) -> None:
        """End all streams soon, so that the server can stop; may be called from any thread and from a signal."""
        self.node.is_draining = True
        self._soon(self.hub.close)


def create_app(store: Place, seeds: Path, door: Door | None = None, counts: Counts | None = None) -> WebTable:
    """The table of a store, whose dice seeds are in a folder if it is a file. Raises RollbookError if it cannot be opened."""
    with open_book(store, seeds, create=False) as book:
        identity = book.store.identity()
        book.seeds.check_usable()
        sessions = Sessions(book.seeds.links(), identity)
        notes = store_notes_in(book, store, seeds)
    return WebTable(store, seeds, sessions, door or Door(), notes, counts or NotCounted())
