"""Browsers that have a seat, told from strangers by their cookie before anything of a request is counted."""

from __future__ import annotations

import attrs
from starlette.requests import HTTPConnection
from starlette.types import Scope

from rollbook.adapters.web.seats.seating import Seating
from rollbook.adapters.web.server.asking import campaign_in
from rollbook.adapters.web.server.sitting import Sitting
from rollbook.domain.base.errors import RollbookError


@attrs.frozen
class Browsers:
    """For the server's own thread."""

    seating: Seating
    sitting: Sitting

    def __call__(self, scope: Scope) -> str:
        """The cookie of a browser that has a seat at what it asks for, "" for a stranger."""
        try:
            return self.seating.browser(HTTPConnection(scope), campaign_in(scope["path"]), self.sitting.known)
        except RollbookError:  # the links cannot be read, and who is let in further is told
            return ""
