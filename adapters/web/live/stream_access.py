"""Ends the streams of readers who have lost their seats, at whichever node or in whichever program that was done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request

from rollbook.adapters.web.live.hub import Hub
from rollbook.adapters.web.live.seat_cache import SeatCache
from rollbook.adapters.web.seats.identity import Identity
from rollbook.adapters.web.seats.sessions import Sessions
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId

WAIT = 1.0
"""Seconds before the links are asked for again that could not be read."""


class StreamAccess:
    """All of it lives in the server's own thread."""

    def __init__(self, sessions: Sessions, seat_cache: SeatCache, hub: Hub) -> None:
        self._sessions = sessions
        self._seat_cache = seat_cache
        self._hub = hub
        self._asking: set[asyncio.Task[None]] = set()

    def of(self, identity: Identity, request: Request, campaign: CampaignId) -> Callable[[], bool]:
        """What says whether a browser still sits at a campaign as it did when it asked."""

        def is_welcome() -> bool:
            try:
                return self._sessions.identity(request, campaign, self._seat_cache.known) == identity
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
                await self._sessions.look_again(campaign)
                break
            except RollbookError:  # until it is known, those who sat there keep their seats
                await asyncio.sleep(WAIT)
        self._hub.ask(campaign)
