"""The application: every page of the route table, asked for by those who have a seat, answered in the thread of its campaign."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import FormData, Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from adapters.book import Book, open_book
from adapters.web.askers import Asker, Seating, SeatsInMemory
from adapters.web.desks import Desk, Desks
from adapters.web.faults import status_of_fault, title_of_fault
from adapters.web.hub import Audience, Hub
from adapters.web.jobs import Jobs
from adapters.web.live import LEAST, Bells, Question, SharedAnswers, compressed
from adapters.web.pages import EVERYBODY, Page, Templates, Visit, Where
from adapters.web.routes import PAGES
from adapters.web.static_files import StaticFiles
from adapters.web.watcher import Watcher
from domain.errors import RollbookError
from domain.identifiers import CampaignId

LOG = logging.getLogger("rollbook.web")


class WebTable:
    """The table of one store as an ASGI application. ``pages`` is every route there is."""

    def __init__(self, store: Path, seeds: Path, seating: Seating | None = None) -> None:
        self.store = store
        self.hub = Hub()
        self.seating: Seating = seating or SeatsInMemory()
        self._open = lambda: open_book(store, seeds, create=False)
        self.desks = Desks(self._open)
        self.jobs = Jobs(self._open)
        self.files = StaticFiles()
        self.templates = Templates(self.files)
        self.pages: tuple[Page, ...] = (*PAGES, *self._own_pages())
        self._shared = SharedAnswers(self.hub)
        self._following: dict[CampaignId, bool] = {}
        self._starlette = Starlette(
            routes=[Route(page.path, self._endpoint(page), methods=[page.method]) for page in self.pages],
            exception_handlers={HTTPException: self._say_status, Exception: self._say_broken},
            lifespan=self._lifespan,
        )
        self._starlette.state.seating = self.seating
        self._app: ASGIApp = self._starlette

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._app(scope, receive, send)

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
            asker = self.seating.asker(request, request.path_params.get("campaign", ""))
            refusal = self._refusal(page, asker, request)
            if refusal is not None:
                return refusal
            if page.shared and asker is not None:
                return await self._answer_shared(page, request, asker)
            try:
                response = await self._answer(page, request, asker, await _form(page, request))
            except RollbookError as fault:
                return self.say(request, str(fault), status_of_fault(fault), title_of_fault(fault))
            return _packed(response, request.headers)

        return answer

    def _refusal(self, page: Page, asker: Asker | None, request: Request) -> Response | None:
        if not page.roles:
            return None
        if asker is None:
            sentence = "You have no seat at this table yet. Ask the GM for your link, and open it in this browser."
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
        if page.where is Where.SLOW:
            return await self._answer_slowly(page, visit)

        def handle() -> tuple[Response, Mapping[Audience, str]]:
            try:
                response = page.handler(visit)
            except RollbookError as fault:
                if asker is None or not campaign or "table" not in vars(visit):
                    raise
                raise visit.table.said_to(fault, asker) from fault
            assert isinstance(response, Response)
            return response, self._cursors(desk, campaign) if page.acts and campaign else {}

        response, cursors = await desk.run(handle)
        self.hub.tell(campaign, cursors)
        return response

    async def _answer_slowly(self, page: Page, visit: Visit) -> Response:
        def handle(book: Book) -> Response:
            with_book = Desk(lambda: book, 0)
            try:
                visit._desk = with_book  # noqa: SLF001 - the visit has a book of its own now
                response = page.handler(visit)
                assert isinstance(response, Response)
                return response
            finally:
                with_book.forget()

        job = self.jobs.start(visit.seated, handle)
        assert job.future is not None
        return await asyncio.wrap_future(job.future)

    async def _answer_shared(self, page: Page, request: Request, asker: Asker) -> Response:
        campaign = request.path_params.get("campaign", "")
        desk = self.desks.of(campaign)
        question = Question(
            campaign,
            asker.audience,
            asker.role,
            request.url.path,
            request.scope["query_string"],
            "hx-request" in request.headers,
        )

        async def make() -> tuple[str, Response]:
            visit = Visit(page, request, asker, FormData(), self.templates, self.jobs, desk)

            def handle() -> tuple[str, Response]:
                response = page.handler(visit)
                assert isinstance(response, Response)
                return visit.table.cursor(asker.audience), response

            try:
                return await desk.run(handle)
            except RollbookError as fault:
                return "", self.say(request, str(fault), status_of_fault(fault), title_of_fault(fault))

        return (await self._shared.answer(question, make)).to(request.headers)

    # Bells.

    def _bells(self, visit: Visit) -> Response:
        campaign = visit.campaign_id
        after = visit.request.headers.get("last-event-id", visit.query.get("after", ""))

        async def look() -> None:
            await self._follow(campaign)

        return Bells(self.hub, campaign, visit.seated.audience, after, look)

    def _cursors(self, desk: Desk, campaign: CampaignId) -> dict[Audience, str]:
        """How far a campaign has come for each audience that listens. In the desk's thread."""
        table = desk.warm(campaign)
        return {audience: table.cursor(audience) for audience in self.hub.audiences(campaign)}

    async def _follow(self, campaign: CampaignId) -> None:
        """Find out how far a campaign has come, and ring."""
        desk = self.desks.of(campaign)
        try:
            self.hub.tell(campaign, await desk.run(lambda: self._cursors(desk, campaign)))
        except RollbookError as fault:
            LOG.warning("%s: %s", campaign, fault)

    async def follow_soon(self, campaign: CampaignId) -> None:
        """Follow a campaign that another program has gone on with; what comes meanwhile is looked for once more."""
        if not self.hub.audiences(campaign):
            return
        if campaign in self._following:
            self._following[campaign] = True
            return
        self._following[campaign] = True
        try:
            while self._following[campaign]:
                self._following[campaign] = False
                await self._follow(campaign)
        finally:
            del self._following[campaign]

    # What cannot be answered.

    def say(self, request: HTTPConnection, sentence: str, status: int, title: str) -> Response:
        """A page that says what is the case."""
        page = Page(path=request.url.path, handler=lambda _: Response(), roles=EVERYBODY)
        asker = self.seating.asker(request, "")
        visit = Visit(page, Request(request.scope), asker, FormData(), self.templates, self.jobs)
        return visit.page("error.html", status, title=title, sentence=sentence)

    async def _say_status(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return self.say(request, "There is no such page at this table.", 404, "Not here")
        return self.say(request, "That cannot be asked of this page.", error.status_code, "That did not work")

    async def _say_broken(self, request: Request, error: Exception) -> Response:
        LOG.error("%s %s", request.method, request.url.path, exc_info=error)
        sentence = "Something in rollbook is at fault. Nothing of the history is lost. What it is stands on the server's screen."
        return self.say(request, sentence, 500, "That did not work")

    # Starting and stopping.

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()

        def changed(campaign: CampaignId) -> None:
            if not loop.is_closed():
                asyncio.run_coroutine_threadsafe(self.follow_soon(campaign), loop)

        watcher = Watcher(self.store, changed)
        watcher.start()
        try:
            yield
        finally:
            self.hub.close()
            watcher.stop()
            self.jobs.close()
            self.desks.close()


async def _form(page: Page, request: Request) -> FormData:
    """What was sent with a form."""
    return await request.form() if page.acts else FormData()


def _packed(response: Response, headers: Headers) -> Response:
    """An answer in fewer bytes, if it is worth it and the reader can take it."""
    body = getattr(response, "body", b"")
    if len(body) < LEAST or "content-encoding" in response.headers or "gzip" not in headers.get("accept-encoding", ""):
        return response
    return compressed(response) if response.headers.get("content-type", "").startswith("text/") else response


def create_app(store: Path, seeds: Path, seating: Seating | None = None) -> WebTable:
    """The table of the store in a file, whose dice seeds are in a folder. Raises RollbookError if it cannot be opened."""
    open_book(store, seeds, create=False).close()
    return WebTable(store, seeds, seating)
