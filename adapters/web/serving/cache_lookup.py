"""Answers that were made for somebody else who sees the same: found from a request, past routes and threads."""

from __future__ import annotations

import attrs
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Scope

from rollbook.adapters.web.live.questions import campaign_in, question_of, reads_compressed, seat_of
from rollbook.adapters.web.live.response_cache import CachedResponse, ResponseCache
from rollbook.adapters.web.live.seat_cache import SeatCache
from rollbook.adapters.web.seats.sessions import Sessions
from rollbook.adapters.web.serving.counts import Counts


@attrs.frozen
class CacheLookup:
    """For the server's own thread."""

    sessions: Sessions
    seat_cache: SeatCache
    cache: ResponseCache
    counts: Counts

    def found(self, scope: Scope) -> CachedResponse | None:
        """The answer that is kept for who asks, None if there is none. Nothing is counted yet."""
        campaign = campaign_in(scope["path"])
        if not campaign or not self.cache.are_kept(campaign):
            return None
        identity = self.sessions.identity(HTTPConnection(scope), campaign, self.seat_cache.known)
        if identity is None:
            return None
        question = question_of(scope, campaign, identity)
        return self.cache.kept(question) or self.cache.kept(question._replace(seat=seat_of(identity)))

    def given(self, scope: Scope, kept: CachedResponse) -> Response:
        """That answer as the request can take it. It counts as given."""
        self.counts.kept()
        return kept.to(compressed=reads_compressed(scope))
