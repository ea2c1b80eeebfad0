"""Cache of answers that are made once for all readers who see the same, until something changes for their audience."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import attrs
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from rollbook.adapters.web.live.bells import Audience, Hub
from rollbook.adapters.web.seats.requester import Identity
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.events import Role

WITH = "with"
"""The query parameter with the address of a panel, once for each panel."""
CARRIES = f"{WITH}=".encode()
"""The part of a query that asks for panels."""


class Question(NamedTuple):
    """Cache key of an answer for all readers who see the same; ``seat`` is set if the page is one seat's own."""

    campaign: CampaignId
    audience: Audience
    role: Role
    path: str
    query: bytes
    is_fragment: bool
    seat: str = ""


def stream_in(path: str) -> CampaignId:
    """The campaign or timeline that a page's path is about, "" if it is about none."""
    parts = path.split("/", 3)
    return parts[2] if len(parts) > 2 and parts[1] == "c" else ""


def question_of(scope: Scope, campaign: CampaignId, identity: Identity) -> Question:
    """The cache key of a shared page. With panels it is for one seat, not for the whole audience."""
    is_fragment = any(name == b"hx-request" for name, _ in scope["headers"])
    query: bytes = scope["query_string"]
    seat = seat_of(identity) if CARRIES in query else ""
    return Question(campaign, identity.audience, identity.role, scope["path"], query, is_fragment, seat)


def seat_of(identity: Identity) -> str:
    """The seat whose page it is, as a key; the host's is ``/``."""
    return f"{identity.campaign}/{identity.seat}"


def reads_compressed(scope: Scope) -> bool:
    """True if the client accepts gzip."""
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])


def is_of_browser(request: Request) -> bool:
    """True if a browser asks for a whole page to show: not a script of ours, and no form that was sent."""
    is_html = "text/html" in request.headers.get("accept", "")
    return request.method == "GET" and is_html and "hx-request" not in request.headers


MOST_ANSWERS = 64
"""Most cached answers of a campaign; they differ in audience and in the request, such as its cursor."""
LEVEL = 3
"""The level of compression of answers: a tenth more bytes than with the usual 6, for half of the processor's time."""
LEAST = 512
"""Bytes below which compressing gains nothing."""


@attrs.define(slots=False)
class CachedResponse:
    """An answer, the cursor up to which it was made, and its compressed form.

    ``rings`` is how often its audience had been woken for news that is in no entry, ``uses`` how often it was sent.
    """

    cursor: str
    response: Response
    rings: int = 0
    uses: int = 0
    _compressed: Response | None = None

    def to(self, *, compressed: bool) -> Response:
        """The answer for a reader, who accepts ``compressed`` bytes or does not. Counts the use."""
        self.uses += 1
        return self.pack() if compressed and len(self.response.body) >= LEAST else self.response

    def pack(self) -> Response:
        """The compressed answer, made once."""
        if self._compressed is None:
            self._compressed = compressed(self.response)
        return self._compressed


def compressed(response: Response) -> Response:
    """The same answer, gzipped."""
    packer = zlib.compressobj(LEVEL, wbits=31)
    body = packer.compress(response.body) + packer.flush()
    less = Response(body, response.status_code)
    kept = [(name, value) for name, value in response.raw_headers if name != b"content-length"]
    length = str(len(body)).encode()
    less.raw_headers = [
        *kept,
        (b"content-length", length),
        (b"content-encoding", b"gzip"),
        (b"vary", b"accept-encoding"),
    ]
    return less


def packed(response: Response, headers: Headers) -> Response:
    """An answer, gzipped if that gains something and the reader accepts it."""
    body = getattr(response, "body", b"")
    if len(body) < LEAST or "content-encoding" in response.headers or "gzip" not in headers.get("accept-encoding", ""):
        return response
    return compressed(response) if response.headers.get("content-type", "").startswith("text/") else response


class ResponseCache:
    """Cached answers to questions that many ask at once: each is made once, until anything changes for its audience."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._kept: dict[CampaignId, dict[Question, CachedResponse]] = {}
        self._being_made: dict[tuple[Question, str, int], asyncio.Future[CachedResponse]] = {}

    def are_kept(self, campaign: CampaignId) -> bool:
        """True if there may be answers for a campaign."""
        return campaign in self._kept

    def kept(self, question: Question) -> CachedResponse | None:
        """The cached answer to a question, None if there is none or something has changed since."""
        found = self._kept.get(question.campaign, {}).get(question)
        return found if found is not None and self._is_of_now(question, found) else None

    def _is_of_now(self, question: Question, made: CachedResponse) -> bool:
        where = question.campaign, question.audience
        return made.cursor == self._hub.cursor(*where) and made.rings == self._hub.rings(*where)

    async def answer(self, question: Question, make: Callable[[], Awaitable[tuple[str, Response]]]) -> CachedResponse:
        """Return the cached answer, or make it; concurrent requests wait for it. ``make`` also returns its cursor."""
        known = self.kept(question)
        if known is not None:
            return known
        rings = self._hub.rings(question.campaign, question.audience)
        key = (question, self._hub.cursor(question.campaign, question.audience), rings)
        making = self._being_made.get(key)
        if making is None:
            making = self._hub.begin(self._make(question, rings, make))
            self._being_made[key] = making
            making.add_done_callback(lambda _: self._being_made.pop(key, None))
        return await asyncio.shield(making)

    async def _make(
        self, question: Question, rings: int, make: Callable[[], Awaitable[tuple[str, Response]]]
    ) -> CachedResponse:
        cursor, response = await make()
        made = CachedResponse(cursor, response, rings)
        self.keep(question, made)
        return made

    def keep(self, question: Question, made: CachedResponse) -> None:
        """Cache an answer if it is current, and drop older ones of its audience."""
        if not self._is_of_now(question, made) or made.response.status_code != 200:
            return
        kept = self._kept.setdefault(question.campaign, {})
        for other in [other for other in kept if other.audience == question.audience]:
            if kept[other].cursor != made.cursor:
                del kept[other]
        while len(kept) >= MOST_ANSWERS:
            del kept[next(iter(kept))]
        kept[question] = made

    def forget_unheard(self) -> None:
        """Drop the answers of campaigns without listeners."""
        for campaign in [campaign for campaign in self._kept if not self._hub.is_heard(campaign)]:
            del self._kept[campaign]

    def forget(self, campaign: CampaignId) -> None:
        """Drop the answers of a campaign."""
        self._kept.pop(campaign, None)

    def forget_all(self) -> None:
        """Drop every answer."""
        self._kept.clear()
