"""How much is too much: bytes of a body, requests in a row, streams at once. What is over a limit is said in a sentence.

Browsers are told apart by their cookie, and by their address while they have none. The X-card is not among what is counted for
each of them: it has one count for everybody together, so that nothing anywhere depends on who raised it.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

import attrs
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.types import Message, Receive, Scope

from adapters.web.guards.asked import Asked, Refusal
from domain.records import Record

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


def is_x_card(scope: Scope) -> bool:
    """Whether a request raises an X-card."""
    return scope.get("method") == "POST" and X_CARD.fullmatch(scope["path"]) is not None


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

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def check(self, asked: Asked) -> Refusal | None:
        """What a body says of its length."""
        said = asked.headers.get(b"content-length")
        if said is None:
            return None
        most = self._limits.body_at(asked.path)
        return None if said.isdigit() and len(said) <= 15 and int(said) <= most else too_large(most)

    def bounded(self, asked: Asked, receive: Receive) -> Receive:
        """What the body is read by. Raises HTTPException there if more comes than was said, or nothing for a while."""
        got, is_whole = 0, False

        async def receive_bounded() -> Message:
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
            if got > self._limits.body_at(asked.path):
                raise HTTPException(413)
            return message

        return receive_bounded


def too_large(most: int) -> Refusal:
    """A body of more bytes than this."""
    said = f"That is more than the {most:,} bytes that are taken here."
    return Refusal(413, said, "Send something shorter, or smaller.", (("Connection", "close"),))


class Rates:
    """A browser that asks without end has to wait."""

    def __init__(self, limits: Limits, cookies: Iterable[str] = (), now: Callable[[], float] = time.monotonic) -> None:
        self._cookies = tuple(cookies)
        self._x_cards = Buckets(limits.x_cards, now)
        self._of_one = {"GET": Buckets(limits.reading, now), "POST": Buckets(limits.acting, now)}
        self._of_crowd = {
            "GET": Buckets(limits.reading.times(CROWD), now),
            "POST": Buckets(limits.acting.times(CROWD), now),
        }

    def check(self, asked: Asked) -> Refusal | None:
        """Whether it may ask once more."""
        if self._may_ask(asked):
            return None
        return Refusal(429, "That was too much at once.", "Wait a few seconds, then go on.", (("Retry-After", "5"),))

    def _may_ask(self, asked: Asked) -> bool:
        kind = "POST" if asked.method == "POST" else "GET"
        if is_x_card(asked.scope):
            return self._x_cards.take(EVERYBODY)
        may_crowd = self._of_crowd[kind].take(address_of(asked.scope))
        return self._of_one[kind].take(browser_of(asked.scope, self._cookies)) and may_crowd


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

    def __init__(self, limits: Limits, cookies: Iterable[str] = ()) -> None:
        self._limits = limits
        self._cookies = tuple(cookies)
        self._open: Counter[str] = Counter()

    @staticmethod
    def is_one(asked: Asked) -> bool:
        """Whether a stream is asked for."""
        return asked.path.endswith("/stream") and STREAM.fullmatch(asked.path) is not None

    def check(self, asked: Asked) -> Refusal | None:
        """Whether it may listen once more."""
        if not self.is_one(asked):
            return None
        who = browser_of(asked.scope, self._cookies)
        if self._open[who] < self._limits.streams and self._open.total() < self._limits.streams_of_all:
            return None
        instead = "Close some of them, then load this one again."
        return Refusal(429, "The table is open in too many tabs.", instead, (("Retry-After", "30"),))

    @contextmanager
    def counted(self, asked: Asked) -> Iterator[None]:
        """While a stream is open, it is counted."""
        who = browser_of(asked.scope, self._cookies)
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
