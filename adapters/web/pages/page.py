"""Pages, the context that their handlers get, and the answers that handlers give."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import iscoroutinefunction
from typing import Any

import attrs
from markupsafe import Markup
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rollbook.adapters.web.guards.limits import Limits, XCards
from rollbook.adapters.web.live.bells import Hub
from rollbook.adapters.web.pages.requester_view import RequesterView
from rollbook.adapters.web.pages.templating import Templates, with_people
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.seats.signing_in import Sessions
from rollbook.adapters.web.workers.jobs import Jobs
from rollbook.application.after_commit import RecordedBut
from rollbook.application.ports.rules_in_force import RulesNotInForce
from rollbook.application.ports.seat_tokens import Scope
from rollbook.application.ports.seed_store import TableNotes
from rollbook.application.ports.surroundings import PageSettings
from rollbook.domain.base import errors
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role

STATUSES: tuple[tuple[type[RollbookError], int, str], ...] = (
    (RecordedBut, 200, "Recorded"),
    (errors.NotFound, 404, "Not here"),
    (errors.StaleHistory, 409, "Somebody was faster"),
    (errors.HistoryDamaged, 503, "This history is damaged"),
    (RulesNotInForce, 503, "Only shown here for the moment"),
    (errors.RulesetMissing, 503, "The game is not installed"),
    (errors.RulesetBroken, 503, "The game cannot be played"),
    (errors.OutcomeUnknown, 503, "The store failed"),
    (errors.StoreAway, 503, "The store cannot be used"),
    (errors.Refused, 422, "That cannot be done"),
)


def status_of_fault(fault: RollbookError) -> int:
    """The HTTP status for an error."""
    return next((status for kind, status, _ in STATUSES if isinstance(fault, kind)), 422)


def title_of_fault(fault: RollbookError) -> str:
    """The title above an error's sentence."""
    return next((title for kind, _, title in STATUSES if isinstance(fault, kind)), "That did not work")


@attrs.frozen(eq=False)
class PageRequest:
    """A request for a page. ``form`` is empty for a page that is only read, ``body`` is what a program sent as JSON."""

    http: Request
    form: FormData = attrs.field(factory=FormData)
    body: bytes = b""

    @property
    def path(self) -> Mapping[str, Any]:
        """The parameters of the path."""
        return self.http.path_params

    @property
    def query(self) -> QueryParams:
        """The parameters after the ``?``."""
        return self.http.query_params

    @property
    def campaign_id(self) -> str:
        """The campaign of the request, "" if it has none."""
        return str(self.path.get("campaign", ""))

    @property
    def here(self) -> str:
        """The address of the request's table."""
        return f"/c/{self.campaign_id}"

    def sent(self, name: str, usual: str = "") -> str:
        """A field of the form as text; ``usual`` if there is none."""
        return str(self.form.get(name, usual))

    @property
    def is_fragment(self) -> bool:
        """True if htmx asks, which wants a part of the page and not the whole."""
        return "hx-request" in self.http.headers

    def at(self, path: str, query: str, parameters: Mapping[str, str]) -> PageRequest:
        """The same reader's request for another address."""
        asked = {"path": path, "query_string": query.encode(), "path_params": dict(parameters)}
        return PageRequest(Request({**self.http.scope, **asked}))


FreshPanel = tuple[str, Markup]
"""The id of an element, and the current panel that replaces it."""


@attrs.frozen(kw_only=True, eq=False)
class Services:
    """Services of the server for all requests, made once.

    ``settings`` are the GM's for pages, ``request_notes`` hold the players' requests for corrections,
    ``macro_notes`` the lines that seats keep, and ``panels``
    makes those that a request asks for besides its page.
    """

    templates: Templates
    jobs: Jobs
    hub: Hub
    sessions: Sessions
    x_cards: XCards
    limits: Limits
    settings: PageSettings
    request_notes: TableNotes
    macro_notes: TableNotes
    panels: Callable[[RequestContext], Sequence[FreshPanel]]


@attrs.frozen(eq=False)
class RequestContext:
    """One request with its services. ``identity`` is None for a stranger."""

    request: PageRequest
    identity: Identity | None
    view: RequesterView
    services: Services

    def at(self, path: str, query: str, parameters: Mapping[str, str]) -> RequestContext:
        """The same reader's request for another address."""
        return RequestContext(self.request.at(path, query, parameters), self.identity, self.view, self.services)

    @property
    def seated(self) -> Identity:
        """The identity of the requester, on a page that is closed to strangers."""
        assert self.identity is not None
        return self.identity


EVERYBODY = frozenset(Role)
SEATED = frozenset({Role.GM, Role.PLAYER})
GM_ONLY = frozenset({Role.GM})
STRANGERS: frozenset[Role] = frozenset()
"""The roles of pages that need no seat, such as joining and files."""


Handler = Callable[[RequestContext], Response] | Callable[[RequestContext], Awaitable[Response]]


@attrs.frozen(kw_only=True)
class Page(Record):
    """A route: its roles and its handler. ``{campaign}`` in the ``path`` is the campaign that it is about.

    ``roles`` is empty if strangers may see it. A ``shared`` page depends on the audience, the path and the query alone:
    its answer is cached for all readers of that audience until something changes for them. ``is_host_only`` is for
    pages about the whole store, ``is_hosts_page`` for those of them that show nothing of what happens at a table. A
    page that ``acts`` may record entries, so bells are rung after it; one that does so ``at_once`` waits for no edition
    to be read. One that ``is_slow`` runs in a thread in which no action waits. ``panel`` is the id of the panel that it
    fills beside the log, "" if it fills none: such a page reads in its campaign's thread. ``scope`` is what a program's token
    must allow; without one no program may ask for it.
    """

    path: str
    handler: Handler
    method: str = "GET"
    roles: frozenset[Role] = EVERYBODY
    is_slow: bool = False
    shared: bool = False
    is_host_only: bool = False
    is_hosts_page: bool = False
    at_once: bool = False
    panel: str = ""
    scope: Scope | None = None

    @property
    def acts(self) -> bool:
        return self.method != "GET"

    @property
    def is_in_loop(self) -> bool:
        """True if the handler is ``async``: it runs in the server's own thread and not in one with a book."""
        return iscoroutinefunction(self.handler)


NOT_KEPT = {"Cache-Control": "no-store"}


def render(context: RequestContext, template: str, code: int = 200, /, **values: object) -> Response:
    """Render a template with these values.

    It also gets ``request``, ``view``, ``identity`` (None for a stranger), and ``person`` (what people call who sits in a seat).
    """
    known = {
        "request": context.request,
        "view": context.view,
        "identity": context.identity,
        "person": context.view.person,
    }
    html = context.services.templates.render(template, **known, **values)
    return HTMLResponse(with_people(html, context.view.person), code, headers=NOT_KEPT)


def redirect(to: str) -> Response:
    """Redirect to an address, with GET."""
    return RedirectResponse(to, 303, headers=NOT_KEPT)


def done(context: RequestContext, card: str = "") -> Response:
    """Answer after recording: empty for htmx, as the bell brings the news; other forms redirect to the table."""
    if context.request.is_fragment:
        return Response(status_code=200, headers=NOT_KEPT)
    return redirect(f"{context.request.here}{'#' if card else ''}{card}")


def render_form(context: RequestContext, template: str, fault: RollbookError | None, /, **values: object) -> Response:
    """Render a form of the GM or the host, with its ``fault`` beside the typed values (``request.form``)."""
    code = 200 if fault is None else status_of_fault(fault)
    return render(context, template, code, fault="" if fault is None else str(fault), **values)
