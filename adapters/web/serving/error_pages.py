"""Error pages: refusals, faults, and requests that no guard let pass."""

import logging
from collections.abc import Callable
from urllib.parse import quote

import attrs
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Scope

from rollbook.adapters.web.api.problems import problem, problem_of
from rollbook.adapters.web.guards.asked import is_of_api
from rollbook.adapters.web.guards.limits import TOO_MUCH
from rollbook.adapters.web.live.response_cache import is_of_browser, stream_in
from rollbook.adapters.web.logs import note
from rollbook.adapters.web.pages import page
from rollbook.adapters.web.pages.requester_view import RequesterView
from rollbook.adapters.web.serving.readiness import Counts
from rollbook.application.visibility.editions.live import BeingRead
from rollbook.domain.base.errors import RollbookError

SENTENCES = {
    400: "What was sent cannot be read. Load the page again, and fill in its form.",
    404: "There is no such page at this table. Go back to the table.",
    405: "That cannot be asked of this page. Go back to the table.",
    408: "What was sent did not arrive in time. Send it again.",
    429: f"{TOO_MUCH.said} {TOO_MUCH.instead}",
    413: "That is more than can be sent here. Send something shorter, or a smaller file.",
}
"""Reason and advice for each status of a faulty request; 400 stands for all others."""
TRY_AGAIN = "Nothing was done. Try again in a moment."


@attrs.frozen
class ErrorPages:
    """Maker of error pages. ``services`` returns the current ones."""

    _services: Callable[[], page.Services]
    _counts: Counts

    def say(self, request: HTTPConnection, sentence: str, status: int, title: str) -> Response:
        """A page with a title and a sentence; for a program the same as a problem."""
        if is_of_api(request.scope):
            return problem(status, title, sentence)
        is_strangers = status == 401 or request.url.path.startswith("/join/")
        back = "" if is_strangers and not getattr(request.state, "identity", None) else _back(request.url.path)
        return page.render(
            self._context(request),
            "serving/error.html",
            status,
            title=title,
            sentence=sentence,
            back=back,
            is_recorded=status < 400,
        )

    def fault(self, request: HTTPConnection, fault: RollbookError) -> Response:
        """The page for an error that a request ended in."""
        if is_of_api(request.scope):
            return problem_of(fault)
        return self.say(request, str(fault), page.status_of_fault(fault), page.title_of_fault(fault))

    def being_read(self, request: Request, being: BeingRead) -> Response:
        """A page with the progress of reading the history, which reloads; for scripts and forms a sentence."""
        percent = min(99, being.done * 100 // max(1, being.total))
        if is_of_api(request.scope) or not is_of_browser(request):
            return self.say(request, f"The history is being read, {percent} % so far. {TRY_AGAIN}", 503, "Not yet")
        return page.render(self._context(request), "serving/being_read.html", 202, percent=percent)

    def _context(self, request: HTTPConnection) -> page.RequestContext:
        """The context of a request, perhaps a stranger's, to a campaign that is not opened."""
        services, identity = self._services(), getattr(request.state, "identity", None)
        sent = page.PageRequest(Request(request.scope))
        return page.RequestContext(
            sent, identity, RequesterView(sent.campaign_id, identity, services.sessions.who_sits), services
        )

    async def status(self, request: Request, error: Exception) -> Response:
        """The page for a status that the server itself raises, such as 404."""
        assert isinstance(error, HTTPException)
        title = "Not here" if error.status_code == 404 else "That did not work"
        answer = self.say(request, SENTENCES.get(error.status_code, SENTENCES[400]), error.status_code, title)
        answer.headers.update(error.headers or {})
        return answer

    def turned_away(self, scope: Scope, status: int, said: str, instead: str) -> Response:
        """The page for a request that no guard lets pass."""
        self._counts.turned_away(scope["path"], status)
        return self.say(Request(scope), f"{said} {instead}", status, "That did not work")

    async def broken(self, request: Request, error: Exception) -> Response:
        """The page for a fault of the program, which is logged."""
        on = f"{request.method} {request.url.path}"
        note(logging.ERROR, "fault", on, error, method=request.method, page=getattr(request.state, "route", ""))
        sentence = "Something in rollbook is at fault. Nothing of the history is lost. What it is stands on the server's screen."
        return self.say(request, sentence, 500, "That did not work")


def _back(path: str) -> str:
    """The link back from an error page: the table of its address, or all campaigns."""
    campaign = stream_in(path)
    return f"/c/{quote(campaign, errors='replace')}" if campaign and path != f"/c/{campaign}" else "/"
