"""Who sits at each table, as its history said it when it was last asked; looked up in the thread of the campaign."""

from __future__ import annotations

import asyncio
import sqlite3

from rollbook.adapters.web.live.hub import Hub
from rollbook.adapters.web.seats.identity import NOBODY, Seated, seated_at
from rollbook.adapters.web.workers.campaign_workers import CampaignWorkers
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.identifiers import CampaignId


class SeatCache:
    """What is ``known`` of those who sit at campaigns that somebody has asked for. For the server's own thread."""

    def __init__(self, workers: CampaignWorkers, hub: Hub) -> None:
        self._workers = workers
        self._hub = hub
        self.known: dict[CampaignId, Seated] = {}
        self._renewing: set[asyncio.Task[None]] = set()

    async def look(self, campaign: CampaignId, asked_for: CampaignId) -> None:
        """Have it known who sits there. Raises RollbookError if that cannot be said of the campaign that is asked for."""
        if campaign not in self.known:
            try:
                self.known[campaign] = await self._seated(campaign)
            except RollbookError:
                if campaign == asked_for:
                    raise

    async def look_again(self, campaign: CampaignId) -> None:
        """Who sits there may have changed. Where nobody can say, the next request asks; a server that restarts unseats nobody."""
        before = self.known.get(campaign)
        try:
            now = self.known[campaign] = await self._seated(campaign)
        except (RollbookError, sqlite3.Error, OSError):
            self.known.pop(campaign, None)
            return
        if before is not None and now.seats != before.seats:
            self._hub.ask(campaign)

    def look_again_soon(self, campaign: CampaignId) -> None:
        """Look again if anything is known; meanwhile those who sat there keep their seats."""
        if campaign in self.known:
            renewing = asyncio.ensure_future(self.look_again(campaign))
            self._renewing.add(renewing)
            renewing.add_done_callback(self._renewing.discard)

    async def _seated(self, campaign: CampaignId) -> Seated:
        """Who sits there now; nobody, if it is gone. Raises RollbookError if it cannot be opened."""
        worker = self._workers.of(campaign)
        try:
            return await worker.run(lambda: seated_at(worker.refreshed(campaign)))
        except NotFound:
            return NOBODY
