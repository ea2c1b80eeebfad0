"""The application: serves every page of the route table to readers with a seat, in the thread of its campaign."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path

import attrs
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from rollbook.adapters.local_files.paths import own_macros
from rollbook.adapters.web.api.routes import ENDPOINTS, events, with_document
from rollbook.adapters.web.corrections.pending import NoteFiles
from rollbook.adapters.web.guards.checks import Door, Guards
from rollbook.adapters.web.guards.limits import XCards
from rollbook.adapters.web.live import bells, live_updates, response_cache, seat_cache
from rollbook.adapters.web.logs import note
from rollbook.adapters.web.pages.page import STRANGERS, Page, RequestContext, Services
from rollbook.adapters.web.pages.templating import Templates
from rollbook.adapters.web.routes import NEWS, PAGES
from rollbook.adapters.web.seats.signing_in import Sessions
from rollbook.adapters.web.serving import error_pages, page_answers, readiness, static_files, tidying
from rollbook.adapters.web.table.pages import Panels
from rollbook.adapters.web.watching import show_connections, watcher_of
from rollbook.adapters.web.watching.rules import NodeRules
from rollbook.adapters.web.watching.watcher import News
from rollbook.adapters.web.workers.campaign_workers import WORKERS, CampaignWorkers
from rollbook.adapters.web.workers.jobs import AT_ONCE, Jobs
from rollbook.adapters.wiring import open_book
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.application.ports.seat_links import SeatLinks
from rollbook.application.ports.seed_store import TableNotes
from rollbook.application.ports.store_address import Place, ServerAddress
from rollbook.application.ports.surroundings import PageSettings
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId, StreamId

LINKS_CLOSED_AFTER = 5.0
"""Seconds for which the links of a replaced store stay open: a request may still be reading them."""

_Notes = tuple[TableNotes, PageSettings, TableNotes]
"""The players' requests, the GMs' settings of pages, and macros: in the store if it keeps notes, else in files."""
SLOW_WORKERS = 2
"""Threads with a book each for long work that records nothing: explanations of numbers, drawings, odds."""
BOOKS = WORKERS + SLOW_WORKERS + AT_ONCE
"""Books that a server has open at once, each in a thread of its own."""


@cache
def _files_and_templates() -> tuple[static_files.StaticFiles, Templates]:
    """The static files and the templates, which are read and compiled once in a process."""
    files = static_files.StaticFiles()
    return files, Templates(files.address)


class WebTable:
    """The table of one store as an ASGI application. ``pages`` are all its routes."""

    def __init__(
        self,
        store: Place,
        seeds: Path,
        sessions: Sessions,
        door: Door,
        notes: _Notes,
        counts: readiness.Counts,
        *,
        is_one_of_many: bool,
    ) -> None:
        self.store, self.door, self.sessions = store, door, sessions
        self._seeds, self._counts = seeds, counts
        self._open = lambda: open_book(store, seeds, create=False)
        self.hub = bells.Hub()
        self._rules = NodeRules()
        news = News(
            changed=partial(self._soon, self._follow_others),
            replaced=self._replaced,
            followed=self._followed,
            removed=self._removed,
            unseated=lambda campaign: self._soon(self._seat_cache.ask_again_soon, campaign),
            rules=self._rules.looked,
        )
        self._watcher = watcher_of(store, news, seeds)
        self.node = readiness.Node(self._watcher.silence, self._rules.why_not)
        in_words = self._words_for_foes
        self.workers = CampaignWorkers(self._open, words_for_foes=in_words)
        self.slow_workers = CampaignWorkers(self._open, SLOW_WORKERS, in_words, are_slow=True)
        self._seat_cache = seat_cache.SeatCache(self.workers, self.hub, sessions)
        self.live_updates = live_updates.LiveUpdates(self.workers, self.hub, self._seat_cache.saw)
        self._cache = self.live_updates.cache
        self.files, templates = _files_and_templates()
        self.pages: tuple[Page, ...] = (*PAGES, *self._own_pages(), *self.node.pages())
        self.services = Services(
            templates=templates,
            jobs=Jobs(self._open),
            hub=self.hub,
            sessions=sessions,
            x_cards=XCards(door.limits),
            limits=door.limits,
            request_notes=notes[0],
            settings=notes[1],
            macro_notes=notes[2],
            panels=Panels(self.pages).asked,
        )
        self._error_pages = error_pages.ErrorPages(lambda: self.services, counts)
        self._tidying = tidying.Tidying(
            store=None if isinstance(store, ServerAddress) else store,
            hub=self.hub,
            live_updates=self.live_updates,
            seat_cache=self._seat_cache,
            slow_workers=self.slow_workers,
        )
        self._starlette = self._routed(is_one_of_many=is_one_of_many)
        self._guards = Guards(self._let_in, door, self._error_pages.turned_away, self._browser)
        self._loop: asyncio.AbstractEventLoop | None = None

    def _routed(self, *, is_one_of_many: bool) -> Starlette:
        answers = page_answers.PageAnswers(
            services=lambda: self.services,
            seat_cache=self._seat_cache,
            slow_workers=self.slow_workers,
            live_updates=self.live_updates,
            error_pages=self._error_pages,
            counts=self._counts,
            news=NEWS,
            is_one_of_many=is_one_of_many,
        )
        return Starlette(
            routes=[Route(page.path, answers.endpoint(page), methods=[page.method]) for page in self.pages],
            exception_handlers={HTTPException: self._error_pages.status, Exception: self._error_pages.broken},
            lifespan=self._lifespan,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._guards(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that passed the guards. Cached answers are sent without routes and threads."""
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            try:
                await self.sessions.know(HTTPConnection(scope))
            except RollbookError as fault:
                await self._error_pages.fault(Request(scope), fault)(scope, receive, send)
                return
        kept = self._kept_for(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (self._given(scope, kept) if kept else self._starlette)(scope, receive, send)

    def _browser(self, scope: Scope) -> str:
        """The cookie of a browser that has a seat at the campaign of its request, "" for a stranger."""
        try:
            return self.sessions.browser(HTTPConnection(scope), response_cache.stream_in(scope["path"]))
        except RollbookError:  # the links cannot be read, which a later answer says
            return ""

    def _kept_for(self, scope: Scope) -> response_cache.CachedResponse | None:
        """The cached answer for readers who see the same, None if there is none."""
        campaign = response_cache.stream_in(scope["path"])
        if not campaign or not self._cache.are_kept(campaign):
            return None
        identity = self.sessions.identity(HTTPConnection(scope), campaign)
        if identity is None:
            return None
        question = response_cache.question_of(scope, campaign, identity)
        return self._cache.kept(question) or self._cache.kept(question._replace(seat=response_cache.seat_of(identity)))

    def _given(self, scope: Scope, kept: response_cache.CachedResponse) -> Response:
        self._counts.kept()
        return kept.to(compressed=response_cache.reads_compressed(scope))

    def _own_pages(self) -> tuple[Page, ...]:
        return (
            Page(path="/c/{campaign}/stream", handler=self._bells),
            *with_document((*ENDPOINTS, events(self._bells))),
            Page(path="/static/{digest}/{file:path}", handler=self.files.answer, roles=STRANGERS),
        )

    async def _bells(self, context: RequestContext) -> Response:
        campaign, http, audience = context.request.campaign_id, context.request.http, context.seated.audience
        after = http.headers.get("last-event-id", context.request.query.get("after", ""))
        is_welcome = partial(self._seat_cache.is_welcome, context.seated, http, campaign)
        return bells.Bells(self.hub, campaign, audience, after, lambda: self.live_updates.follow(campaign), is_welcome)

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
            await self.hub.end()
            self.sessions.links.close()
            self._watcher.stop()
            self.services.jobs.close()
            self.slow_workers.close()
            self.workers.close()

    def _replaced(self) -> None:
        self._soon(lambda: self.hub.begin(self._go_on_with_another()))

    async def _go_on_with_another(self) -> None:
        """Go on with the links, the notes and the campaigns of a restored store."""
        await self.workers.open_again()
        await self.slow_workers.open_again()
        try:
            links, _, (requests, settings, macros) = await asyncio.to_thread(_read_beside, self.store, self._seeds)
        except RollbookError as fault:
            note(logging.WARNING, "restored", f"The store cannot be gone on with: {fault}", why=type(fault).__name__)
            return
        self._later(LINKS_CLOSED_AFTER, self.sessions.go_on_with(links).close)
        self.services = attrs.evolve(self.services, settings=settings, request_notes=requests, macro_notes=macros)
        self._seat_cache.known.clear()
        self._cache.forget_unheard()
        for campaign in self.hub.heard():
            await self._seat_cache.look_again(campaign)
            self.live_updates.begin(campaign)
        self._seat_cache.ask_again_soon("")

    def _removed(self) -> None:
        workers = self.workers, self.slow_workers
        self._soon(lambda: self.hub.begin(tidying.let_go_of_removed(self._cache, workers, self._open)))

    def _words_for_foes(self, campaign: CampaignId) -> bool:
        return self.services.settings.words_for_foes(campaign)

    def _followed(self) -> tuple[StreamId, ...]:
        """The campaigns and timelines cached here, which other programs may change. May be called from any thread."""
        return (*dict.fromkeys((*self.hub.heard(), *list(self._seat_cache.known))),)

    def _soon(self, call: Callable[..., object], *values: object) -> None:
        """Call a function in the server's own thread. May be called from any thread and from a signal."""
        with suppress(RuntimeError):  # the server has stopped already
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call, *values)

    def _follow_others(self, stream: StreamId, last: str) -> None:
        """Follow entries that another program stored. Readers keep their seats while these are read."""
        campaign = campaign_of(stream)
        if self.live_updates.begin(stream, last) and not self.live_updates.is_looking(campaign):
            self._seat_cache.look_again_soon(campaign)

    def show_in(self, shows: readiness.Shows) -> None:
        """Register the gauges: open streams and campaigns, age of the tail, and readiness."""
        shows("streams", "Open streams.", self.hub.listeners)
        shows("warm_campaigns", "Campaigns that are open.", self.workers.warm)
        shows("tail_age_seconds", "Seconds since all that is stored was known here.", self._watcher.tail_age)
        shows("ready", "1 if requests may be sent here.", lambda: 0 if self.node.not_ready() else 1)
        shows("rules_in_force", "1 if all that is played in the store may be played here.", self._rules.are_in_force)

        show_connections(self.store, shows, BOOKS)

    def drain(self, seconds: float, end: Callable[[], None]) -> None:
        """Be not ready at once, and call ``end`` after some ``seconds``, in the server's own thread."""
        self.node.drain()
        self._soon(self._later, seconds, end)

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        assert self._loop is not None
        self._loop.call_later(seconds, call)

    def end_streams(self) -> None:
        """End all streams soon, so that the server can stop. May be called from any thread and from a signal."""
        self.node.is_draining = True
        self._soon(self.hub.close)


def create_app(
    store: Place,
    seeds: Path,
    door: Door | None = None,
    counts: readiness.Counts | None = None,
    *,
    is_one_of_many: bool = False,
) -> WebTable:
    """The table of a store; ``seeds`` is the folder of its dice seeds if it is a file. Raises RollbookError.

    A store in a file says if it ``is_one_of_many`` processes that serve it at one address; on a server there may always be more.
    """
    links, identity, notes = _read_beside(store, seeds)
    return WebTable(
        store,
        seeds,
        Sessions(links, identity),
        door or Door(),
        notes,
        counts or readiness.Counts(),
        is_one_of_many=is_one_of_many or isinstance(store, ServerAddress),
    )


def _read_beside(store: Place, seeds: Path) -> tuple[SeatLinks, str, _Notes]:
    """The seat links of a store, its identity and its notes. Raises RollbookError if it cannot be opened."""
    with open_book(store, seeds, create=False) as book:
        book.seeds.check_usable()
        requests = book.seeds.notes("requests") or NoteFiles(store, seeds)
        macros = book.seeds.notes("macros") or NoteFiles(store, seeds, own_macros)
        return book.seeds.links(), book.store.identity(), (requests, book.page_settings, macros)
