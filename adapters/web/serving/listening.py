"""The server, its sockets and its names: uvicorn, made to stop at once in spite of open streams."""

import asyncio
import errno
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from time import monotonic
from types import FrameType
from typing import Any, Literal, Self
from urllib.parse import urlsplit

import attrs
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from rollbook.adapters.web.guards.asked import proxies_from
from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.logs import note
from rollbook.adapters.web.serving.app import WebTable
from rollbook.adapters.web.serving.open_connections import CountedConnection, NotedRequests, OpenConnections
from rollbook.adapters.web.serving.processes import AtHome, Share
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.records import Record

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened at
HERE = ("127.0.0.1", "::1")


@attrs.frozen(kw_only=True)
class Place(Record):
    """A ``host`` to listen at, the names ``outside`` by which others reach it, and a proxy's ``public`` URL or ""."""

    host: str
    outside: tuple[str, ...] = ()
    public: str = ""
    door: Door

    @classmethod
    def named(cls, host: str, *, lan: bool = False, public: str = "", proxies: Sequence[str] = ()) -> Self:
        """The place of the given names. Raises RollbookError for a bad address, NotFound without a network."""
        outside = (_own_address(), *_own_names()) if lan or host in EVERYWHERE else (host,)
        names = {*Door().hosts, *outside, *((_name_in(public),) if public else ())}
        trusted = proxies_from(proxies or (HERE if public else ()))
        return cls(
            host=host,
            outside=tuple(name for name in outside if not _is_loopback(name)),
            public=public.rstrip("/"),
            door=Door(hosts=frozenset(names), proxies=trusted),
        )

    def addresses(self, port: int) -> tuple[str, ...]:
        """The beginnings of links, the best for others first; the last one is for this computer."""
        others = (self.public, *(f"http://{_in_url(name)}:{port}" for name in self.outside[:1]))
        own = "127.0.0.1" if self.host in (*EVERYWHERE, "localhost") else self.host
        return (*dict.fromkeys(filter(None, (*others, f"http://{_in_url(own)}:{port}"))),)


