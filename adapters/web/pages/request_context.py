"""What a handler is given: what was sent, who sent it, the campaign as they see it, and the services of the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs
from markupsafe import Markup

from rollbook.adapters.web.guards.limits import XCards
from rollbook.adapters.web.live.hub import Hub
from rollbook.adapters.web.pages.page_request import PageRequest
from rollbook.adapters.web.pages.requester_view import RequesterView
from rollbook.adapters.web.pages.templating import Templates
from rollbook.adapters.web.seats.identity import Identity, WhoSits
from rollbook.adapters.web.seats.sessions import Sessions
from rollbook.adapters.web.workers.jobs import Jobs
from rollbook.application.ports.seed_store import TableNotes
from rollbook.application.ports.surroundings import PageSettings
from rollbook.domain.base.records import Record


@attrs.frozen
class FreshPanel(Record):
    """A panel as it is now, which takes the place of the element of this ``id``."""

    id: str
    html: Markup


@attrs.frozen(kw_only=True, eq=False)
class Services:
    """What the server has for all requests, made once with it.

    ``who_sits`` is what is known of seats, ``settings`` are the GM's of pages, ``request_notes`` hold what players ask the GM to
    correct, and ``panels`` gives those that a request asks for besides its page.
    """

    templates: Templates
    jobs: Jobs
    hub: Hub
    sessions: Sessions
    who_sits: WhoSits
    x_cards: XCards
    settings: PageSettings
    request_notes: TableNotes
    panels: Callable[[RequestContext], Sequence[FreshPanel]]


@attrs.frozen(eq=False)
class RequestContext:
    """One request. ``identity`` is None for a stranger."""

    request: PageRequest
    identity: Identity | None
    view: RequesterView
    services: Services

    @property
    def seated(self) -> Identity:
        """Who asks, on a page that strangers do not get to."""
        assert self.identity is not None
        return self.identity
