"""Limits of requests: bytes of a body, requests in a row, streams at once. A request over a limit is told so.

Browsers with a seat are counted one by one, and strangers by address: strangers use up nothing of those who were let
in. X-cards do not count for a browser. Each campaign has one count of them, behind the check of the seat (``XCards``),
so that nothing depends on who raised one.
"""

import asyncio
import hmac
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import lru_cache
from hashlib import sha256

import attrs
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.types import Message, Receive, Scope

from rollbook.adapters.web.guards.asked import API, Asked, Refusal, household
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.domain.base.records import Record

PICTURE = 2_300_000
"""Bytes of a form with a picture of 2 MB in it."""
REMEMBERED = 10_000
"""Most clients counted at once; the one idle the longest is forgotten first."""


@attrs.frozen(kw_only=True)
class Rate(Record):
    """A rate limit: ``burst`` requests at once, and ``a_second`` requests per second in the long run."""

    burst: float
    a_second: float


class Buckets:
    """A token bucket for each client that is counted. ``now`` is in seconds."""

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


READING, ACTING, X_CARDS = (Rate(burst=burst, a_second=many) for burst, many in ((600, 100), (60, 10), (30, 1)))
X_CARD = re.compile(r"/c/[^/]+/x-card(?:/back)?")

BrowserOf = Callable[[Scope], str]
"""The cookie of a browser, or the token of a program, that has a seat at the campaign of its request; "" is a stranger."""


@attrs.frozen(kw_only=True)
class Limits(Record):
    """Limits of one browser. ``body`` is bytes of a form, ``uploads`` the bytes at paths that take files, where * is anything."""

    body: int = 200_000
    uploads: tuple[tuple[str, int], ...] = (
        ("/import", 64_000_000),
        *((path, PICTURE) for path in ("*/handouts", "*/portraits", "*/board/map")),
    )
    seconds_of_silence: float = 20.0
    """Seconds for which a body may pause while it is being sent."""
    slowest_body: float = 4_000.0
    """Least bytes a second of a body in the long run, so that one that trickles ends."""
    seconds_of_head: float = 10.0
    """Seconds for the whole head of a request, from its first byte or the beginning of the connection."""
    connections: int = 2_000
    """Most connections of one address."""
    reading: Rate = READING
    acting: Rate = ACTING
    x_cards: Rate = X_CARDS
    """Rate of X-cards of each campaign, from all its seats together."""
    streams: int = 16
    streams_of_campaign: int = 500
    streams_of_all: int = 1_000

    def body_at(self, path: str) -> int:
        """The most bytes of a body that is sent to this path."""
        return next((most for at, most in self.uploads if fnmatchcase(path, at)), self.body)


def is_x_card(scope: Scope) -> bool:
    """True if a request raises an X-card, or withdraws one."""
    return scope.get("method") == "POST" and X_CARD.fullmatch(scope["path"]) is not None


def cookies_of(scope: Scope) -> Mapping[str, str]:
    """The cookies of a request, by name."""
    return _jar(b"; ".join(value for name, value in scope["headers"] if name == b"cookie"))


@lru_cache(1_024)
def _jar(sent: bytes) -> Mapping[str, str]:
    """Parse a cookie header, cached: a browser sends the same each time."""
    return cookie_parser(sent.decode("latin-1")) if sent else {}


def address_of(scope: Scope) -> str:
    """The address of a request, by which strangers are counted; "" if it is unknown."""
    client = scope.get("client")
    return household(client[0]) if client else ""


@attrs.frozen(eq=False)
class Bodies:
    """The limits of bodies: one that is too large, or that does not come, is not waited for."""

    _limits: Limits

    def check(self, asked: Asked) -> Refusal | None:
        """Refuse a body whose declared length is too large, or no number."""
        said = asked.headers.get(b"content-length")
        if said is None:
            return None
        most = self._limits.body_at(asked.path)
        if said.isdigit() and len(said) <= 15 and int(said) <= most:
            return None
        sentence = f"That is more than the {most:,} bytes that are taken here."
        return Refusal(413, sentence, "Send something shorter, or smaller.", (("Connection", "close"),))

    def bounded(self, asked: Asked, receive: Receive) -> Receive:
        """A ``receive`` with limits. It raises HTTPException if too much comes, too slowly, or nothing for a while."""
        got, is_whole, began = 0, False, time.monotonic()

        async def receive_bounded() -> Message:
            nonlocal got, is_whole
            if is_whole:  # the next message is the browser's disconnect, however late
                return await receive()
            try:
                async with asyncio.timeout(self._patience(got, time.monotonic() - began)):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408) from None
            got += len(message.get("body", b""))
            is_whole = message["type"] != "http.request" or not message.get("more_body", False)
            if got > self._limits.body_at(asked.path):
                raise HTTPException(413)
            return message

        return receive_bounded

    def _patience(self, got: int, seconds: float) -> float:
        """Seconds within which more of a body must come, after ``got`` bytes in ``seconds``."""
        silence = self._limits.seconds_of_silence
        return min(silence, max(0.0, silence + got / self._limits.slowest_body - seconds))


