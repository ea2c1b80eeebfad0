"""To sit down: a link is confirmed with a button and becomes a cookie."""

from __future__ import annotations

from starlette.responses import Response

from adapters.web.askers import Seating
from adapters.web.pages import STRANGERS, Page, Visit, Where


def _seating(visit: Visit) -> Seating:
    seating: Seating = visit.request.app.state.seating
    return seating


async def ask(visit: Visit) -> Response:
    """The button. To look at the link takes no seat, so a chat's preview of it harms nothing."""
    return visit.page("join.html", token=visit.path["token"])


async def sit_down(visit: Visit) -> Response:
    """Take the seat."""
    response = visit.redirect("/")
    if _seating(visit).seat_at(visit.path["token"], response):
        return response
    return visit.page("error.html", 404, title="Not here", sentence="This link is not valid. Ask the GM for a new one.")


PAGES = (
    Page(path="/join/{token}", handler=ask, where=Where.LOOP, roles=STRANGERS),
    Page(path="/join/{token}", handler=sit_down, method="POST", where=Where.LOOP, roles=STRANGERS),
)
