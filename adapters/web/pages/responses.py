"""The answers that handlers give: a template, another address, a refusal beside what was typed."""

from __future__ import annotations

from starlette.responses import HTMLResponse, RedirectResponse, Response

from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.domain.base.errors import RollbookError

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


def done(context: RequestContext, to: str = "") -> Response:
    """After something was recorded: htmx gets nothing, as the bell brings what is new; a form goes back to the table."""
    if context.request.is_fragment and not to:
        return Response(status_code=200, headers=NOT_KEPT)
    return redirect(to or f"/c/{context.request.campaign_id}")


def refused(context: RequestContext, fault: RollbookError, template: str, /, **values: object) -> Response:
    """A template with ``fault``, the sentence of a refusal, beside what was typed (``request.form``)."""
    said = context.view.said(fault) if context.identity and context.request.campaign_id else fault
    return render(context, template, status_of_fault(fault), fault=str(said), **values)