def _name_in(public: str) -> str:
    try:
        parts = urlsplit(public)
        name = parts.hostname or ""
    except ValueError:
        parts, name = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not name or parts.path.strip("/") or parts.query or "@" in parts.netloc:
        raise RollbookError(
            f"{public!r} is not how a table can be reached. Write it so: --public https://table.example"
        )
    return name


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _in_url(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _own_names() -> tuple[str, ...]:
    """The names of this computer in the local network."""
    name = socket.gethostname().partition(".")[0].casefold()
    return (name, f"{name}.local") if name else ()


def _own_address() -> str:
    """The address of this computer in its network. Raises NotFound if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # sends nothing, and sets the address that it would send from
        except OSError as fault:
            raise NotFound("This computer is in no network, so --lan helps nobody. Leave it out.") from fault
        name: str = asked.getsockname()[0]
        return name


if sys.platform != "win32":
    import resource

MOST = 65_536
NOT_LIMITED = 8_192
"""The assumed number of open files if the system has no limit, or does not tell it."""
OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
SAID_EVERY = 60.0
"""Seconds between two warnings that no connection can be taken."""


def raised() -> int:
    """Raise the limit of open files as far as this program may, and return it."""
    if sys.platform == "win32":
        return NOT_LIMITED
    try:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    except OSError:  # a service may not be allowed to ask
        return NOT_LIMITED
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # some systems have a lower limit than they say
        return soft
    return wanted


def says_briefly() -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """An exception handler of a loop: failures to take connections are one line a minute, without tracebacks."""
    said = float("-inf")

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal said
        fault = context.get("exception")
        if not (isinstance(fault, OSError) and fault.errno in OUT_OF_FILES):
            loop.default_exception_handler(context)
        elif monotonic() - said > SAID_EVERY:
            said = monotonic()
            note(logging.WARNING, "full", f"No connection can be taken ({fault.strerror}); those that come wait.")

    return handle


PATIENCE = 5
"""Seconds for answers in progress when the server is told to stop: commands are finished and answered."""
IDLE = 150
"""Seconds for which an idle connection stays open: longer than proxies keep theirs (nginx 60, Caddy 120), so that no
form is sent on one that is just being closed."""
BACKLOG = 1024
"""Connections that may wait to be accepted: all tabs come back at once after a restart. As many are accepted in one
pass of the loop, before any is served, so there are fewer if few files may be open."""
TWICE = 1.0
"""Seconds within which a second SIGTERM is the same: service managers send it to all processes, and the one that accepts
passes its own on."""
PAST_IDLE = 10
"""Seconds after which a connection is closed that uvicorn could not close, because its client does not read."""
SWITCH_SECONDS = 0.0005
"""Seconds that a thread runs on while others wait. With Python's own 5 ms each of hundreds of sends would wait."""

OBJECTS_BETWEEN_COLLECTIONS = 20_000
"""Threshold of Python's garbage collector: loaded objects are frozen out of it, and requests leave little garbage."""


class Server(uvicorn.Server):
    """A server of the table.

    For ``drain`` seconds after a SIGTERM it serves on and reports that it is not ready, so that proxies go elsewhere.
    One of several processes has a ``share``, and gets its connections by that.
    """

    def __init__(
        self,
        app: WebTable,
        host: str,
        port: int,
        drain: float = 0,
        http: type[asyncio.Protocol] = AutoHTTPProtocol,
        loop: Literal["auto", "asyncio"] = "auto",
        share: Share | None = None,
    ) -> None:
        """``http`` reads and writes HTTP/1.1: httptools if it is installed, else h11. ``loop``: uvloop's, else asyncio's."""
        self.table = app
        self._drain = drain
        self._http = http
        self._share = share
        self._taking: set[asyncio.Task[Any]] = set()
        self._told = float("-inf")
        files = raised()
        self._open = OpenConnections(app.door.limits, files, IDLE + PAST_IDLE)
        super().__init__(
            uvicorn.Config(
                NotedRequests(AtHome(app, share) if share else app, self._open),
                host=host,
                port=port,
                backlog=min(BACKLOG, files // 8),
                log_config=None,
                log_level="critical",  # the application logs faults, once
                access_log=False,
                server_header=False,
                proxy_headers=False,
                loop=loop,
                http=self._counted,  # type: ignore[arg-type]  # a factory of protocols in place of a class
                ws="none",
                lifespan="on",
                timeout_graceful_shutdown=PATIENCE,
                timeout_keep_alive=IDLE,
            )
        )

    def _counted(self, **settings: Any) -> asyncio.Protocol:
        return CountedConnection(self._open, self.table.door.proxies, self._http(**settings))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(says_briefly())
        await super().startup(sockets)
        if self._share is not None:
            loop.add_reader(self._share.channel, self._take, loop, self._share)
            self._share.begin()

    def _take(self, loop: asyncio.AbstractEventLoop, share: Share) -> None:
        """Take the connections that were passed here. The process that accepts them may be gone: nobody stops this one."""
        try:
            for connection in share.connections():
                connection.settimeout(0)
                task = loop.create_task(loop.connect_accepted_socket(self._protocol, connection))
                self._taking.add(task)
                task.add_done_callback(self._taking.discard)
        except OSError as fault:
            loop.call_exception_handler({"message": "A connection is lost.", "exception": fault})
        except EOFError:
            loop.remove_reader(share.channel)
            self.stop()

    def _protocol(self) -> asyncio.Protocol:
        return self._counted(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, and end those that are open."""
        if self._share is not None:
            asyncio.get_running_loop().remove_reader(self._share.channel)
            self._share.end()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn says what it takes
        """End the streams and then the server, after which ``run`` returns; a second signal waits for nothing."""
        if sig == signal.SIGTERM and self._share is not None:
            before, self._told = self._told, monotonic()
            if self._told - before < TWICE:
                return
        if sig == signal.SIGTERM and self._drain and not self.table.node.is_draining:
            self.table.drain(self._drain, self.stop)
            return
        self.force_exit = self.should_exit
        self.stop()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the server is told to stop."""
        before, often = sys.getswitchinterval(), gc.get_threshold()
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *often[1:])
        gc.collect()
        gc.freeze()
        try:
            super().run(sockets)
        finally:
            gc.unfreeze()
            gc.set_threshold(*often)
            sys.setswitchinterval(before)

    def stop(self) -> None:
        """Stop soon. May be called from any thread."""
        self.table.end_streams()
        self.should_exit = True


def bound(host: str, port: int) -> socket.socket:
    """A listening socket, so that its port is known, and clients wait, before the server runs. Raises OSError."""
    # asyncio sends small answers at once only on a socket that was named TCP's: the client's acknowledgement takes 40 ms.
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(BACKLOG)
    except BaseException:
        made.close()
        raise
    return made
