"""Cache of the seats at each table, from its history, and an end to the streams of readers who lost theirs."""

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
"""Seconds before links that could not be read are read again."""


@attrs.define(eq=False)
class SeatCache:
    """The ``known`` seats of campaigns that were asked for. For the server's own thread."""

    _workers: CampaignWorkers
    _hub: Hub
    _sessions: Sessions

    @property
    def known(self) -> dict[CampaignId, Seated]:
        return self._sessions.who_sits

    async def look(self, campaign: CampaignId, asked_for: CampaignId) -> None:
        """Read a campaign's seats if they are unknown. Raises RollbookError only for the campaign that is asked for."""
        if campaign not in self.known:
            try:
                self.known[campaign] = await self._seated(campaign)
            except RollbookError:
                if campaign == asked_for:
                    raise

    async def look_again(self, campaign: CampaignId) -> None:
        """Read seats that may have changed. On failure the next request reads them: a store's restart costs no seat."""
        try:
            now = await self._seated(campaign)
        except (RollbookError, sqlite3.Error, OSError):
            self.known.pop(campaign, None)
            return
        self.note(campaign, now)

    def saw(self, campaign: CampaignId, now: Seated | None) -> None:
        """Take over the seats of a campaign that was looked through; None if it cannot be read, so the next request does."""
        if campaign in self.known:
            if now is None:
                del self.known[campaign]
            else:
                self.note(campaign, now)

    def note(self, campaign: CampaignId, now: Seated) -> None:
        """Take over a campaign's seats as they are now; streams check their readers' seats if those have changed."""
        before, self.known[campaign] = self.known.get(campaign), now
        if before is not None and now.seats != before.seats:
            self._hub.ask(campaign)

    def look_again_soon(self, campaign: CampaignId) -> None:
        """Read the seats again soon, if they are known; meanwhile readers keep theirs."""
        if campaign in self.known:
            self._hub.begin(self.look_again(campaign))

    async def _seated(self, campaign: CampaignId) -> Seated:
        """The current seats of a campaign; none if it is gone. Raises RollbookError if it cannot be opened."""
        worker = self._workers.of(campaign)
        try:
            return await worker.run(lambda: seated_at(worker.refreshed(campaign)))
        except NotFound:
            return NOBODY

    def is_welcome(self, identity: Identity, request: Request, campaign: CampaignId) -> bool:
        """True if a browser still has the seat that it had when it asked."""
        try:
            return self._sessions.identity(request, campaign) == identity
        except RollbookError:
            return False

    def ask_again_soon(self, campaign: CampaignId) -> None:
        """Have the streams of a campaign, or of any (""), check their readers' seats: a link may have been revoked."""
        self._hub.begin(self._ask_again(campaign))

    async def _ask_again(self, campaign: CampaignId) -> None:
        while not self._hub.is_closing:
            try:
                await self._sessions.look_again(campaign)
                break
            except RollbookError:  # until the links are read, readers keep their seats
                await asyncio.sleep(WAIT)
        self._hub.ask(campaign)
