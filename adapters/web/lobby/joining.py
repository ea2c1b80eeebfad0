"""To sit down: a link is confirmed with a button and becomes a cookie. And to get up again."""

from __future__ import annotations

from starlette.responses import Response

from rollbook.adapters.web.pages.page import STRANGERS, Page, Where
from rollbook.adapters.web.pages.request_context import Visit
from rollbook.adapters.web.seats.sessions import Sessions


def _sessions(visit: Visit) -> Sessions:
    sessions: Sessions = visit.request.app.state.sessions
    return sessions


async def ask(visit: Visit) -> Response:
    """The button. To look at the link takes no seat, so a chat's preview of it harms nothing."""
    link = _sessions(visit).look_at(visit.path["token"])
    return visit.page("lobby/join.html", token=visit.path["token"], link=link)


async def sit_down(visit: Visit) -> Response:
    """Take the seat."""
    response = visit.redirect("/")
    link = _sessions(visit).sit_down(visit.request, visit.path["token"], response)
    response.headers["Location"] = f"/c/{link.campaign}" if link.campaign else "/"
    return response


async def get_up(visit: Visit) -> Response:
    """Give up all seats in this browser."""
    response = visit.page("lobby/left.html")
    _sessions(visit).leave(visit.request, response)
    return response


PAGES = (
    Page(path="/join/{token}", handler=ask, where=Where.LOOP, roles=STRANGERS),
    Page(path="/join/{token}", handler=sit_down, method="POST", where=Where.LOOP, roles=STRANGERS),
    Page(path="/leave", handler=get_up, method="POST", where=Where.LOOP, roles=STRANGERS),
)
