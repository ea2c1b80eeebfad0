"""To sit down: a link is confirmed with a button and becomes a cookie. And to get up again."""

from __future__ import annotations

from starlette.responses import Response

from rollbook.adapters.web.pages.page import STRANGERS, Page, Where
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.pages.responses import redirect, render


async def ask(context: RequestContext) -> Response:
    """The button. To look at the link takes no seat, so a chat's preview of it harms nothing."""
    link = context.services.sessions.look_at(context.request.path["token"])
    return render(context, "lobby/join.html", token=context.request.path["token"], link=link)


async def sit_down(context: RequestContext) -> Response:
    """Take the seat."""
    response = redirect("/")
    link = context.services.sessions.sit_down(context.request.http, context.request.path["token"], response)
    response.headers["Location"] = f"/c/{link.campaign}" if link.campaign else "/"
    return response


async def get_up(context: RequestContext) -> Response:
    """Give up all seats in this browser."""
    response = render(context, "lobby/left.html")
    context.services.sessions.leave(context.request.http, response)
    return response


PAGES = (
    Page(path="/join/{token}", handler=ask, where=Where.LOOP, roles=STRANGERS),
    Page(path="/join/{token}", handler=sit_down, method="POST", where=Where.LOOP, roles=STRANGERS),
    Page(path="/leave", handler=get_up, method="POST", where=Where.LOOP, roles=STRANGERS),
)
