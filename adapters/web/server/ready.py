"""Answers that were made for somebody else who sees the same: found from a request, past routes and threads."""

from __future__ import annotations

import attrs
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Scope

from rollbook.adapters.web.seats.seating import Seating
from rollbook.adapters.web.server.asking import campaign_in, question_of, reads_compressed, seat_of
from rollbook.adapters.web.server.counts import Counts
from rollbook.adapters.web.server.live import Answer, SharedAnswers
from rollbook.adapters.web.server.sitting import Sitting


@attrs.frozen
class ReadyAnswers:
    """For the server's own thread."""

    seating: Seating
    sitting: Sitting
    shared: SharedAnswers
    counts: Counts

    def found(self, scope: Scope) -> Answer | None:
        """The answer that is kept for who asks, None if there is none. Nothing is counted yet."""
        campaign = campaign_in(scope["path"])
        if not campaign or not self.shared.are_kept(campaign):
            return None
        asker = self.seating.asker(HTTPConnection(scope), campaign, self.sitting.known)
        if asker is None:
            return None
        question = question_of(scope, campaign, asker)
        return self.shared.kept(question) or self.shared.kept(question._replace(seat=seat_of(asker)))

    def given(self, scope: Scope, kept: Answer) -> Response:
        """That answer as the request can take it. It counts as given."""
        self.counts.kept()
        return kept.to(compressed=reads_compressed(scope))
