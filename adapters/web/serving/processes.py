"""Several processes that serve one address, for a computer with more than one processor.

One process accepts the connections and serves nothing. It looks at the head of a connection's first request, without
reading it, and passes the connection to the process at which the campaign is warm. Each of them is a node.
"""

from __future__ import annotations

import logging
import os
import re
import selectors
import signal
import socket
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from struct import Struct
from time import monotonic, sleep
from types import FrameType
from typing import NoReturn
from urllib.parse import parse_qs, unquote
from zlib import crc32

import attrs
from starlette.datastructures import URL, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollbook.adapters.web.guards.asked import API
from rollbook.adapters.web.logs import note
from rollbook.adapters.web.serving.page_answers import TRIED
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId

LOOKS_EVERY = 0.2
"""Seconds between two looks for processes that have ended, and for connections on which nothing comes."""
SILENT_FOR = 1.0
"""Seconds after which a connection without a request is passed to any process, which has the limits for it."""
AGAIN_AFTER = 1.0
"""Seconds before a process that has ended is replaced."""
HEAD = 4096
"""Bytes of a request that are looked at."""
MOST_HOMES = 4096
"""Most campaigns of which it is known where they are warm, the last ones asked for."""
BEGUN = b"b"
"""What a process says once it serves."""

REQUEST_LINE = re.compile(rb"[A-Z]+ ([^ ?\r\n]*)\??([^ \r\n]*)")
CAMPAIGN = re.compile(rf"(?:/c|{API}/campaigns)/([^/]+)")
STOPPING = (signal.SIGINT, signal.SIGTERM)


def campaign_in(path: str) -> CampaignId:
    """The campaign that a path is about, or that its timeline belongs to; "" if it is about none."""
    found = CAMPAIGN.match(path)
    return campaign_of(found[1]) if found else ""


def asked_first(head: bytes) -> tuple[CampaignId, int]:
    """The campaign of the request that begins with this head, "" for none, and how often the request was sent on."""
    found = REQUEST_LINE.match(head)
    if found is None:
        return "", 0
    path, query = (part.decode("latin-1") for part in found.groups())
    tried = parse_qs(query).get(TRIED, ["0"])[-1]
    return campaign_in(unquote(path)), int(tried) if tried.isdecimal() and len(tried) < 3 else 0


class Homes:
    """The numbers of the processes at which campaigns are warm. One that is asked for newly goes where the fewest are."""

    def __init__(self, many: int) -> None:
        self._many = many
        self._known: OrderedDict[CampaignId, int] = OrderedDict()

    def of(self, campaign: CampaignId) -> int:
        """The number of a campaign's process."""
        if campaign not in self._known:
            crowds = Counter(self._known.values())
            self._known[campaign] = min(range(self._many), key=lambda number: crowds[number])
            if len(self._known) > MOST_HOMES:
                self._known.popitem(last=False)
        self._known.move_to_end(campaign)
        return self._known[campaign]


SAID = Struct("!I")
"""What is said with a connection: the sign of the campaign that is at home here, or ``ANY``."""
ANY = 0


def sign_of(campaign: CampaignId) -> int:
    """The sign of a campaign on a channel, never ``ANY``. If two share one, some requests are answered at two processes."""
    return crc32(campaign.encode()) or 1


@attrs.frozen(eq=False)
class Share:
    """One of ``many`` processes, its number from 0, and the channel by which it gets its connections.

    ``is_again`` is true if it replaces one that has ended.
    """

    number: int
    many: int
    channel: socket.socket
    is_again: bool = False
    _homes: set[int] = attrs.field(factory=set)

    def is_elsewhere(self, path: str) -> bool:
        """True if the campaign of a path is not at home in this process."""
        campaign = campaign_in(path)
        return bool(campaign) and sign_of(campaign) not in self._homes

    def begin(self) -> None:
        """Say that connections are served now."""
        self.channel.settimeout(0)
        with suppress(OSError):  # who accepts them is gone, which the next look at the channel shows
            self.channel.send(BEGUN)

    def connections(self) -> Iterator[socket.socket]:
        """The connections that were passed since the last look. Raises EOFError if no more will come."""
        while True:
            try:
                said, passed, *_ = socket.recv_fds(self.channel, SAID.size, 1)
            except BlockingIOError:
                return
            except OSError:
                said, passed = b"", []
            if not said:
                raise EOFError
            (sign,) = SAID.unpack(said)
            if sign != ANY:
                self._homes.add(sign)
            yield socket.socket(fileno=passed[0])


