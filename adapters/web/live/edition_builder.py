"""Goes on with editions that are not there yet, a stretch at a time, between everything else that is asked of their worker.

After a start, a long history has to be read once for each audience that asks. Nobody else at the table waits for that.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request

from rollbook.adapters.web.live.hub import Audience, Hub
from rollbook.adapters.web.live.response_cache import is_of_browser
from rollbook.adapters.web.logs import note
from rollbook.adapters.web.workers.campaign_workers import CampaignWorker
from rollbook.adapters.web.workers.jobs import Stopped
from rollbook.application.visibility.editions.live import BeingRead
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId

PAGE_PATIENCE = 1.0
"""Seconds for which a page waits while a long history is read, before it says so."""
FORM_PATIENCE = 25.0
"""Seconds for which a form waits that was sent meanwhile, or what a script asks for: less than proxies wait (60)."""

_T = TypeVar("_T")
_Wanted = tuple[CampaignWorker, CampaignId, Audience]


class EditionBuilder:
    """All of it lives in the server's own thread. ``made`` is told of a campaign when an edition of it is there."""

    def __init__(self, hub: Hub, made: Callable[[CampaignId], object]) -> None:
        self._hub = hub
        self._made = made
        self.patience = PAGE_PATIENCE
        self._under_way: dict[_Wanted, asyncio.Task[None]] = {}
        self._how_far: dict[_Wanted, BeingRead] = {}
        self._turns: dict[CampaignWorker, asyncio.Lock] = {}

    def while_serving(self, _done: int, _total: int) -> None:
        """Raises Stopped when the server is told to stop: for what long work says how far it is."""
        if self._hub.is_closing:
            raise Stopped

    async def ready(self, request: Request, worker: CampaignWorker, work: Callable[[], _T]) -> _T:
        """What some work for a request comes to, see ``answer``: a page waits a moment, and all else longer."""
        patience = self.patience if is_of_browser(request) else FORM_PATIENCE
        return await self.answer(worker, request.path_params.get("campaign", ""), work, patience)

    async def answer(self, worker: CampaignWorker, campaign: CampaignId, work: Callable[[], _T], patience: float) -> _T:
        """What some work comes to in a worker's thread, once the editions that it needs are there.

        Raises BeingRead after so many seconds. The work is begun again, so it may do nothing before it has them.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + patience
        while True:
            try:
                return await worker.run(work)
            except BeingRead as being:
                making = self.begin(worker, campaign, being)
                await asyncio.wait((making,), timeout=max(0.0, end - clock()))
                if not making.done() or self._hub.is_closing:
                    raise self._how_far.get((worker, campaign, being.audience), being) from None

    def begin(self, worker: CampaignWorker, campaign: CampaignId, being: BeingRead) -> asyncio.Task[None]:
        """Go on with an edition until it is there."""
        wanted = worker, campaign, being.audience
        if wanted not in self._under_way:
            self._how_far[wanted] = being
            task = self._under_way[wanted] = asyncio.ensure_future(self._go_on(wanted))
            task.add_done_callback(lambda _: self._forget(wanted))
        return self._under_way[wanted]

    def _forget(self, wanted: _Wanted) -> None:
        del self._under_way[wanted], self._how_far[wanted]

    async def _go_on(self, wanted: _Wanted) -> None:
        """One edition after the other at each worker, so that the first is there as soon as can be."""
        worker, campaign, audience = wanted
        async with self._turns.setdefault(worker, asyncio.Lock()):
            while not self._hub.is_closing:
                try:
                    await worker.run(lambda: worker.warm(campaign).edition(audience))
                    break
                except BeingRead as being:
                    self._how_far[wanted] = being
                except (RollbookError, sqlite3.Error, OSError) as fault:  # who asks is told
                    note(logging.WARNING, "unread", f"{campaign} cannot be read: {fault}", why=type(fault).__name__)
                    break
        if not self._hub.is_closing:
            self._made(campaign)
