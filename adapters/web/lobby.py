"""The lobby: the campaigns of the store for the host; everybody else goes to their own table."""

from __future__ import annotations

from starlette.responses import Response

from adapters.web.pages import Page, Visit


def lobby(visit: Visit) -> Response:
    """All campaigns, or the one that the asker sits at."""
    if not visit.seated.is_host:
        return visit.redirect(f"/c/{visit.seated.campaign}")
    return visit.page("lobby.html", campaigns=visit.book.campaigns())


PAGES = (Page(path="/", handler=lobby),)
