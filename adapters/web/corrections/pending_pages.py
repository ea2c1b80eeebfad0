"""The pages of what players ask the GM to correct: the list, the preview for the GM, and no."""

from __future__ import annotations

import asyncio

from starlette.responses import Response

from rollbook.adapters.web.corrections.pending import CorrectionRequest, PendingRequests
from rollbook.adapters.web.corrections.responses import answer_preview, gone
from rollbook.adapters.web.live.hub import Hub
from rollbook.adapters.web.pages.request_context import Visit

HANDLED = "That request is handled already."


def waiting_in(visit: Visit) -> PendingRequests:
    """The requests of the store."""
    found: PendingRequests = visit.request.app.state.requests
    return found


def hub_of(visit: Visit) -> Hub:
    """What rings."""
    found: Hub = visit.request.app.state.hub
    return found


def requests_for(visit: Visit) -> tuple[CorrectionRequest, ...]:
    """What the requester may know to be waiting: the GM all of it, a player their own."""
    identity = visit.seated
    return waiting_in(visit).of(visit.campaign_id, None if identity.is_gm else identity.seat)


def list_requests(visit: Visit) -> Response:
    """What waits."""
    return visit.page("corrections/requests.html", requests=requests_for(visit))


async def look_at_request(visit: Visit) -> Response:
    """The preview of what a player asks for."""
    found = await asyncio.to_thread(waiting_in(visit).find, visit.campaign_id, visit.path["request"])
    if found is None:
        return gone(visit, HANDLED)
    return await answer_preview(visit, found.asked, request=found.id)


async def drop_request(visit: Visit) -> Response:
    """The GM leaves it as it is, or the player does not want it any more."""
    await handled(visit, visit.path["request"])
    return visit.done()


async def handled(visit: Visit, id_: str) -> None:
    """Take a request from the list, and ring for those who see it there; nothing if it is not the requester's to take."""
    waiting, campaign, identity = waiting_in(visit), visit.campaign_id, visit.seated
    found = await asyncio.to_thread(waiting.find, campaign, id_, None if identity.is_gm else identity.seat)
    if found is None:
        return
    await asyncio.to_thread(waiting.drop, campaign, id_)
    for audience in (None, found.seat):
        hub_of(visit).ring(campaign, audience)
