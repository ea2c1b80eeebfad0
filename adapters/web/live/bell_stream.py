"""Streams of bells: each tells a page that its audience's cursor has moved, and nothing of what is new."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from functools import lru_cache

import attrs
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rollbook.adapters.web.live.hub import Audience, Hub, Listener
from rollbook.domain.base.identifiers import CampaignId

SILENCE = 20.0
"""Seconds after which a stream says something that means nothing, so that nobody in between closes it."""
RETRY = 2_000
"""Milliseconds after which a browser opens a stream again that was cut off."""
WELCOME_FOR = 5.0
"""Seconds after which a stream that is woken asks by itself whether its reader still sits there."""

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


@lru_cache(64)
def bell(cursor: str) -> bytes:
    """What a stream sends when an audience's cursor has moved: hundreds send the same."""
    return f"event: bell\nid: {cursor}\ndata:\n\n".encode()


@attrs.define(eq=False, slots=False)
class Bells(Response):
    """A stream of bells: one whenever the cursor of an audience is another than the reader's, which is ``after``."""

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
        """Ring until the reader has gone or the server stops. A reader who knows no chunks hears one bell, and asks again."""
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
        """What the stream says: how soon to come back, bells, and now and then nothing."""
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
        """Whether the reader sits there: it is asked again after some seconds, and when somebody wants to know."""
        now = asyncio.get_running_loop().time()
        if listener.is_asked or now - self._asked > WELCOME_FOR:
            if not self._is_welcome():
                return False
            listener.is_asked, self._asked = False, now
        return True


@contextmanager
def _waking(listener: Listener) -> Iterator[None]:
    """Wake a listener every so often, whether or not a bell rang: one timer for a stream and not one for every bell."""
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
