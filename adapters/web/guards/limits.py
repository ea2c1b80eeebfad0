"""How much is too much: bytes of a body, requests in a row, streams at once. What is over a limit is said in a sentence.

Browsers are told apart by their cookie, and by their address while they have none. The X-card is not among what is counted for
each of them: it has one count for everybody together, so that nothing anywhere depends on who raised it.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

import attrs
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from domain.records import Record

Refuse = Callable[[Scope, int, str, str], Response]
"""The page for a request (its scope) that is turned away: its status, what is the case, and what to do."""

X_CARD = re.compile(r"/c/[^/]+/x-card")
STREAM = re.compile(r"/c/[^/]+/stream")
EVERYBODY = "everybody"
REMEMBERED = 10_000
"""Browsers whose requests are counted at once; the one that asked longest ago is forgotten first."""


@attrs.frozen(kw_only=True)
class Rate(Record):
    """So many requests at once (``burst``), and so many a second in the long run."""

    burst: float
    a_second: float

    def times(self, many: int) -> Rate:
        """The rate for so many who ask at once."""
        return Rate(burst=self.burst * many, a_second=self.a_second * many)


@attrs.frozen(kw_only=True)
class Limits(Record):
    """What one browser may ask for. ``body`` is bytes of a form, ``uploads`` those at paths where files are sent."""

    body: int = 200_000
    uploads: tuple[tuple[str, int], ...] = (("/import", 64_000_000),)
    seconds_of_silence: float = 20.0
    """For which a body may pause while it is being sent."""
    reading: Rate = Rate(burst=600, a_second=100)
    acting: Rate = Rate(burst=60, a_second=10)
    x_cards: Rate = Rate(burst=30, a_second=1)
    streams: int = 16
    streams_of_all: int = 1_000

    def body_at(self, path: str) -> int:
        """The most bytes of a body that is sent to this path."""
        return next((most for at, most in self.uploads if path == at), self.body)


CROWD = 20
"""As many browsers as may ask from one address at full speed; a cookie can be made up."""


def browser_of(scope: Scope, names: Iterable[str]) -> str:
    """Who is counted together: a browser by its cookie, or an address."""
    jar = cookies_of(scope)
    cookie = next((jar[name] for name in names if name in jar), "")
    return f"cookie {cookie[:100]}" if cookie else address_of(scope)


def cookies_of(scope: Scope) -> Mapping[str, str]:
    """The cookies of a request, by name."""
    return _jar(b"; ".join(value for name, value in scope["headers"] if name == b"cookie"))


@lru_cache(1_024)
def _jar(sent: bytes) -> Mapping[str, str]:
    """What a browser sends is the same each time."""
    return cookie_parser(sent.decode("latin-1")) if sent else {}


def address_of(scope: Scope) -> str:
    """The address that a request came from."""
    client = scope.get("client")
    return f"address {client[0] if client else ''}"


class Bodies:
    """A body that is too large, or that does not come, is not waited for."""

    def __init__(self, app: ASGIApp, limits: Limits, refuse: Refuse) -> None:
        self._app = app
        self._limits = limits
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._limits.body_at(scope["path"])
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdecimal() or len(said) > 15 or int(said) > most:
            await too_large(self._refuse, scope, most)(scope, receive, send)
            return
        got, is_whole = 0, False

        async def bounded() -> Message:
            nonlocal got, is_whole
            if is_whole:  # what comes now is that the browser has gone, whenever it does
                return await receive()
            try:
                async with asyncio.timeout(self._limits.seconds_of_silence):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408) from None
            got += len(message.get("body", b""))
            is_whole = message["type"] != "http.request" or not message.get("more_body", False)
            if got > most:
                raise HTTPException(413)
            return message

        await self._app(scope, bounded, send)


def too_large(refuse: Refuse, scope: Scope, most: int) -> Response:
    """The page for a body of more bytes than this."""
    answer = refuse(
        scope, 413, f"That is more than the {most:,} bytes that are taken here.", "Send something shorter, or smaller."
    )
    answer.headers["Connection"] = "close"
    return answer


class Rates:
    """A browser that asks without end has to wait."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        refuse: Refuse,
        cookies: Iterable[str] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._refuse = refuse
        self._cookies = tuple(cookies)
        self._x_cards = Buckets(limits.x_cards, now)
        self._of_one = {"GET": Buckets(limits.reading, now), "POST": Buckets(limits.acting, now)}
        self._of_crowd = {
            "GET": Buckets(limits.reading.times(CROWD), now),
            "POST": Buckets(limits.acting.times(CROWD), now),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._may_ask(scope):
            answer = self._refuse(scope, 429, "That was too much at once.", "Wait a few seconds, then go on.")
            answer.headers["Retry-After"] = "5"
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _may_ask(self, scope: Scope) -> bool:
        kind = "POST" if scope["method"] == "POST" else "GET"
        if kind == "POST" and X_CARD.fullmatch(scope["path"]):
            return self._x_cards.take(EVERYBODY)
        may_crowd = self._of_crowd[kind].take(address_of(scope))
        return self._of_one[kind].take(browser_of(scope, self._cookies)) and may_crowd


class Buckets:
    """For each browser a bucket of tokens that fills again with time; a request takes one. ``now`` is in seconds."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> bool:
        """Take a token. False if there is none."""
        now = self._now()
        left, at = self._left.pop(who, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - at) * self._rate.a_second)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return left >= 1


class Streams:
    """A browser listens in so many tabs at once and no more."""

    def __init__(self, app: ASGIApp, limits: Limits, refuse: Refuse, cookies: Iterable[str] = ()) -> None:
        self._app = app
        self._limits = limits
        self._refuse = refuse
        self._cookies = tuple(cookies)
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not STREAM.fullmatch(scope["path"]):
            await self._app(scope, receive, send)
            return
        who = browser_of(scope, self._cookies)
        if self._open[who] >= self._limits.streams or self._open.total() >= self._limits.streams_of_all:
            answer = self._refuse(
                scope, 429, "The table is open in too many tabs.", "Close some of them, then load this one again."
            )
            answer.headers["Retry-After"] = "30"
            await answer(scope, receive, send)
            return
        self._open[who] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
