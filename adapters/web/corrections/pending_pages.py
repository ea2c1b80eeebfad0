"""The pages of what players ask the GM to correct: the list, the preview for the GM, and no."""

from __future__ import annotations

import asyncio

from starlette.responses import Response

from rollbook.adapters.web.corrections.pending import CorrectionRequest, PendingRequests
from rollbook.adapters.web.corrections.responses import answer_preview, gone
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.pages.responses import done, render

HANDLED = "That request is handled already."


def pending_in(context: RequestContext) -> PendingRequests:
    """The requests of the store."""
    return PendingRequests(context.services.request_notes)


def requests_for(context: RequestContext) -> tuple[CorrectionRequest, ...]:
    """What the requester may know to be waiting: the GM all of it, a player their own."""
    identity = context.seated
    return pending_in(context).of(context.request.campaign_id, None if identity.is_gm else identity.seat)


def list_requests(context: RequestContext) -> Response:
    """What waits."""
    return render(context, "corrections/requests.html", requests=requests_for(context))


async def look_at_request(context: RequestContext) -> Response:
    """The preview of what a player asks for."""
    found = await asyncio.to_thread(
        pending_in(context).find, context.request.campaign_id, context.request.path["request"]
    )
    if found is None:
        return gone(context, HANDLED)
    return await answer_preview(context, found.asked, request=found.id)


async def drop_request(context: RequestContext) -> Response:
    """The GM leaves it as it is, or the player does not want it any more."""
    await handled(context, context.request.path["request"])
    return done(context)


async def handled(context: RequestContext, id_: str) -> None:
    """Take a request from the list, and ring for those who see it there; nothing if it is not the requester's to take."""
    waiting, campaign, identity = pending_in(context), context.request.campaign_id, context.seated
    found = await asyncio.to_thread(waiting.find, campaign, id_, None if identity.is_gm else identity.seat)
    if found is None:
        return
    await asyncio.to_thread(waiting.drop, campaign, id_)
    for audience in (None, found.seat):
        context.services.hub.ring(campaign, audience)
