"""Runs the handler of a page, and sends a request on that another process has to answer."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rollbook.adapters.web.corrections.requests import OWN
from rollbook.adapters.web.pages.page import Page, Where
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.seats.identity import Identity
from rollbook.application.after_commit import Act, RecordedBut, one_act
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import Role


def handled(page: Page, context: RequestContext) -> Response:
    """What the handler answers, in a worker's thread. Raises RecordedBut for what goes wrong once something was recorded."""
    with one_act() as act:
        return with_warnings(context, _handled(page, context), act)


async def handled_in_loop(page: Page, context: RequestContext) -> Response:
    """The same of a handler that runs in the server's own thread."""
    with one_act() as act:
        answered = page.handler(context)
        assert not isinstance(answered, Response)
        return with_warnings(context, await answered, act)


def with_warnings(context: RequestContext, response: Response, act: Act) -> Response:
    """An answer that says what went wrong after the commit. A whole page shows that by itself.

    Raises RecordedBut in the place of an answer that leads elsewhere, and would not say it.
    """
    if not act.faults or response.status_code >= 400:
        return response
    if response.status_code >= 300:
        raise RecordedBut(" ".join(act.faults))
    if not context.request.is_fragment:
        return response
    toast = context.services.templates.render("serving/warned.html")
    return HTMLResponse(bytes(response.body) + toast.encode(), headers={"Cache-Control": "no-store"})


def _handled(page: Page, context: RequestContext) -> Response:
    """What the handler answers; what it raises is said as the requester may read it.

    A page that only reads is made of an edition, and so is what it raises: a hidden name is in it if the requester typed it.
    """
    view = context.view
    if page.acts and not page.at_once:
        view.prepare()
    try:
        response = page.handler(context)
    except RollbookError as fault:
        if context.identity is None or not view.is_open or not page.acts:
            raise
        raise view.said(fault) from fault
    assert isinstance(response, Response)
    return response


def is_shared(page: Page, identity: Identity) -> bool:
    """Whether an answer is kept for others: of a page for a whole audience, and of a spectator's for all who sit there."""
    is_of_table = page.where is Where.WORKER and not page.acts and "{campaign}" in page.path
    return page.shared or (is_of_table and identity.role is Role.SPECTATOR)


async def form_of(page: Page, request: Request) -> FormData:
    """What was sent with a form."""
    return await request.form() if page.acts else FormData()


TRIED, MOST_TRIED = "tried", 12
"""How often a request was sent on, as its address says it, and at most: browsers follow twenty times."""


def job_in(request: Request, form: FormData) -> str:
    """The id of the slow work that a request is about, "" if it is about none."""
    return str(request.path_params.get("job") or form.get(f"{OWN}preview") or "")


def sent_on(request: Request) -> Response | None:
    """The same request once more: the proxy may give it to the node that knows. None if that was tried often enough."""
    said = request.query_params.get(TRIED, "0")
    tried = int(said) if said.isdecimal() and len(said) < 3 else 0
    if tried >= MOST_TRIED:
        return None
    again = request.url.include_query_params(**{TRIED: tried + 1})
    to = f"{again.path}?{again.query}"
    return RedirectResponse(to, 307, headers={"Cache-Control": "no-store"})
