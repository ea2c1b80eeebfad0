"""Who listens to which campaign, and how far each audience's campaign has come: bells without content.

All of it lives in the server's own thread; only ``audiences`` may be asked from others.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from itertools import chain

import attrs

from rollbook.application.history.timeline_marker import campaign_of
from rollbook.domain.base.identifiers import CampaignId

Audience = str | None


@attrs.define(eq=False)
class Listener:
    """One open stream: it is woken whenever the cursor of its audience moves, or if it ``is_rung`` for something else.

    It is woken as well where it ``is_silent``, so that nobody in between takes it for dead, and where it ``is_asked`` whether its
    reader still sits there.
    """

    campaign: CampaignId
    audience: Audience
    woken: asyncio.Event = attrs.field(factory=asyncio.Event)
    is_rung: bool = False
    is_silent: bool = False
    is_asked: bool = False


class Hub:
    """The cursors of every audience that somebody listens as."""

    def __init__(self) -> None:
        self._listeners: dict[CampaignId, dict[Audience, set[Listener]]] = {}
        self._cursors: dict[tuple[CampaignId, Audience], str] = {}
        self._rings: dict[tuple[CampaignId, Audience], int] = {}
        self._open = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_closing = False

    def begin(self, work: Coroutine[None, None, None]) -> None:
        """Begin some work in the server's own thread that nobody waits for."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @contextmanager
    def listening(self, campaign: CampaignId, audience: Audience) -> Iterator[Listener]:
        """Listen to a campaign as an audience."""
        listener = Listener(campaign, audience)
        others = self._listeners.setdefault(campaign, {}).setdefault(audience, set())
        others.add(listener)
        self._open += 1
        try:
            yield listener
        finally:
            self._open -= 1
            others.discard(listener)
            if not others:
                self._forget(campaign, audience)

    def _forget(self, campaign: CampaignId, audience: Audience) -> None:
        self._cursors.pop((campaign, audience), None)
        self._rings.pop((campaign, audience), None)
        self._listeners[campaign].pop(audience, None)
        if not self._listeners[campaign]:
            del self._listeners[campaign]

    def audiences(self, campaign: CampaignId) -> tuple[Audience, ...]:
        """As whom somebody listens to a campaign."""
        return tuple(self._listeners.get(campaign, ()))

    def cursor(self, campaign: CampaignId, audience: Audience) -> str:
        """How far a campaign has come for an audience, "" while nobody listens or it is not known yet."""
        return self._cursors.get((campaign, audience), "")

    def listeners(self) -> int:
        """How many streams are open; may be asked from any thread."""
        return self._open

    def heard(self) -> list[CampaignId]:
        """The campaigns that somebody listens to; may be asked from any thread."""
        return list(self._listeners)

    def rings(self, campaign: CampaignId, audience: Audience) -> int:
        """How often an audience was woken for news that no entry holds, while it listened."""
        return self._rings.get((campaign, audience), 0)

    def is_heard(self, campaign: CampaignId) -> bool:
        """Whether anybody listens to a campaign."""
        return campaign in self._listeners

    def tell(self, campaign: CampaignId, audience: Audience, cursor: str) -> None:
        """Record an audience's cursor and wake its listeners."""
        listeners = self._listeners.get(campaign, {}).get(audience)
        if listeners and self._cursors.get((campaign, audience)) != cursor:
            self._cursors[campaign, audience] = cursor
            for listener in listeners:
                listener.woken.set()

    def ring(self, campaign: CampaignId, audience: Audience) -> None:
        """Wake an audience for news that no entry holds, such as a request to the GM."""
        listeners = self._listeners.get(campaign, {}).get(audience, ())
        if listeners:
            self._rings[campaign, audience] = self.rings(campaign, audience) + 1
        for listener in listeners:
            listener.is_rung = True
            listener.woken.set()

    def ask(self, campaign: CampaignId) -> None:
        """Ask of all who listen to a campaign or its timelines, or to any (""), whether they still sit there."""
        for heard in self.heard():
            if not campaign or campaign_of(heard) == campaign:
                for listener in self._listening_to(heard):
                    listener.is_asked = True
                    listener.woken.set()

    def close(self) -> None:
        """End all streams."""
        self.is_closing = True
        for heard in self.heard():
            for listener in self._listening_to(heard):
                listener.woken.set()

    def _listening_to(self, campaign: CampaignId) -> Iterator[Listener]:
        return chain.from_iterable(self._listeners[campaign].values())
