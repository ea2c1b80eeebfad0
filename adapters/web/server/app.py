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
from rollbook.adapters.web.pages import Page, Templates, Visit, Where
from rollbook.adapters.web.routes import PAGES
from rollbook.adapters.web.seats.askers import Asker
from rollbook.adapters.web.seats.seating import Seating
from rollbook.adapters.web.server.asking import (
    form_of,
    handled,
    handled_in_loop,
    is_shared,
    job_in,
    packed,
    question_of,
    reads_compressed,
    seat_of,
    sent_on,
)
from rollbook.adapters.web.server.browsers import Browsers
from rollbook.adapters.web.server.counts import Counts, NotCounted, Shows
from rollbook.adapters.web.server.desks import Desks
from rollbook.adapters.web.server.following import Ask, Following, Work
from rollbook.adapters.web.server.hub import Hub
from rollbook.adapters.web.server.jobs import Jobs
from rollbook.adapters.web.server.live import Bells, Question, SharedAnswers
from rollbook.adapters.web.server.logs import note
from rollbook.adapters.web.server.node import Node
from rollbook.adapters.web.server.ready import ReadyAnswers
from rollbook.adapters.web.server.saying import Saying
from rollbook.adapters.web.server.sitting import Sitting
from rollbook.adapters.web.server.static_files import StaticFiles
from rollbook.adapters.web.server.tidying import Tidying
from rollbook.adapters.web.server.warm import WarmCampaign
from rollbook.adapters.web.server.watcher import News, watcher_of
from rollbook.adapters.web.server.welcome import Welcome
from rollbook.adapters.web.server.wiping import let_go_of_removed
from rollbook.adapters.web.server.wishes import Wishes, links_and_wishes, wishes_in
from rollbook.adapters.web.table.panels import Panels
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

SLOW_DESKS = 2
"""Threads with a book each for what takes long and records nothing: why a number is what it is, drawings, odds."""


