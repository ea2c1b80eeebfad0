"""Browsers that have a seat, told from strangers by their cookie before anything of a request is counted."""

from __future__ import annotations

import attrs
from starlette.requests import HTTPConnection
from starlette.types import Scope

from rollbook.adapters.web.live.questions import campaign_in
from rollbook.adapters.web.live.seat_cache import SeatCache
from rollbook.adapters.web.seats.sessions import Sessions
from rollbook.domain.base.errors import RollbookError


@attrs.frozen
class Browsers:
    """For the server's own thread."""

    sessions: Sessions
    seat_cache: SeatCache

    def __call__(self, scope: Scope) -> str:
        """The cookie of a browser that has a seat at what it asks for, "" for a stranger."""
        try:
            return self.sessions.browser(HTTPConnection(scope), campaign_in(scope["path"]), self.seat_cache.known)
        except RollbookError:  # the links cannot be read, and who is let in further is told
            return ""
