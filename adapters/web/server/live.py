"""What keeps pages live: a stream of bells for each audience, and answers that are made once for everybody who sees the same."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import NamedTuple

import attrs
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rollbook.adapters.web.server.hub import Audience, Hub, Listener
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.events import Role

SILENCE = 20.0
"""Seconds after which a stream says something that means nothing, so that nobody in between closes it."""
RETRY = 2_000
"""Milliseconds after which a browser opens a stream again that was cut off."""
MOST_ANSWERS = 64
"""So many answers are kept for a campaign; they differ in audience and in what was asked for, such as the cursor."""
WELCOME_FOR = 5.0
"""Seconds after which a stream that is woken asks by itself whether its reader still sits there."""
LEAST = 512
"""Bytes below which nothing is gained by compressing."""

SendAtOnce = Callable[[bytes], bool]
"""Sends a piece of an answer that is being given; False, and nothing is sent, where that has to wait."""

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


SEND_AT_ONCE = "rollbook.send_at_once"
"""Under this name the state of a request has a function, if its connection has one, that sends a piece of the answer at once."""


@lru_cache(64)
def bell(cursor: str) -> bytes:
    """What a stream sends when an audience's cursor has moved: hundreds send the same."""
    return f"event: bell\nid: {cursor}\ndata:\n\n".encode()


class Bells(Response):
    """A stream of bells: one whenever the cursor of an audience is another than the reader's, which is ``after``."""

    def __init__(
        self,
        hub: Hub,
        campaign: CampaignId,
        audience: Audience,
        after: str,
        look: Callable[[], Awaitable[None]],
        is_welcome: Callable[[], bool] = lambda: True,
    ) -> None:
        self._hub = hub
        self._campaign = campaign
        self._audience = audience
        self._after = after
        self._look = look
        self._is_welcome = is_welcome
        self._asked = 0.0
        self._is_idle = False
        self.background = None
        self.status_code = 200

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ring until the reader has gone or the server stops."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": STREAM_HEADERS})
        send_at_once = scope.get("state", {}).get(SEND_AT_ONCE)
        ringing = asyncio.ensure_future(self._ring(send, send_at_once))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((ringing, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (ringing, leaving):
                task.cancel()
            await asyncio.gather(ringing, leaving, return_exceptions=True)

    async def _ring(self, send: Send, send_at_once: SendAtOnce | None) -> None:
        async def say(said: bytes, *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": said, "more_body": more})

        await say(f"retry: {RETRY}\n\n".encode())
        with self._hub.listening(self._campaign, self._audience) as listener, _waking(listener):
            if send_at_once is not None:
                listener.tells_at_once = partial(self._tell_at_once, listener, send_at_once)
            await self._look()
            self._asked = asyncio.get_running_loop().time()
            while not self._hub.is_closing and self._is_still_welcome(listener):
                listener.woken.clear()
                cursor = self._hub.cursor(self._campaign, self._audience)
                if cursor and cursor != self._after:
                    self._after = cursor
                    await say(bell(cursor))
                    continue
                if listener.is_rung:
                    listener.is_rung = False
                    await say(b"event: bell\ndata:\n\n")
                    continue
                self._is_idle = True
                await listener.woken.wait()
                self._is_idle = False
                if listener.is_silent:
                    listener.is_silent = False
                    await say(b":\n\n")
        await say(b"", more=False)

    def _is_still_welcome(self, listener: Listener) -> bool:
        """Whether the reader sits there: it is asked again after some seconds, and when somebody wants to know."""
        now = asyncio.get_running_loop().time()
        if listener.is_asked or now - self._asked > WELCOME_FOR:
            if not self._is_welcome():
                return False
            listener.is_asked, self._asked = False, now
        return True

    def _tell_at_once(self, listener: Listener, send_at_once: SendAtOnce, cursor: str) -> bool:
        """Ring past the stream's task, which would take three times as long. False if the task has to look."""
        if cursor == self._after:
            return True
        if not self._is_idle or not self._is_still_welcome(listener) or not send_at_once(bell(cursor)):
            return False
        self._after = cursor
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


class Question(NamedTuple):
    """What an answer depends on that is made for everybody who sees the same; ``seat`` is whose page it is, if it names them."""

    campaign: CampaignId
    audience: Audience
    role: Role
    path: str
    query: bytes
    is_fragment: bool
    seat: str = ""


@attrs.define(slots=False)
class Answer:
    """An answer that was made, up to which cursor, and how it is sent to those who can read compressed bytes.

    ``rings`` is how often its audience had been woken before for what no entry holds, ``uses`` how often it was given.
    """

    cursor: str
    response: Response
    rings: int = 0
    uses: int = 0
    _compressed: Response | None = None

    def to(self, *, compressed: bool) -> Response:
        """The answer as a reader can take it, who reads ``compressed`` bytes or does not."""
        self.uses += 1
        return self.pack() if compressed and len(self.response.body) >= LEAST else self.response

    def pack(self) -> Response:
        """The answer in fewer bytes, compressed once."""
        if self._compressed is None:
            self._compressed = compressed(self.response)
        return self._compressed


def compressed(response: Response) -> Response:
    """The same answer, in fewer bytes."""
    packer = zlib.compressobj(6, wbits=31)
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


class SharedAnswers:
    """Answers to questions that many ask at once: each is made once, and kept until something changes for its audience."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._kept: dict[CampaignId, dict[Question, Answer]] = {}
        self._being_made: dict[tuple[Question, str, int], asyncio.Future[Answer]] = {}

    def are_kept(self, campaign: CampaignId) -> bool:
        """Whether there may be any for a campaign."""
        return campaign in self._kept

    def kept(self, question: Question) -> Answer | None:
        """The answer, if it is there and nothing has changed since."""
        found = self._kept.get(question.campaign, {}).get(question)
        return found if found is not None and self._is_of_now(question, found) else None

    def _is_of_now(self, question: Question, made: Answer) -> bool:
        where = question.campaign, question.audience
        return made.cursor == self._hub.cursor(*where) and made.rings == self._hub.rings(*where)

    async def answer(self, question: Question, make: Callable[[], Awaitable[tuple[str, Response]]]) -> Answer:
        """The answer; who asks while it is being made waits for it. ``make`` gives the cursor that it was made at, too."""
        known = self.kept(question)
        if known is not None:
            return known
        rings = self._hub.rings(question.campaign, question.audience)
        key = (question, self._hub.cursor(question.campaign, question.audience), rings)
        making = self._being_made.get(key)
        if making is None:
            making = asyncio.ensure_future(self._make(question, rings, make))
            self._being_made[key] = making
            making.add_done_callback(lambda _: self._being_made.pop(key, None))
        return await asyncio.shield(making)

    async def _make(
        self, question: Question, rings: int, make: Callable[[], Awaitable[tuple[str, Response]]]
    ) -> Answer:
        cursor, response = await make()
        made = Answer(cursor, response, rings)
        self.keep(question, made)
        return made

    def keep(self, question: Question, made: Answer) -> None:
        """Keep an answer that is of this moment, and none of its audience that is of an earlier one."""
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
        """Let go of what is kept of campaigns that nobody listens to."""
        for campaign in [campaign for campaign in self._kept if not self._hub.is_heard(campaign)]:
            del self._kept[campaign]

    def forget(self, campaign: CampaignId) -> None:
        """Let go of the answers of a campaign."""
        self._kept.pop(campaign, None)

    def forget_all(self) -> None:
        """Let go of every answer."""
        self._kept.clear()