class WebTable:
    """The table of one store as an ASGI application. ``pages`` is every route there is."""

    def __init__(self, store: Place, seeds: Path, seating: Seating, door: Door, wishes: Wishes, counts: Counts) -> None:
        self.store, self.door = store, door
        self.counts = counts
        self.hub = Hub()
        news = News(self._changed, self._replaced, self._followed, self._removed, self._unseated)
        self._watcher = watcher_of(store, news, seeds)
        self.node = Node(self._watcher.silence)
        self._seeds = seeds
        self._is_one_of_many = isinstance(store, ServerAddress)
        self.seating = seating
        self._open = lambda: open_book(store, seeds, create=False)
        self.desks = Desks(self._open, words_for_foes=self._words_for_foes)
        self.slow_desks = Desks(self._open, SLOW_DESKS, self._words_for_foes, are_slow=True)
        self.jobs = Jobs(self._open)
        self.files = StaticFiles()
        self.templates = Templates(self.files)
        self.pages: tuple[Page, ...] = (*PAGES, *self._own_pages(), *self.node.pages())
        self._saying = Saying(self.templates, self.jobs, counts)
        self._shared = SharedAnswers(self.hub)
        self.following = Following(self.desks, self.hub, self._shared, self._ahead)
        self._sitting = Sitting(self.desks, self.hub)
        self._welcome = Welcome(self.seating, self._sitting, self.hub)
        file = None if isinstance(store, ServerAddress) else store
        self._tidying = Tidying(
            file, self.hub, self._shared, self.following, self._sitting, self.desks, self.slow_desks
        )
        self._ready = ReadyAnswers(self.seating, self._sitting, self._shared, counts)
        self._starlette = Starlette(
            routes=[Route(page.path, self._endpoint(page), methods=[page.method]) for page in self.pages],
            exception_handlers={HTTPException: self._saying.status, Exception: self._saying.broken},
            lifespan=self._lifespan,
        )
        self._starlette.state.seating, self._starlette.state.who_sits = self.seating, self._sitting.known
        self._starlette.state.hub = self.hub
        self._starlette.state.requests, self._starlette.state.page_settings = wishes.requests, wishes.settings
        self._starlette.state.panels = Panels(self.pages)
        self._starlette.state.x_cards = XCards(door.limits)
        self._guards = Guards(self._let_in, door, self._saying.turned_away, Browsers(seating, self._sitting))
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._guards(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what the guards let pass. What is kept for everybody of an audience is sent past routes and threads."""
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            try:
                await self.seating.know(HTTPConnection(scope))
            except RollbookError as fault:
                answer = self._say(Request(scope), str(fault), status_of_fault(fault), title_of_fault(fault))
                await answer(scope, receive, send)
                return
        kept = self._ready.found(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (self._ready.given(scope, kept) if kept else self._starlette)(scope, receive, send)

    def at_once(self, scope: Scope) -> AtOnce | None:
        """What is sent for a GET request if it is ready, or if the guards turn it away; None if it has to be worked out.

        So a connection can send it without a task. Nothing has been counted of a request for which it is None.
        """
        if self.seating.links.is_far:  # who asks has to be asked for first
            return None
        asked = self._guards.seen(scope)
        kept = self._ready.found(asked.scope)
        return self._guards.at_once(asked, lambda: self._ready.given(asked.scope, kept)) if kept else None

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
            asker = await self._asker(page, request)
            refusal = self._refusal(page, asker, request)
            if refusal is not None:
                return refusal
            if asker is not None and is_shared(page, asker):
                return await self._answer_shared(page, request, asker)
            form = await form_of(page, request)
            if self._is_one_of_many and self.jobs.is_elsewhere(job_in(request, form)) and (again := sent_on(request)):
                return again
            response = await self._answer(page, request, asker, form)
        except BeingRead as being:
            return self._saying.being_read(request, being)
        except RollbookError as fault:
            return self._say(request, str(fault), status_of_fault(fault), title_of_fault(fault))
        return packed(response, request.headers)

    async def _asker(self, page: Page, request: Request) -> Asker | None:
        """Who asks, where that matters. Who sits where is asked of a campaign's desk, once something was stored."""
        if not page.roles:
            return None
        campaign = request.path_params.get("campaign", "")
        for leading in self.seating.leading(request, campaign):
            await self._sitting.look(leading, asked_for=campaign_of(campaign))
        asker = request.state.asker = self.seating.asker(request, campaign, self._sitting.known)
        if campaign and asker is not None and asker.is_host:  # pages name the campaign in their heading
            await self._sitting.look(campaign_of(campaign), asked_for=campaign_of(campaign))
        return asker

    def _refusal(self, page: Page, asker: Asker | None, request: Request) -> Response | None:
        if not page.roles:
            return None
        if asker is None:
            campaign = request.path_params.get("campaign", "")
            sentence = self.seating.why_not(request, campaign, self._sitting.known)
            return self._say(request, sentence, 401, "No seat yet")
        if asker.role not in page.roles or (page.is_host_only and not asker.is_host):
            return self._say(request, "Your seat may not do that. Ask the GM.", 403, "Not from your seat")
        return None

    async def _answer(self, page: Page, request: Request, asker: Asker | None, form: FormData) -> Response:
        campaign = request.path_params.get("campaign", "")
        desk = self.desks.of(campaign)
        visit = Visit(page, request, asker, form, self.templates, self.jobs, desk)
        if page.where is Where.LOOP:
            return await handled_in_loop(visit)
        try:
            if page.where is Where.SLOW:
                return await self._answer_slowly(visit)
            return await self.following.making.ready(request, desk, lambda: self._handled(visit))
        finally:
            if page.acts and campaign:
                await self._sitting.look_again(campaign_of(campaign))
                self.following.begin(campaign)

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
        desk = visit._desk = self.slow_desks.of(visit.campaign_id)  # noqa: SLF001 - the visit has a book of its own now

        def handle() -> Response:
            with telling(self.following.making.while_serving):
                return self._handled(visit)

        return await self.following.making.ready(visit.request, desk, handle)

    async def _answer_shared(self, page: Page, request: Request, asker: Asker) -> Response:
        campaign = request.path_params.get("campaign", "")
        desk = self.desks.of(campaign)
        question = question_of(request.scope, campaign, asker)
        if not page.shared:
            question = question._replace(seat=seat_of(asker))

        async def make() -> tuple[str, Response]:
            visit = Visit(page, request, asker, FormData(), self.templates, self.jobs, desk)

            def handle() -> tuple[str, Response]:
                response = handled(visit)
                return visit.table.cursor(asker.audience), response

            try:
                return await self.following.making.ready(request, desk, handle)
            except BeingRead as being:
                return "", self._saying.being_read(request, being)
            except RollbookError as fault:
                return "", self._say(request, str(fault), status_of_fault(fault), title_of_fault(fault))

        self.following.note(campaign, Ask(page, asker, request.scope))
        return (await self._shared.answer(question, make)).to(compressed=reads_compressed(request.scope))

    # Bells.

    def _bells(self, visit: Visit) -> Response:
        campaign = visit.campaign_id
        after = visit.request.headers.get("last-event-id", visit.query.get("after", ""))
        is_welcome = self._welcome.of(visit.seated, visit.request, campaign)
        audience = visit.seated.audience
        return Bells(self.hub, campaign, audience, after, lambda: self.following.follow(campaign), is_welcome)

    def _ahead(self, ask: Ask, campaign: CampaignId, after: str, table: WarmCampaign) -> tuple[Question, Work]:
        """What a reader is about to ask who has read up to a cursor, and what answers it in the desk's thread."""
        scope = {**ask.scope, "query_string": ask.query_after(after)}
        visit = Visit(
            ask.page, Request(scope), ask.asker, FormData(), self.templates, self.jobs, self.desks.of(campaign)
        )
        vars(visit)["table"] = table
        return question_of(scope, campaign, ask.asker), lambda: handled(visit)

    def _say(self, request: Request, sentence: str, status: int, title: str) -> Response:
        return self._saying.say(request, sentence, status, title)

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
            self.seating.links.close()
            self._watcher.stop()
            self.jobs.close()
            self.slow_desks.close()
            self.desks.close()

    def _changed(self, stream: StreamId, last: str) -> None:
        self._soon(self._follow_others, stream, last)

    def _replaced(self) -> None:
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self._go_on_with_another(), self._loop)

    async def _go_on_with_another(self) -> None:
        """A backup was restored: go on with the links, the wishes and the campaigns of the store that is there now."""
        await self.desks.open_again()
        await self.slow_desks.open_again()
        try:
            links, wishes = await asyncio.to_thread(links_and_wishes, self.store, self._seeds)
        except RollbookError as fault:
            note(logging.WARNING, "restored", f"The store cannot be gone on with: {fault}", why=type(fault).__name__)
            return
        self._later(LINKS_CLOSED_AFTER, self.seating.go_on_with(links).close)
        self._starlette.state.requests, self._starlette.state.page_settings = wishes.requests, wishes.settings
        self._sitting.known.clear()
        self._shared.forget_unheard()
        for campaign in self.hub.heard():
            await self._sitting.look_again(campaign)
            self.following.begin(campaign)
        self._welcome.ask_again_soon("")

    def _removed(self) -> None:
        assert self._loop is not None
        letting_go = let_go_of_removed(self._shared, (self.desks, self.slow_desks), self._open)
        asyncio.run_coroutine_threadsafe(letting_go, self._loop)

    def _unseated(self, campaign: CampaignId) -> None:
        self._soon(self._welcome.ask_again_soon, campaign)

    def _words_for_foes(self, campaign: CampaignId) -> bool:
        settings: PageSettings = self._starlette.state.page_settings
        return settings.words_for_foes(campaign)

    def _followed(self) -> tuple[StreamId, ...]:
        """The campaigns and timelines of which something is kept here that others may change; may be asked from any thread."""
        return (*dict.fromkeys((*self.hub.heard(), *list(self._sitting.known))),)

    def _soon(self, call: Callable[..., object], *values: object) -> None:
        """Call something in the server's own thread; from any thread and from a signal."""
        with suppress(RuntimeError):  # the server has stopped already
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call, *values)

    def _follow_others(self, stream: StreamId, last: str) -> None:
        """Another program has stored something. Those who sit there have their seats while that is looked at."""
        if self.following.begin(stream, last):
            self._sitting.look_again_soon(campaign_of(stream))

    def show_in(self, shows: Shows) -> None:
        """Have what is looked at from time to time shown: how many are open, how old what is known of the store is."""
        shows("streams", "Open streams.", self.hub.listeners)
        shows("warm_campaigns", "Campaigns that are open.", self.desks.warm)
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
        seating = Seating(book.seeds.links(), identity)
        wishes = wishes_in(book, store, seeds)
    return WebTable(store, seeds, seating, door or Door(), wishes, counts or NotCounted())
