"""What a page is, what its handler is given, and the answers that handlers give."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from inspect import iscoroutinefunction
from typing import Any

import attrs
from markupsafe import Markup
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rollbook.adapters.web.guards.limits import XCards
from rollbook.adapters.web.live.bells import Hub
from rollbook.adapters.web.pages.requester_view import RequesterView
from rollbook.adapters.web.pages.templating import Templates
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.seats.signing_in import Sessions
from rollbook.adapters.web.workers.jobs import Jobs
from rollbook.application.after_commit import RecordedBut
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
    (errors.RulesetMissing, 503, "The game is not installed"),
    (errors.RulesetBroken, 503, "The game cannot be played"),
    (errors.OutcomeUnknown, 503, "The store failed"),
    (errors.StoreAway, 503, "The store cannot be used"),
    (errors.Refused, 422, "That cannot be done"),
)


def status_of_fault(fault: RollbookError) -> int:
    """The status of an answer that says this."""
    return next((status for kind, status, _ in STATUSES if isinstance(fault, kind)), 422)


def title_of_fault(fault: RollbookError) -> str:
    """A few words above its sentence."""
    return next((title for kind, _, title in STATUSES if isinstance(fault, kind)), "That did not work")


@attrs.frozen(eq=False)
class PageRequest:
    """What was sent. ``form`` is empty for a page that is only read."""

    http: Request
    form: FormData = attrs.field(factory=FormData)

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
        """The campaign that it is about, "" if it is about none."""
        return str(self.path.get("campaign", ""))

    @property
    def here(self) -> str:
        """The table that it is about."""
        return f"/c/{self.campaign_id}"

    def sent(self, name: str, usual: str = "") -> str:
        """A field of the form as text; what is ``usual`` if there is none."""
        return str(self.form.get(name, usual))

    @property
    def is_fragment(self) -> bool:
        """Whether htmx asks, so that a part of the page is wanted and not the whole."""
        return "hx-request" in self.http.headers

    def at(self, path: str, query: str, parameters: Mapping[str, str]) -> PageRequest:
        """The same reader's request for another address."""
        asked = {"path": path, "query_string": query.encode(), "path_params": dict(parameters)}
        return PageRequest(Request({**self.http.scope, **asked}))


FreshPanel = tuple[str, Markup]
"""A panel as it is now, which takes the place of the element of this id."""


@attrs.frozen(kw_only=True, eq=False)
class Services:
    """What the server has for all requests, made once with it.

    ``settings`` are the GM's of pages, ``request_notes`` hold what players ask the GM to
    correct, and ``panels`` gives those that a request asks for besides its page.
    """

    templates: Templates
    jobs: Jobs
    hub: Hub
    sessions: Sessions
    x_cards: XCards
    settings: PageSettings
    request_notes: TableNotes
    panels: Callable[[RequestContext], Sequence[FreshPanel]]


@attrs.frozen(eq=False)
class RequestContext:
    """One request. ``identity`` is None for a stranger."""

    request: PageRequest
    identity: Identity | None
    view: RequesterView
    services: Services

    @property
    def seated(self) -> Identity:
        """Who asks, on a page that strangers do not get to."""
        assert self.identity is not None
        return self.identity


EVERYBODY = frozenset(Role)
SEATED = frozenset({Role.GM, Role.PLAYER})
GM_ONLY = frozenset({Role.GM})
STRANGERS: frozenset[Role] = frozenset()
"""For pages that need no seat: to join, files."""


Handler = Callable[[RequestContext], Response] | Callable[[RequestContext], Awaitable[Response]]


@attrs.frozen(kw_only=True)
class Page(Record):
    """A route: who may ask for it, and what answers. ``{campaign}`` in the ``path`` is the campaign that it is about.

    ``roles`` is empty for what strangers may see. A ``shared`` page is made of the audience, the path and the query alone: its
    answer is kept and given to everybody of that audience until something changes for them. ``is_host_only`` is for what
    concerns the whole store. A page that ``acts`` may record something, so bells are rung after it; one that does so ``at_once``
    waits for nothing that has to be read. One that ``is_slow`` is made in a thread where nobody waits to act. ``panel`` is the id
    of the panel that it fills beside the log, "" if it is none: such a page reads in its campaign's thread.
    """

    path: str
    handler: Handler
    method: str = "GET"
    roles: frozenset[Role] = EVERYBODY
    is_slow: bool = False
    shared: bool = False
    is_host_only: bool = False
    at_once: bool = False
    panel: str = ""

    @property
    def acts(self) -> bool:
        return self.method != "GET"

    @property
    def is_in_loop(self) -> bool:
        """Whether the handler runs in the server's own thread and not in one with a book: it is ``async``."""
        return iscoroutinefunction(self.handler)


NOT_KEPT = {"Cache-Control": "no-store"}


def render(context: RequestContext, template: str, code: int = 200, /, **values: object) -> Response:
    """A template with these values.

    It also has ``request``, ``view``, ``identity`` (None for a stranger), and ``spoilt``, what is wrong with the history.
    """
    known = {"request": context.request, "view": context.view, "identity": context.identity}
    html = context.services.templates.render(template, **known, spoilt=context.view.damage, **values)
    return HTMLResponse(html, code, headers=NOT_KEPT)


def redirect(to: str) -> Response:
    """Go on there, with GET."""
    return RedirectResponse(to, 303, headers=NOT_KEPT)


def done(context: RequestContext, card: str = "") -> Response:
    """After something was recorded: htmx gets nothing, as the bell brings what is new; a form goes back to the table."""
    if context.request.is_fragment:
        return Response(status_code=200, headers=NOT_KEPT)
    return redirect(f"{context.request.here}{'#' if card else ''}{card}")


def render_form(context: RequestContext, template: str, fault: RollbookError | None, /, **values: object) -> Response:
    """A template of a form of the GM or the host, with what is at ``fault`` beside what was typed (``request.form``)."""
    code = 200 if fault is None else status_of_fault(fault)
    return render(context, template, code, fault="" if fault is None else str(fault), **values)
