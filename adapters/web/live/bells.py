"""Listeners to campaigns, the cursor of each audience, and the streams of bells to browsers.

A bell tells a page that its audience's cursor has moved, and nothing of what is new. All of it runs in the server's own
thread; only ``audiences``, ``listeners``, ``listening_to`` and ``heard`` may be called from others.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

import attrs
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rollbook.application.history.timeline_marker import campaign_of
from rollbook.domain.base.identifiers import CampaignId

Audience = str | None
_T = TypeVar("_T")


@attrs.define(eq=False)
class Listener:
    """One open stream: it is woken when the cursor of its audience moves, or if it ``is_rung`` for other news.

    It is also woken if it ``is_silent``, so that no proxy takes it for dead, and if it ``is_asked`` whether its reader
    still has the seat.
    """

    campaign: CampaignId
    audience: Audience
    woken: asyncio.Event = attrs.field(factory=asyncio.Event)
    is_rung: bool = False
    is_silent: bool = False
    is_asked: bool = False


class Hub:
    """The listeners of all campaigns, and the cursors of their audiences."""

    def __init__(self) -> None:
        self._listeners: dict[CampaignId, dict[Audience, set[Listener]]] = {}
        self._cursors: dict[tuple[CampaignId, Audience], str] = {}
        self._rings: dict[tuple[CampaignId, Audience], int] = {}
        self._open = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self.is_closing = self._is_ended = False

    def begin(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Begin some work in the server's own thread, which is ended when the server stops; after that, none begins."""
        task = asyncio.ensure_future(work)
        if self._is_ended:
            task.cancel()
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def end(self) -> None:
        """End all streams and all work that was begun, before what it works with is closed."""
        self.close()
        self._is_ended = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

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
        """The audiences that listen to a campaign."""
        return tuple(self._listeners.get(campaign, ()))

    def cursor(self, campaign: CampaignId, audience: Audience) -> str:
        """The cursor of an audience of a campaign, "" without listeners or while it is unknown."""
        return self._cursors.get((campaign, audience), "")

    def listeners(self) -> int:
        """The number of open streams. May be called from any thread."""
        return self._open

    def listening_to(self, campaign: CampaignId) -> int:
        """The number of open streams of a campaign. May be called from any thread."""
        return sum(len(others) for others in list(self._listeners.get(campaign, {}).values()))

    def heard(self) -> list[CampaignId]:
        """The campaigns that have listeners. May be called from any thread."""
        return list(self._listeners)

    def rings(self, campaign: CampaignId, audience: Audience) -> int:
        """The number of times that an audience, while listening, was woken for news that is in no entry."""
        return self._rings.get((campaign, audience), 0)

    def is_heard(self, campaign: CampaignId) -> bool:
        """True if a campaign has listeners."""
        return campaign in self._listeners

    def tell(self, campaign: CampaignId, audience: Audience, cursor: str) -> None:
        """Record an audience's cursor and wake its listeners."""
        listeners = self._listeners.get(campaign, {}).get(audience)
        if listeners and self._cursors.get((campaign, audience)) != cursor:
            self._cursors[campaign, audience] = cursor
            for listener in listeners:
                listener.woken.set()

    def ring(self, campaign: CampaignId, audience: Audience) -> None:
        """Wake an audience for news that is in no entry, such as a request to the GM."""
        listeners = self._listeners.get(campaign, {}).get(audience, ())
        if listeners:
            self._rings[campaign, audience] = self.rings(campaign, audience) + 1
        for listener in listeners:
            listener.is_rung = True
            listener.woken.set()

    def ask(self, campaign: CampaignId) -> None:
        """Have the streams of a campaign and its timelines, or of any (""), check if their readers still have seats."""
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


SILENCE = 20.0
"""Seconds after which a stream sends a comment, so that no proxy closes it."""
RETRY = 2_000
"""Milliseconds after which a browser reopens a stream that was cut off."""
WELCOME_FOR = 5.0
"""Seconds after which a stream that is woken checks by itself that its reader still has the seat."""

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


@lru_cache(64)
def bell(cursor: str) -> bytes:
    """The bytes of a bell for an audience's new cursor, cached: hundreds of streams send the same."""
    return f"event: bell\nid: {cursor}\ndata: {cursor}\n\n".encode()


@attrs.define(eq=False, slots=False)
class Bells(Response):
    """A stream of bells: one whenever the cursor of an audience differs from the reader's, ``after``."""

    _hub: Hub
    _campaign: CampaignId
    _audience: Audience
    _after: str
    _look: Callable[[], Awaitable[None]]
    _is_welcome: Callable[[], bool] = lambda: True
    _asked: float = attrs.field(default=0.0, init=False)
    background: None = attrs.field(default=None, init=False)
    status_code: int = attrs.field(default=200, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ring until the reader leaves or the server stops. Over HTTP/1.0, without chunks, send one bell."""
        ring = self._ring_once if scope["http_version"] == "1.0" else self._ring
        ringing = asyncio.ensure_future(ring(send))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((ringing, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (ringing, leaving):
                task.cancel()
            await asyncio.gather(ringing, leaving, return_exceptions=True)

    async def _ring(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": STREAM_HEADERS})
        async with aclosing(self._pieces()) as pieces:
            async for piece in pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body"})

    async def _ring_once(self, send: Send) -> None:
        async with aclosing(self._pieces()) as pieces:
            body = await anext(pieces) + await anext(pieces, b"")
        headers = [*STREAM_HEADERS, (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        """The pieces of the stream: the retry time, bells, and now and then a comment."""
        yield f"retry: {RETRY}\n\n".encode()
        with self._hub.listening(self._campaign, self._audience) as listener, _waking(listener):
            await self._look()
            self._asked = asyncio.get_running_loop().time()
            while not self._hub.is_closing and self._is_still_welcome(listener):
                listener.woken.clear()
                cursor = self._hub.cursor(self._campaign, self._audience)
                if cursor and cursor != self._after:
                    self._after = cursor
                    yield bell(cursor)
                    continue
                if listener.is_rung:
                    listener.is_rung = False
                    yield b"event: bell\ndata:\n\n"
                    continue
                await listener.woken.wait()
                if listener.is_silent:
                    listener.is_silent = False
                    yield b":\n\n"

    def _is_still_welcome(self, listener: Listener) -> bool:
        """True if the reader has the seat: checked again after ``WELCOME_FOR`` seconds, or when ``is_asked``."""
        now = asyncio.get_running_loop().time()
        if listener.is_asked or now - self._asked > WELCOME_FOR:
            if not self._is_welcome():
                return False
            listener.is_asked, self._asked = False, now
        return True


@contextmanager
def _waking(listener: Listener) -> Iterator[None]:
    """Wake a listener every ``SILENCE`` seconds, bells or not: one timer for the stream, not one for every bell."""
    loop = asyncio.get_running_loop()
    timers: list[asyncio.TimerHandle] = []

    def begin() -> None:
        timers[:] = [loop.call_later(SILENCE, wake)]

    def wake() -> None:
        listener.is_silent = True
        listener.woken.set()
        begin()

    begin()
    try:
        yield
    finally:
        timers[0].cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
