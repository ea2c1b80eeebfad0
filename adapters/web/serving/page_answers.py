"""Answers to requests for pages: identity, permission, thread, and cached answers."""

import math
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter

import attrs
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

from rollbook.adapters.web.corrections.requests import OWN
from rollbook.adapters.web.live.live_updates import Ask, LiveUpdates
from rollbook.adapters.web.live.response_cache import packed, question_of, reads_compressed, seat_of
from rollbook.adapters.web.live.seat_cache import SeatCache
from rollbook.adapters.web.pages.page import NOT_KEPT, Page, PageRequest, RequestContext, Services
from rollbook.adapters.web.pages.requester_view import RequesterView, SeatLost
from rollbook.adapters.web.seats.requester import Identity, Seated
from rollbook.adapters.web.serving.error_pages import ErrorPages
from rollbook.adapters.web.serving.readiness import Counts
from rollbook.adapters.web.workers.campaign_workers import CampaignWorkers, WarmCampaign
from rollbook.application.after_commit import Act, RecordedBut, one_act
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.application.ports.deadline import end_command
from rollbook.application.visibility.editions.live import BeingRead
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.progress import telling
from rollbook.domain.events import Role


def handled(page: Page, context: RequestContext) -> Response:
    """Return the handler's answer, in a worker's thread. Raises RecordedBut for faults after entries were recorded.

    Errors of the handler are raised as the requester may read them. A page that only reads is made of an edition, and
    so are its errors: they have a hidden name only if the requester typed it.
    """
    view = context.view
    with one_act() as act:
        if page.acts and not page.at_once:
            view.prepare()
        try:
            response = page.handler(context)
        except RollbookError as fault:
            if context.identity is None or not view.is_open or not page.acts:
                raise
            raise view.said(fault) from fault
        assert isinstance(response, Response)
        return with_warnings(context, response, act)


async def handled_in_loop(page: Page, context: RequestContext) -> Response:
    """The answer of a handler that runs in the server's own thread."""
    with one_act() as act:
        answered = page.handler(context)
        assert not isinstance(answered, Response)
        return with_warnings(context, await answered, act)


def with_warnings(context: RequestContext, response: Response, act: Act) -> Response:
    """An answer with the faults after the commit. A whole page shows them by itself.

    Raises RecordedBut in place of a redirect, which would not show them.
    """
    if not act.faults or response.status_code >= 400:
        return response
    if response.status_code >= 300:
        raise RecordedBut(" ".join(act.faults))
    if not context.request.is_fragment:
        return response
    toast = context.services.templates.render("serving/warned.html")
    return HTMLResponse(bytes(response.body) + toast.encode(), headers={"Cache-Control": "no-store"})


def _is_hosts(page: Page, identity: Identity) -> bool:
    """True unless a page is the host's, and the identity is not."""
    if page.is_hosts_page:
        return identity.keeps_tables
    return identity.is_host or not page.is_host_only


def is_shared(page: Page, identity: Identity) -> bool:
    """True if an answer is cached for others: a page for a whole audience, or a spectator's for all with that seat."""
    is_of_table = not (page.acts or page.is_slow or page.is_in_loop) and "{campaign}" in page.path
    return page.shared or (is_of_table and identity.role is Role.SPECTATOR)


READ_ON = "read-on"
"""The header with the query by which the reader's page would read on: an answer to an act then has what is new, too."""


def is_read_on(page: Page, request: PageRequest, response: Response) -> bool:
    """True if the answer to an act gets what is new as well."""
    is_act = page.acts and not page.is_slow and page.scope is None and request.is_fragment
    return is_act and READ_ON in request.http.headers and response.status_code == 200


TRIED, MOST_TRIED = "tried", 12
"""The parameter that counts how often a request was sent on, and its limit: browsers follow twenty redirects."""


def tried_so_often(said: str) -> int:
    """The number of times that a request was sent on, by its parameter; 0 for what is no such number."""
    return int(said) if said.isdecimal() and len(said) < 3 else 0


