"""Several processes that serve one address, for a computer with more than one processor.

One process accepts the connections and serves nothing. It looks at the head of a connection's first request, without
reading it, and passes the connection to the process that is the campaign's home. To the store each of them is a node of its own.
"""

from __future__ import annotations

import errno
import logging
import os
import selectors
import signal
import socket
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from types import FrameType
from typing import NoReturn

import attrs
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollbook.adapters.web.logs import note
from rollbook.adapters.web.serving.arrivals import ANY, MOST_HOMES, SAID, Arrivals, campaign_in, sign_of
from rollbook.adapters.web.serving.page_answers import TRIED
from rollbook.domain.base.errors import RollbookError

LOOKS_EVERY = 0.2
"""Seconds between two looks for processes that have ended, and at connections that could not be passed on."""
AGAIN_AFTER, LATER = 1.0, 5.0
"""Seconds before a process that has ended is replaced; and before it is tried again if the new one cannot serve."""
BEGUN = b"b"
"""The word of a process once it serves; after it, or in its place, a sentence says why it gives up."""
LONGEST = 4096
"""Most bytes that a process says at once."""
STOPPING = (signal.SIGINT, signal.SIGTERM)


@attrs.frozen(eq=False)
class Share:
    """One of ``many`` processes, its number from 0, and the channel by which it gets its connections.

    ``is_again`` is true if it replaces one that has ended.
    """

    number: int
    many: int
    channel: socket.socket
    is_again: bool = False
    _homes: OrderedDict[int, None] = attrs.field(factory=OrderedDict)

    def is_elsewhere(self, path: str) -> bool:
        """True if the campaign of a path is not at home in this process."""
        campaign = campaign_in(path)
        return bool(campaign) and sign_of(campaign) not in self._homes

    def begin(self) -> None:
        """Say that connections are served now."""
        self.channel.settimeout(0)
        self._say(BEGUN)

    def give_up(self, why: str) -> None:
        """Say in a sentence why nothing is served."""
        self._say(why.encode())

    def _say(self, said: bytes) -> None:
        with suppress(OSError):  # who accepts them is gone, which the next look at the channel shows
            self.channel.send(said)

    def end(self) -> None:
        """Take no more connections: they get to the other processes."""
        self.channel.close()

    def connections(self) -> Iterator[socket.socket]:
        """The connections that were passed since the last look.

        Raises EOFError if no more will come, OSError if one is lost because too many files are open.
        """
        while True:
            try:
                said, passed, *_ = socket.recv_fds(self.channel, SAID.size, 1)
            except BlockingIOError:
                return
            except OSError:
                said, passed = b"", []
            if not said:
                raise EOFError
            self._note_home(*SAID.unpack(said))
            if not passed:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            yield socket.socket(fileno=passed[0])

    def _note_home(self, sign: int) -> None:
        if sign != ANY:
            self._homes[sign] = None
            self._homes.move_to_end(sign)
            if len(self._homes) > MOST_HOMES:
                self._homes.popitem(last=False)


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
            if message["type"] == "http.response.start":  # its headers may be those of a cached answer
                others = [header for header in message.get("headers", ()) if header[0].lower() != b"connection"]
                message = {**message, "headers": [*others, (b"connection", b"close")]}
            await send(message)

        is_stream = scope["method"] == "GET" and scope["path"].endswith(("/stream", "/events"))
        path, query = scope["raw_path"].decode("latin-1"), scope["query_string"].decode("latin-1")
        if is_stream and f"{TRIED}=" not in query:
            there = f"{path}?{query}{'&' if query else ''}{TRIED}={self._share.many}"
            answer = RedirectResponse(there, 307, headers={"Cache-Control": "no-store"})
            await answer(scope, receive, send_and_close)
            return
        await self._app(scope, receive, send_and_close)


@attrs.define(eq=False)
class _Process:
    """A process, seen by the one that accepts. ``said`` is what it said about itself; ``is_again`` as in its share."""

    id: int
    channel: socket.socket
    is_again: bool
    said: bytes = b""

    @property
    def is_open(self) -> bool:
        """True while it takes connections."""
        return self.channel.fileno() >= 0

    @property
    def has_begun(self) -> bool:
        """True once it has served."""
        return self.said.startswith(BEGUN)

    @property
    def why(self) -> str:
        """The sentence with which it gave up, "" if it said none."""
        return self.said.removeprefix(BEGUN).decode(errors="replace")


