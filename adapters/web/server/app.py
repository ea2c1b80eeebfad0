"""The application: every page of the route table, asked for by those who have a seat, answered in the thread of its campaign."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.datastructures import FormData, Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from adapters.book import Book, open_book
from adapters.timelines.marker import campaign_of
from adapters.web.faults import sentence_of_status, status_of_fault, title_of_fault
from adapters.web.guards.requests import Door, guarded
from adapters.web.pages import EVERYBODY, Page, Templates, Visit, Where
from adapters.web.routes import PAGES
from adapters.web.seats.askers import Asker, Seated
from adapters.web.seats.seating import Seating
from adapters.web.server.desks import Desk, Desks
from adapters.web.server.following import Ask, Following, Work
from adapters.web.server.hub import Hub
from adapters.web.server.jobs import Jobs
from adapters.web.server.live import LEAST, Bells, Question, SharedAnswers, compressed
from adapters.web.server.static_files import StaticFiles
from adapters.web.server.watcher import Watcher
from adapters.web.server.wishes import Wishes, wishes_in
from domain.errors import RollbookError
from domain.events import Role
from domain.identifiers import CampaignId, StreamId

TIDY_EVERY = 5.0
"""Seconds between two looks for campaigns that nobody uses any more."""

NOBODY = Seated("", {})
"""Who sits at a table that is not there."""

LOG = logging.getLogger("rollbook.web")


class WebTable:
    """The table of one store as an ASGI application. ``pages`` is every route there is."""

    def __init__(self, store: Path, seeds: Path, seating: Seating, door: Door, wishes: Wishes) -> None:
        self.store = store
        self.hub = Hub()
        self.seating = seating
        self._open = lambda: open_book(store, seeds, create=False)
        self.desks = Desks(self._open)
        self.jobs = Jobs(self._open)
        self.files = StaticFiles()
        self.templates = Templates(self.files)
        self.pages: tuple[Page, ...] = (*PAGES, *self._own_pages())
        self._shared = SharedAnswers(self.hub)
        self.following = Following(self.desks, self.hub, self._shared, self._ahead)
        self._sitting: dict[CampaignId, Seated] = {}
        self._renewing: set[asyncio.Task[None]] = set()
        self._starlette = Starlette(
            routes=[Route(page.path, self._endpoint(page), methods=[page.method]) for page in self.pages],
            exception_handlers={HTTPException: self._say_status, Exception: self._say_broken},
            lifespan=self._lifespan,
        )
        self._starlette.state.seating = self.seating
        self._starlette.state.who_sits = self._sitting
        self._starlette.state.hub = self.hub
        self._starlette.state.requests = wishes.requests
        self._starlette.state.page_settings = wishes.settings
        self._app = guarded(self._let_in, door, self._turned_away, seating.cookies)
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._app(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what the guards let pass. What is kept for everybody of an audience is sent past routes and threads."""
        kept = self._kept(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (kept or self._starlette)(scope, receive, send)

    def _kept(self, scope: Scope) -> Response | None:
        campaign = campaign_in(scope["path"])
        if not campaign or not self._shared.are_kept(campaign):
            return None
        connection = HTTPConnection(scope)
        asker = self.seating.asker(connection, campaign, self._sitting)
        if asker is None:
            return None
        question = question_of(scope, campaign, asker)
        answer = self._shared.kept(question) or self._shared.kept(question._replace(seat=asker.seat))
        return None if answer is None else answer.to(connection.headers)

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
            try:
                asker = await self._asker(page, request)
                refusal = self._refusal(page, asker, request)
                if refusal is not None:
                    return refusal
                if asker is not None and is_shared(page, asker):
                    return await self._answer_shared(page, request, asker)
                response = await self._answer(page, request, asker, await _form(page, request))
            except RollbookError as fault:
                return self.say(request, str(fault), status_of_fault(fault), title_of_fault(fault))
            return _packed(response, request.headers)

        return answer

    async def _asker(self, page: Page, request: Request) -> Asker | None:
        """Who asks, where that matters. Who sits where is asked of a campaign's desk, once something was stored."""
        if not page.roles:
            return None
        campaign = request.path_params.get("campaign", "")
        for leading in self.seating.leading(request, campaign):
            await self._look_who_sits(leading)
        asker = request.state.asker = self.seating.asker(request, campaign, self._sitting)
        return asker

    async def _look_who_sits(self, campaign: CampaignId) -> None:
        if campaign not in self._sitting:
            self._sitting[campaign] = await self._seated(campaign)

    async def _seated(self, campaign: CampaignId) -> Seated:
        """Who sits there now; nobody, if it is gone or cannot be opened."""
        desk = self.desks.of(campaign)
        try:
            state = await desk.run(lambda: desk.warm(campaign).campaign.state)
        except RollbookError:
            return NOBODY
        return Seated(state.identity, state.seats)

    def _refusal(self, page: Page, asker: Asker | None, request: Request) -> Response | None:
        if not page.roles:
            return None
        if asker is None:
            campaign = request.path_params.get("campaign", "")
            sentence = self.seating.why_not(request, campaign, self._sitting)
            return self.say(request, sentence, 401, "No seat yet")
        if asker.role not in page.roles or (page.is_host_only and not asker.is_host):
            return self.say(request, "Your seat may not do that. Ask the GM.", 403, "Not from your seat")
        return None

    async def _answer(self, page: Page, request: Request, asker: Asker | None, form: FormData) -> Response:
        campaign = request.path_params.get("campaign", "")
        desk = self.desks.of(campaign)
        visit = Visit(page, request, asker, form, self.templates, self.jobs, desk)
        if page.where is Where.LOOP:
            answered = page.handler(visit)
            assert not isinstance(answered, Response)
            return await answered
        try:
            return await (self._answer_slowly(visit) if page.where is Where.SLOW else desk.run(lambda: handled(visit)))
        finally:
            if page.acts and campaign:
                self._sitting[campaign_of(campaign)] = await self._seated(campaign_of(campaign))
                self.following.begin(campaign)

    async def _answer_slowly(self, visit: Visit) -> Response:
        def handle(book: Book) -> Response:
            with_book = Desk(lambda: book, 0)
            try:
                visit._desk = with_book  # noqa: SLF001 - the visit has a book of its own now
                return handled(visit)
            finally:
                with_book.forget()

        job = self.jobs.start(visit.seated, handle)
        assert job.future is not None
        return await asyncio.wrap_future(job.future)

    async def _answer_shared(self, page: Page, request: Request, asker: Asker) -> Response:
        campaign = request.path_params.get("campaign", "")
        desk = self.desks.of(campaign)
        question = question_of(request.scope, campaign, asker)
        if not page.shared:
            question = question._replace(seat=asker.seat)

        async def make() -> tuple[str, Response]:
            visit = Visit(page, request, asker, FormData(), self.templates, self.jobs, desk)

            def handle() -> tuple[str, Response]:
                response = handled(visit)
                return visit.table.cursor(asker.audience), response

            try:
                return await desk.run(handle)
            except RollbookError as fault:
                return "", self.say(request, str(fault), status_of_fault(fault), title_of_fault(fault))

        self.following.note(campaign, Ask(page, asker, request.scope))
        return (await self._shared.answer(question, make)).to(request.headers)

    # Bells.

    def _bells(self, visit: Visit) -> Response:
        campaign = visit.campaign_id
        after = visit.request.headers.get("last-event-id", visit.query.get("after", ""))
        asker, request = visit.seated, visit.request

        def is_welcome() -> bool:
            with suppress(RollbookError):
                return self.seating.asker(request, campaign, self._sitting) == asker
            return False

        return Bells(self.hub, campaign, asker.audience, after, lambda: self.following.follow(campaign), is_welcome)

    def _ahead(self, ask: Ask, campaign: CampaignId, after: str) -> tuple[Question, Work]:
        """What a reader is about to ask who has read up to a cursor, and what answers it in the desk's thread."""
        scope = {**ask.scope, "query_string": f"after={quote(after)}".encode()}
        visit = Visit(
            ask.page, Request(scope), ask.asker, FormData(), self.templates, self.jobs, self.desks.of(campaign)
        )
        return question_of(scope, campaign, ask.asker), lambda: handled(visit)

    # What cannot be answered.

    def say(self, request: HTTPConnection, sentence: str, status: int, title: str) -> Response:
        """A page that says what is the case."""
        page = Page(path=request.url.path, handler=lambda _: Response(), roles=EVERYBODY)
        asker = getattr(request.state, "asker", None)
        visit = Visit(page, Request(request.scope), asker, FormData(), self.templates, self.jobs)
        return visit.page("shared/error.html", status, title=title, sentence=sentence)

    async def _say_status(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        title = "Not here" if error.status_code == 404 else "That did not work"
        answer = self.say(request, sentence_of_status(error.status_code), error.status_code, title)
        answer.headers.update(error.headers or {})
        return answer

    def _turned_away(self, scope: Scope, status: int, said: str, instead: str) -> Response:
        """The page for a request that no guard lets pass."""
        return self.say(Request(scope), f"{said} {instead}", status, "That did not work")

    async def _say_broken(self, request: Request, error: Exception) -> Response:
        LOG.error("%s %s", request.method, request.url.path, exc_info=error)
        sentence = "Something in rollbook is at fault. Nothing of the history is lost. What it is stands on the server's screen."
        return self.say(request, sentence, 500, "That did not work")

    # Starting and stopping.

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self._loop = loop = asyncio.get_running_loop()

        def changed(stream: StreamId, last: str) -> None:
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(self._follow_others, stream, last)

        def replaced() -> None:
            asyncio.run_coroutine_threadsafe(self.desks.open_again(), loop)

        watcher = Watcher(self.store, changed, replaced)
        watcher.start()
        tidying = asyncio.create_task(self._let_go_of_unused())
        try:
            yield
        finally:
            tidying.cancel()
            self.hub.close()
            self.seating.links.close()
            watcher.stop()
            self.jobs.close()
            self.desks.close()

    def _follow_others(self, stream: StreamId, last: str) -> None:
        """Another program has stored something. Those who sit there have their seats while that is looked at."""
        if self.following.begin(stream, last):
            renewing = asyncio.ensure_future(self._renew_seats(campaign_of(stream)))
            self._renewing.add(renewing)
            renewing.add_done_callback(self._renewing.discard)

    async def _renew_seats(self, campaign: CampaignId) -> None:
        if campaign in self._sitting:
            self._sitting[campaign] = await self._seated(campaign)

    def end_streams(self) -> None:
        """End all streams soon, so that the server can stop; may be called from any thread and from a signal."""
        with suppress(RuntimeError):  # the server has stopped already
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self.hub.close)

    async def _let_go_of_unused(self) -> None:
        while True:
            await asyncio.sleep(TIDY_EVERY)
            self._shared.forget_unheard()
            self.following.forget_unheard()
            await self.desks.let_go_of_unused(self.hub.is_heard)


def handled(visit: Visit) -> Response:
    """What the handler answers, in a desk's thread; what it raises is said as the asker may read it.

    A page that only reads is made of an edition, and so is what it raises: a hidden name is in it if the asker typed it.
    """
    try:
        response = visit.page_.handler(visit)
    except RollbookError as fault:
        if visit.asker is None or "table" not in vars(visit) or not visit.page_.acts:
            raise
        raise visit.table.said_to(fault, visit.asker) from fault
    assert isinstance(response, Response)
    return response


def is_shared(page: Page, asker: Asker) -> bool:
    """Whether an answer is kept for others: of a page for a whole audience, and of a spectator's for all who sit there."""
    is_of_table = page.where is Where.DESK and not page.acts and "{campaign}" in page.path
    return page.shared or (is_of_table and asker.role is Role.SPECTATOR)


def campaign_in(path: str) -> CampaignId:
    """The campaign that a path is about, "" if it is about none."""
    parts = path.split("/", 3)
    return parts[2] if len(parts) > 2 and parts[1] == "c" else ""


def question_of(scope: Scope, campaign: CampaignId, asker: Asker) -> Question:
    """What the answer of a shared page depends on."""
    is_fragment = any(name == b"hx-request" for name, _ in scope["headers"])
    return Question(campaign, asker.audience, asker.role, scope["path"], scope["query_string"], is_fragment)


async def _form(page: Page, request: Request) -> FormData:
    """What was sent with a form."""
    return await request.form() if page.acts else FormData()


def _packed(response: Response, headers: Headers) -> Response:
    """An answer in fewer bytes, if it is worth it and the reader can take it."""
    body = getattr(response, "body", b"")
    if len(body) < LEAST or "content-encoding" in response.headers or "gzip" not in headers.get("accept-encoding", ""):
        return response
    return compressed(response) if response.headers.get("content-type", "").startswith("text/") else response


def create_app(store: Path, seeds: Path, door: Door | None = None) -> WebTable:
    """The table of the store in a file, whose dice seeds are in a folder. Raises RollbookError if it cannot be opened."""
    with open_book(store, seeds, create=False) as book:
        identity = book.store.identity()
        seating = Seating(book.seeds.links(), identity)
        wishes = wishes_in(book, store, seeds)
    return WebTable(store, seeds, seating, door or Door(), wishes)
