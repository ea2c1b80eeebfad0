"""Ends the streams of readers who have lost their seats, at whichever node or in whichever program that was done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request

from rollbook.adapters.web.seats.askers import Asker
from rollbook.adapters.web.seats.seating import Seating
from rollbook.adapters.web.server.hub import Hub
from rollbook.adapters.web.server.sitting import Sitting
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId

WAIT = 1.0
"""Seconds before the links are asked for again that could not be read."""


class Welcome:
    """All of it lives in the server's own thread."""

    def __init__(self, seating: Seating, sitting: Sitting, hub: Hub) -> None:
        self._seating = seating
        self._sitting = sitting
        self._hub = hub
        self._asking: set[asyncio.Task[None]] = set()

    def of(self, asker: Asker, request: Request, campaign: CampaignId) -> Callable[[], bool]:
        """What says whether a browser still sits at a campaign as it did when it asked."""

        def is_welcome() -> bool:
            try:
                return self._seating.asker(request, campaign, self._sitting.known) == asker
            except RollbookError:
                return False

        return is_welcome

    def ask_again_soon(self, campaign: CampaignId) -> None:
        """Somebody may have lost a seat of a campaign, or of any (""): each of its streams asks whether its reader is welcome."""
        asking = asyncio.ensure_future(self._ask_again(campaign))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)

    async def _ask_again(self, campaign: CampaignId) -> None:
        while not self._hub.is_closing:
            try:
                await self._seating.look_again(campaign)
                break
            except RollbookError:  # until it is known, those who sat there keep their seats
                await asyncio.sleep(WAIT)
        self._hub.ask(campaign)
