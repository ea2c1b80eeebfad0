"""Who sits at each table, as its history last said it, and an end to the streams of those who sit there no more."""

import asyncio
import sqlite3

import attrs
from starlette.requests import Request

from rollbook.adapters.web.live.bells import Hub
from rollbook.adapters.web.seats.requester import NOBODY, Identity, Seated, seated_at
from rollbook.adapters.web.seats.signing_in import Sessions
from rollbook.adapters.web.workers.campaign_workers import CampaignWorkers
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.identifiers import CampaignId

WAIT = 1.0
"""Seconds before the links are asked for again that could not be read."""


@attrs.define(eq=False)
class SeatCache:
    """What is ``known`` of those who sit at campaigns that somebody has asked for. For the server's own thread."""

    _workers: CampaignWorkers
    _hub: Hub
    _sessions: Sessions

    @property
    def known(self) -> dict[CampaignId, Seated]:
        return self._sessions.who_sits

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
            self._hub.begin(self.look_again(campaign))

    async def _seated(self, campaign: CampaignId) -> Seated:
        """Who sits there now; nobody, if it is gone. Raises RollbookError if it cannot be opened."""
        worker = self._workers.of(campaign)
        try:
            return await worker.run(lambda: seated_at(worker.refreshed(campaign)))
        except NotFound:
            return NOBODY

    def is_welcome(self, identity: Identity, request: Request, campaign: CampaignId) -> bool:
        """Whether a browser still sits at a campaign as it did when it asked."""
        try:
            return self._sessions.identity(request, campaign) == identity
        except RollbookError:
            return False

    def ask_again_soon(self, campaign: CampaignId) -> None:
        """Somebody may have lost a seat of a campaign, or of any (""): each of its streams asks whether its reader is welcome."""
        self._hub.begin(self._ask_again(campaign))

    async def _ask_again(self, campaign: CampaignId) -> None:
        while not self._hub.is_closing:
            try:
                await self._sessions.look_again(campaign)
                break
            except RollbookError:  # until it is known, those who sat there keep their seats
                await asyncio.sleep(WAIT)
        self._hub.ask(campaign)
