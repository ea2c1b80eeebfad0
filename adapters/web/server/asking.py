"""A request as the server looks at it: what its answer depends on, what was sent with it, and how the answer goes out."""

from __future__ import annotations

from starlette.datastructures import FormData, Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

from rollbook.adapters.web.corrections.asked import OWN
from rollbook.adapters.web.pages import Page, Visit, Where
from rollbook.adapters.web.seats.askers import Asker
from rollbook.adapters.web.server.live import LEAST, Question, compressed
from rollbook.adapters.web.table.panels import WITH
from rollbook.application.aftermath import Act, RecordedBut, one_act
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.events import Role

CARRIES = f"{WITH}=".encode()
"""What stands in a query that asks for panels."""


def handled(visit: Visit) -> Response:
    """What the handler answers, in a desk's thread. Raises RecordedBut for what goes wrong once something was recorded."""
    with one_act() as act:
        return with_warnings(visit, _handled(visit), act)


async def handled_in_loop(visit: Visit) -> Response:
    """The same of a handler that runs in the server's own thread."""
    with one_act() as act:
        answered = visit.page_.handler(visit)
        assert not isinstance(answered, Response)
        return with_warnings(visit, await answered, act)


def with_warnings(visit: Visit, response: Response, act: Act) -> Response:
    """An answer that says what went wrong after the commit. A whole page shows that by itself.

    Raises RecordedBut in the place of an answer that leads elsewhere, and would not say it.
    """
    if not act.faults or response.status_code >= 400:
        return response
    if response.status_code >= 300:
        raise RecordedBut(" ".join(act.faults))
    if not visit.is_fragment:
        return response
    toast = visit.templates.render("shared/warned.html", visit=visit)
    return HTMLResponse(bytes(response.body) + toast.encode(), headers={"Cache-Control": "no-store"})


def _handled(visit: Visit) -> Response:
    """What the handler answers; what it raises is said as the asker may read it.

    A page that only reads is made of an edition, and so is what it raises: a hidden name is in it if the asker typed it.
    """
    if visit.page_.acts:
        visit.make_ready()
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
    """What the answer of a shared page depends on. One that carries panels is made for a seat, and not for its whole audience."""
    is_fragment = any(name == b"hx-request" for name, _ in scope["headers"])
    query: bytes = scope["query_string"]
    seat = seat_of(asker) if CARRIES in query else ""
    return Question(campaign, asker.audience, asker.role, scope["path"], query, is_fragment, seat)


def seat_of(asker: Asker) -> str:
    """Whose page it is: the host is nobody's seat."""
    return f"{asker.campaign}/{asker.seat}"


def reads_compressed(scope: Scope) -> bool:
    """Whether who asks can read compressed bytes."""
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])


async def form_of(page: Page, request: Request) -> FormData:
    """What was sent with a form."""
    return await request.form() if page.acts else FormData()


def packed(response: Response, headers: Headers) -> Response:
    """An answer in fewer bytes, if it is worth it and the reader can take it."""
    body = getattr(response, "body", b"")
    if len(body) < LEAST or "content-encoding" in response.headers or "gzip" not in headers.get("accept-encoding", ""):
        return response
    return compressed(response) if response.headers.get("content-type", "").startswith("text/") else response


def is_of_browser(request: Request) -> bool:
    """Whether a browser asks for a whole page, to show it: not a script of ours, and no form that was sent."""
    is_html = "text/html" in request.headers.get("accept", "")
    return request.method == "GET" and is_html and "hx-request" not in request.headers


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