TOO_MUCH = Refusal(429, "That was too much at once.", "Wait a few seconds, then go on.", (("Retry-After", "5"),))


class Rates:
    """The rates of requests: of each browser with a seat, and of all strangers of an address together."""

    def __init__(self, limits: Limits, browser: BrowserOf) -> None:
        self._browser = browser
        self._of_browser = {"GET": Buckets(limits.reading), "POST": Buckets(limits.acting)}
        self._of_address = {"GET": Buckets(limits.reading), "POST": Buckets(limits.acting)}

    def check(self, asked: Asked) -> Refusal | None:
        """Refuse a request over the rate. X-cards from a seat are counted by the campaign alone."""
        kind = "POST" if asked.method == "POST" else "GET"
        browser = self._browser(asked.scope)
        if not browser:
            may = self._of_address[kind].take(address_of(asked.scope))
        else:
            may = is_x_card(asked.scope) or self._of_browser[kind].take(browser)
        return None if may else TOO_MUCH


MISTAKE_SECONDS = 8.0
"""Seconds in which a card may be withdrawn: what the page offers, and the way here."""
LONGEST_TOKEN = 100


class XCards:
    """The rates of each campaign's X-cards, from all its seats together; nothing counts who raised one.

    A card is withdrawn by a token that the page made which raised it: it says nothing of whose page that is.

    Cards raised while another is on the table are counted apart, so that they leave room for the next that is needed.
    """

    def __init__(self, limits: Limits) -> None:
        self._first = Buckets(limits.x_cards)
        self._more = Buckets(limits.x_cards)
        self._lying: dict[str, tuple[bytes, float]] = {}

    def take(self, campaign: str, *, lies_already: bool) -> bool:
        """Take a token. True if one more may be recorded."""
        return (self._more if lies_already else self._first).take(campaign)

    def lies(self, campaign: str, token: str, *, lies_already: bool) -> None:
        """Remember for seconds by which token the one card that lies there is withdrawn; of several none is."""
        self._lying[campaign] = (b"" if lies_already else _digest(token), time.monotonic())

    def may_withdraw(self, campaign: str, token: str) -> bool:
        """True once for the token of the one card that lies there, soon after it was raised."""
        known, at = self._lying.get(campaign, (b"", 0.0))
        if not (token and hmac.compare_digest(known, _digest(token)) and time.monotonic() - at < MISTAKE_SECONDS):
            return False
        del self._lying[campaign]
        return True


def _digest(token: str) -> bytes:
    return sha256(token[:LONGEST_TOKEN].encode()).digest()


STREAM = re.compile(rf"(?:/c|{API}/campaigns)/([^/]+)/(?:stream|events)")


@attrs.frozen(eq=False)
class Streams:
    """The open streams, limited for each browser and each campaign, so that both leave room for others."""

    _limits: Limits
    _browser: BrowserOf
    _of_browser: Counter[str] = attrs.field(factory=Counter)
    _of_campaign: Counter[str] = attrs.field(factory=Counter)

    @staticmethod
    def is_one(asked: Asked) -> bool:
        """True if the request is for a stream."""
        return asked.path.endswith(("/stream", "/events")) and STREAM.fullmatch(asked.path) is not None

    def check(self, asked: Asked) -> Refusal | None:
        """Refuse one stream too many. A stranger is turned away later, where the seat is checked."""
        browser = self._browser(asked.scope) if self.is_one(asked) else ""
        if not browser or self._has_room(browser, _campaign(asked)):
            return None
        instead = "Close some of them, then load this one again."
        return Refusal(429, "The table is open in too many tabs.", instead, (("Retry-After", "30"),))

    def _has_room(self, browser: str, campaign: str) -> bool:
        return (
            self._of_browser[browser] < self._limits.streams
            and self._of_campaign[campaign] < self._limits.streams_of_campaign
            and self._of_campaign.total() < self._limits.streams_of_all
        )

    @contextmanager
    def counted(self, asked: Asked) -> Iterator[None]:
        """Count a stream while it is open."""
        browser, campaign = self._browser(asked.scope), _campaign(asked)
        if not browser:
            yield
            return
        self._of_browser[browser] += 1
        self._of_campaign[campaign] += 1
        try:
            yield
        finally:
            for counter, key in ((self._of_browser, browser), (self._of_campaign, campaign)):
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]


def _campaign(asked: Asked) -> str:
    """The campaign of a stream, also for one of its timelines."""
    found = STREAM.fullmatch(asked.path)
    return campaign_of(found[1]) if found else ""