@attrs.frozen(eq=False)
class AtHome:
    """An application in one of several processes.

    A connection that asks for a campaign of another process is answered and then closed, so that the browser's next one
    gets to that process. A stream would last: it is sent there at once.
    """

    _app: ASGIApp
    _share: Share

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._share.is_elsewhere(scope["path"]):
            await self._app(scope, receive, send)
            return

        async def send_and_close(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(raw=message.setdefault("headers", []))["connection"] = "close"
            await send(message)

        is_stream = scope["method"] == "GET" and scope["path"].endswith(("/stream", "/events"))
        if is_stream and f"{TRIED}=" not in scope["query_string"].decode("latin-1"):
            there = URL(scope=scope).include_query_params(**{TRIED: self._share.many})
            answer = RedirectResponse(f"{there.path}?{there.query}", 307, headers={"Cache-Control": "no-store"})
            await answer(scope, receive, send_and_close)
            return
        await self._app(scope, receive, send_and_close)


@attrs.define(eq=False)
class _Process:
    """A process, seen by the one that accepts. ``has_begun`` is true once it has served."""

    id: int
    channel: socket.socket
    has_begun: bool = False


class Processes:
    """So ``many`` processes, each of which runs ``serve`` with its share. What is accepted at ``listening`` is theirs.

    For ``drain`` seconds after a SIGTERM connections are still accepted. A process that ends is replaced.
    """

    def __init__(self, listening: socket.socket, many: int, serve: Callable[[Share], object], drain: float = 0) -> None:
        self._listening = listening
        self._many = many
        self._serve = serve
        self._drain = drain
        self._processes: dict[int, _Process] = {}
        self._missing: dict[int, float] = {}
        self._waiting: dict[socket.socket, float] = {}
        self._turns = count()
        self._homes = Homes(many)
        self._accepts_until = float("inf")
        self._is_stopping = self._has_failed = False

    def run(self) -> None:
        """Serve until a signal stops it. Raises RollbookError if a process cannot serve at all."""
        self._listening.settimeout(0)
        with selectors.DefaultSelector() as self._selector, self._signals():
            self._selector.register(self._listening, selectors.EVENT_READ, self._accept)
            for number in range(self._many):
                self._begin(number)
            while self._processes or not self._is_stopping:
                for key, _ in self._selector.select(LOOKS_EVERY):
                    key.data()
                self._look()
        for connection in self._waiting:
            connection.close()
        if self._has_failed:
            raise RollbookError("The table is not served: one of its processes ended before it could serve.")

    @contextmanager
    def _signals(self) -> Iterator[None]:
        before = {each: signal.signal(each, self._stop) for each in STOPPING}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _stop(self, number: int, _: FrameType | None = None) -> None:
        """Pass a signal on to all processes. The second one ends those that take their time."""
        if not self._is_stopping:
            self._is_stopping = True
            self._accepts_until = monotonic() + (self._drain if number == signal.SIGTERM else 0)
        for process in self._processes.values():
            with suppress(ProcessLookupError):
                os.kill(process.id, number)

    # Processes.

    def _begin(self, number: int, *, is_again: bool = False) -> None:
        ours, theirs = socket.socketpair()
        sys.stdout.flush()
        sys.stderr.flush()
        made = os.fork()
        if not made:
            ours.close()
            self._become(Share(number, self._many, theirs, is_again))
        theirs.close()
        ours.settimeout(0)
        self._processes[number] = _Process(made, ours)
        self._selector.register(ours, selectors.EVENT_READ, partial(self._hear, number))

    def _become(self, share: Share) -> NoReturn:
        """Go on as one of the processes, which has nothing of the others, and end."""
        code = 1
        try:
            os.setpgid(0, 0)  # Ctrl-C is for the process that accepts, which passes it on
            for each in STOPPING:
                signal.signal(each, signal.SIG_DFL)
            self._selector.close()
            for other in (self._listening, *self._waiting, *(process.channel for process in self._processes.values())):
                other.close()
            self._serve(share)
            code = 0
        except RollbookError as fault:
            note(logging.ERROR, "not_served", str(fault))
        except BaseException as fault:  # noqa: BLE001 - nothing is above this but the program that was forked
            note(logging.ERROR, "not_served", "A process cannot serve.", fault)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _hear(self, number: int) -> None:
        process = self._processes[number]
        try:
            said = process.channel.recv(1)
        except OSError:
            said = b""
        if said:
            process.has_begun = True
        else:  # it has ended, or is about to
            self._selector.unregister(process.channel)
            process.channel.close()

    def _look(self) -> None:
        """Replace processes that have ended, pass on silent connections, and accept no more once it is time."""
        now = monotonic()
        for number, process in [*self._processes.items()]:
            if os.waitpid(process.id, os.WNOHANG)[0]:
                self._ended(number, process, now)
        for number in [each for each, since in self._missing.items() if now - since > AGAIN_AFTER]:
            del self._missing[number]
            if not self._is_stopping:
                self._begin(number, is_again=True)
        for connection in [each for each, since in self._waiting.items() if now - since > SILENT_FOR]:
            self._pass(connection, "", 0)
        if now > self._accepts_until and self._listening.fileno() >= 0:
            self._selector.unregister(self._listening)
            self._listening.close()

    def _ended(self, number: int, process: _Process, now: float) -> None:
        del self._processes[number]
        if process.channel.fileno() >= 0:
            self._selector.unregister(process.channel)
            process.channel.close()
        if self._is_stopping:
            return
        if process.has_begun:
            self._missing[number] = now
            note(logging.WARNING, "process_ended", "A process has ended, and is replaced.", process=number)
        else:
            self._has_failed = True
            self._stop(signal.SIGTERM)

    # Connections.

    def _accept(self) -> None:
        try:
            connection, _ = self._listening.accept()
        except BlockingIOError:
            return
        except OSError:  # too many files are open: those that come wait
            sleep(LOOKS_EVERY)
            return
        connection.settimeout(0)
        self._waiting[connection] = monotonic()
        self._selector.register(connection, selectors.EVENT_READ, partial(self._assign, connection))

    def _assign(self, connection: socket.socket) -> None:
        """Pass a connection on whose first request has come, or its beginning."""
        try:
            head = connection.recv(HEAD, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            head = b""
        if head:
            self._pass(connection, *asked_first(head))
        else:
            self._let_go(connection)

    def _pass(self, connection: socket.socket, campaign: CampaignId, tried: int) -> None:
        """Pass a connection to a campaign's process, or as many further as it was sent on; to the next that serves."""
        home = self._homes.of(campaign) if campaign else None
        first = next(self._turns) if home is None else home + tried
        for number in ((first + step) % self._many for step in range(self._many)):
            process = self._processes.get(number)
            if process is not None and process.channel.fileno() >= 0:
                said = SAID.pack(sign_of(campaign) if number == home else ANY)
                with suppress(OSError):  # it has ended, or takes nothing for now
                    socket.send_fds(process.channel, [said], [connection.fileno()])
                    break
        self._let_go(connection)

    def _let_go(self, connection: socket.socket) -> None:
        del self._waiting[connection]
        self._selector.unregister(connection)
        connection.close()