def sent_on(request: Request) -> Response | None:
    """Redirect to the same request: it may come to the process that has the job. None after ``MOST_TRIED``."""
    tried = tried_so_often(request.query_params.get(TRIED, ""))
    if tried >= MOST_TRIED:
        return None
    again = request.url.include_query_params(**{TRIED: tried + 1})
    to = f"{again.path}?{again.query}"
    return RedirectResponse(to, 307, headers={"Cache-Control": "no-store", "Connection": "close"})


@attrs.frozen(kw_only=True, eq=False)
class PageAnswers:
    """Endpoints of pages, which run in the server's own thread.

    ``services`` returns the current ones, and ``news`` is the page of what is new at a table.
    """

    services: Callable[[], Services]
    seat_cache: SeatCache
    slow_workers: CampaignWorkers
    live_updates: LiveUpdates
    error_pages: ErrorPages
    counts: Counts
    news: Page
    is_one_of_many: bool

    def endpoint(self, page: Page) -> Callable[[Request], object]:
        """The function that answers requests for a page."""

        async def answer(request: Request) -> Response:
            began, status = perf_counter(), 500
            request.state.route = page.path
            try:
                response = await self._seated_response(page, request)
                status = response.status_code
            finally:
                end_command()
                self.counts.answered(page, status, perf_counter() - began)
            return response

        return answer

    async def _seated_response(self, page: Page, request: Request) -> Response:
        """The answer to the seat that the requester has in the newest entries: another program may just have taken one."""
        try:
            return await self._response(page, request)
        except SeatLost:
            await self.seat_cache.look_again(campaign_of(request.path_params["campaign"]))
        try:
            return await self._response(page, request)
        except SeatLost:
            return self._without_seat(request)

    async def _response(self, page: Page, request: Request) -> Response:
        try:
            identity = await self._identity(page, request)
            refusal = self._refusal(page, identity, request)
            if refusal is not None:
                return refusal
            if identity is not None and is_shared(page, identity):
                return await self._answer_shared(page, request, identity)
            form = await request.form() if page.acts else FormData()
            body = await request.body() if page.acts and page.scope else b""
            job = str(request.path_params.get("job") or form.get(f"{OWN}preview") or "")
            is_elsewhere = self.is_one_of_many and self.services().jobs.is_elsewhere(job)
            if is_elsewhere and (again := sent_on(request)):
                return again
            response = await self._answer(page, PageRequest(request, form, body), identity)
        except BeingRead as being:
            return self.error_pages.being_read(request, being)
        except RollbookError as fault:
            return self.error_pages.fault(request, fault)
        return packed(response, request.headers)

    async def _identity(self, page: Page, request: Request) -> Identity | None:
        """The identity of a request, None if the page needs none. Unknown seats are read by the campaign's worker.

        Before somebody with a good link is refused, the seats are read again: another program may just have given one.
        """
        if not page.roles:
            return None
        campaign, sessions = request.path_params.get("campaign", ""), self.services().sessions
        leading = sessions.leading(request, campaign)
        for led_to in leading:
            await self.seat_cache.look(led_to, asked_for=campaign_of(campaign))
        identity = sessions.identity(request, campaign)
        if identity is None and campaign_of(campaign) in leading:
            await self.seat_cache.look_again(campaign_of(campaign))
            identity = sessions.identity(request, campaign)
        request.state.identity = identity
        if campaign and identity is not None and identity.is_host:  # pages name the campaign in their heading
            await self.seat_cache.look(campaign_of(campaign), asked_for=campaign_of(campaign))
        return identity

    def _refusal(self, page: Page, identity: Identity | None, request: Request) -> Response | None:
        if not page.roles:
            return None
        if identity is None:
            return self._without_seat(request)
        if identity.role not in page.roles or not _is_hosts(page, identity):
            sentence = "Your seat may not do that. Ask the GM."
            return self.error_pages.say(request, sentence, 403, "Not from your seat")
        if identity.scopes is not None and page.scope not in identity.scopes:
            sentence = f"This token may not do that: it has not the scope {page.scope}. Make one that has."
            return self.error_pages.say(request, sentence, 403, "Not by this token")
        return None

    def _without_seat(self, request: Request) -> Response:
        sentence = self.services().sessions.why_not(request, request.path_params.get("campaign", ""))
        return self.error_pages.say(request, sentence, 401, "No seat yet")

    def _context(
        self, page: Page, sent: PageRequest, identity: Identity | None, table: WarmCampaign | None = None
    ) -> RequestContext:
        """The context for a page's handler. ``table`` is the campaign if it is open already."""
        services, campaign = self.services(), sent.campaign_id
        worker = (self.slow_workers if page.is_slow else self.live_updates.workers).of(campaign)
        view = RequesterView(campaign, identity, services.sessions.who_sits, worker, table=table, whole=page.acts)
        return RequestContext(sent, identity, view, services)

    async def _answer(self, page: Page, sent: PageRequest, identity: Identity | None) -> Response:
        context = self._context(page, sent, identity)
        if page.is_in_loop:
            return await handled_in_loop(page, context)
        campaign, looks = context.request.campaign_id, math.inf  # what is cut short may still be done, after any look
        seated: Seated | None = None
        is_known = False

        def handle() -> Response:
            nonlocal looks, seated, is_known
            try:
                return self._handled(page, context)
            finally:
                looks = self.live_updates.looks(campaign)
                if page.acts:
                    is_known = context.view.has_followed and not page.is_slow
                    with suppress(RollbookError, sqlite3.Error, OSError):  # what cannot be read now is read again below
                        seated = context.view.seated

        try:
            if page.is_slow:
                return await self._answer_slowly(context, handle)
            return await self.live_updates.builder.ready(sent.http, context.view.worker, handle)
        finally:
            if page.acts and campaign:
                if seated is not None:
                    self.seat_cache.note(campaign, seated)
                else:
                    await self.seat_cache.look_again(campaign_of(campaign))
                self.live_updates.begin_after(campaign, looks, is_known=is_known)

    def _handled(self, page: Page, context: RequestContext) -> Response:
        """The handler's answer, in a thread with a book. Counts how often other entries came first."""
        try:
            response = handled(page, context)
            return self._with_news(context, response) if is_read_on(page, context.request, response) else response
        finally:
            if context.view.is_open:
                self.counts.conflicts(page, context.view.campaign.session.take_overtaken())

    def _with_news(self, context: RequestContext, response: Response) -> Response:
        """A fragment together with what is new, as the reader's page would ask for it after the next bell."""
        request = context.request
        try:
            context.view.check_seat()
            asked = request.http.headers[READ_ON]
            news = self.news.handler(context.at(f"{request.here}/live", asked, request.path))
        except (RollbookError, BeingRead, SeatLost):  # what was done is done: the bell brings the rest
            return response
        assert isinstance(news, Response)
        self.live_updates.has_read_on(request.campaign_id, context.seated)  # before the next look in this thread
        return HTMLResponse(bytes(response.body) + bytes(news.body), headers=NOT_KEPT)

    async def _answer_slowly(self, context: RequestContext, handle: Callable[[], Response]) -> Response:
        """Answer in a thread in which no action waits. The next request goes on with the editions made there."""
        end_command()

        def handle_and_tell() -> Response:
            with telling(self.live_updates.builder.while_serving):
                return handle()

        return await self.live_updates.builder.ready(context.request.http, context.view.worker, handle_and_tell)

    async def _answer_shared(self, page: Page, request: Request, identity: Identity) -> Response:
        campaign = request.path_params.get("campaign", "")
        worker = self.live_updates.workers.of(campaign)
        question = question_of(request.scope, campaign, identity)
        if not page.shared:
            question = question._replace(seat=seat_of(identity))

        async def make() -> tuple[str, Response]:
            context = self._context(page, PageRequest(request), identity)

            def handle() -> tuple[str, Response]:
                response = handled(page, context)
                return context.view.cursor, response

            try:
                return await self.live_updates.builder.ready(request, worker, handle)
            except BeingRead as being:
                return "", self.error_pages.being_read(request, being)
            except RollbookError as fault:
                return "", self.error_pages.fault(request, fault)

        def ahead(scope: Scope, table: WarmCampaign) -> Response:
            return handled(page, self._context(page, PageRequest(Request(scope)), identity, table))

        self.live_updates.note(campaign, Ask(identity, request.scope, ahead))
        return (await self.live_updates.cache.answer(question, make)).to(compressed=reads_compressed(request.scope))