class Processes:
    """So ``many`` processes, each of which runs ``serve`` with its share. What is accepted at ``listening`` is theirs.

    For ``drain`` seconds after a SIGTERM connections are still accepted. A process that ends is replaced.
    """

    def __init__(self, listening: socket.socket, many: int, serve: Callable[[Share], object], drain: float = 0) -> None:
        self._many = many
        self._serve = serve
        self._drain = drain
        self._processes: dict[int, _Process] = {}
        self._missing: dict[int, float] = {}
        self._selector = selectors.DefaultSelector()
        self._arrivals = Arrivals(listening, self._selector, many, self._channel_of)
        self._accepts_until = float("inf")
        self._is_stopping = False
        self._why = ""

    def run(self) -> None:
        """Serve until a signal stops it. Raises RollbookError if a process cannot serve at all."""
        looked = monotonic()
        with self._selector, self._signals():
            for number in range(self._many):
                self._begin(number)
            self._arrivals.look(is_open=True)
            while self._processes or not self._is_stopping:
                for key, _ in self._selector.select(LOOKS_EVERY):
                    key.data()
                if (now := monotonic()) - looked > LOOKS_EVERY / 2:
                    self._look(now)
                    looked = now
            self._arrivals.close()
        if self._why:
            raise RollbookError(self._why)

    def _channel_of(self, number: int) -> socket.socket | None:
        """The open channel of a process. None has one before all serve at first: a stream would stay away from its home."""
        process = self._processes.get(number)
        are_there = all(each.has_begun or each.is_again for each in self._processes.values())
        return process.channel if process is not None and process.is_open and are_there else None

    # Signals.

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
        drains = number == signal.SIGTERM and not self._is_stopping
        self._accepts_until = monotonic() + (self._drain if drains else 0)
        self._is_stopping = True
        for process in self._processes.values():
            with suppress(ProcessLookupError):
                os.kill(process.id, number)

    @contextmanager
    def _undisturbed(self) -> Iterator[None]:
        """Hold signals back: one that came while a process is made would not be passed on to it."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    # Processes.

    def _begin(self, number: int, *, is_again: bool = False) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        with self._undisturbed():
            if self._is_stopping:
                return
            try:
                process = self._made(number, is_again=is_again)
            except OSError as fault:
                self._cannot(number, f"No process can be started ({fault.strerror}).", is_again=is_again)
                return
            self._processes[number] = process
            self._selector.register(process.channel, selectors.EVENT_READ, partial(self._hear, process))

    def _made(self, number: int, *, is_again: bool) -> _Process:
        """A new process, in the one that accepts; in the new one this never returns. Raises OSError."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                id_ = os.fork()
            except OSError:
                ours.close()
                raise
            if not id_:
                ours.close()
                self._become(Share(number, self._many, theirs, is_again))
        ours.settimeout(0)
        return _Process(id_, ours, is_again)

    def _become(self, share: Share) -> NoReturn:
        """Go on as one of the processes, which has nothing of the others, and end."""
        code = 1
        try:
            os.setpgid(0, 0)  # Ctrl-C is for the process that accepts, which passes it on
            for each in STOPPING:
                signal.signal(each, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
            self._selector.close()
            self._arrivals.close()
            for process in self._processes.values():
                process.channel.close()
            self._serve(share)
            code = 0
        except RollbookError as fault:
            share.give_up(str(fault))
        except BaseException as fault:  # noqa: BLE001 - nothing is above this but the program that was forked
            note(logging.ERROR, "not_served", "A process cannot serve.", fault)
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)

    def _hear(self, process: _Process) -> None:
        try:
            said = process.channel.recv(LONGEST)
        except OSError:
            said = b""
        process.said += said
        if not said:  # it has ended, or is about to
            self._selector.unregister(process.channel)
            process.channel.close()

    def _look(self, now: float) -> None:
        """Replace processes that have ended, pass on what waits, and accept no more once it is time."""
        for number, process in [*self._processes.items()]:
            if os.waitpid(process.id, os.WNOHANG)[0]:
                self._ended(number, process)
        for number in [each for each, then in self._missing.items() if now > then]:
            del self._missing[number]
            self._begin(number, is_again=True)
        self._arrivals.look(is_open=now < self._accepts_until)

    def _ended(self, number: int, process: _Process) -> None:
        while process.is_open:
            self._hear(process)
        del self._processes[number]
        if not self._is_stopping and process.has_begun:
            self._missing[number] = monotonic() + AGAIN_AFTER
            note(logging.WARNING, "process_ended", "A process has ended, and is replaced.", process=number)
        elif not self._is_stopping:
            why = process.why or "The table is not served: one of its processes ended before it could serve."
            self._cannot(number, why, is_again=process.is_again)

    def _cannot(self, number: int, why: str, *, is_again: bool) -> None:
        """Try once more later to replace a process; end all if the table has not been served yet."""
        if is_again:
            self._missing[number] = monotonic() + LATER
            note(logging.ERROR, "not_replaced", f"{why} A process is missing, and is tried again.", process=number)
        else:
            self._why = why
            self._stop(signal.SIGINT)  # there is nothing to drain
