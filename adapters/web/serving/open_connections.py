"""Open connections: time limits for the head of a request and for idling, and the most of one address.

uvicorn waits for a first head without end, and counts all connections together. Both are bounded here from outside, by
the events of a connection in asyncio and ASGI: made, data received, request answered, lost.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import cast

import attrs
from starlette.types import ASGIApp, Receive, Scope, Send

from rollbook.adapters.web.guards.asked import Network, household, is_proxy
from rollbook.adapters.web.guards.limits import Limits

LOOKS = 4
"""Checks for late connections within the seconds that a head may take."""

Client = tuple[str, int]


class OpenConnections:
    """All connections of a server. Those without a request in progress rest, and are closed if there are too many.

    So a new connection replaces a resting one, and one with a request in progress is never closed for another.
    """

    def __init__(self, limits: Limits, files: int, idle: float) -> None:
        """``files`` may be open at once: one address gets at most a quarter of them, and all together half.

        A connection may rest for ``idle`` seconds after an answer. One without an address, a proxy's, is not counted.
        """
        self._seconds = limits.seconds_of_head
        self._idle = idle
        self._of_address = min(limits.connections, files // 4)
        self._of_all = files // 2
        self._many: Counter[str] = Counter()
        self._by_client: dict[Client, CountedConnection] = {}
        self._resting: dict[CountedConnection, float] = {}
        self._waiting: dict[CountedConnection, float] = {}
        self._looking: asyncio.TimerHandle | None = None

    def take(self, connection: CountedConnection) -> bool:
        """Count a new connection. False if there is no room: none of its address, or of the largest one, rests."""
        if not self._has_room(connection.address):
            return False
        if connection.address:
            self._many[connection.address] += 1
        self._by_client[connection.client] = connection
        self._resting[connection] = self._waiting[connection] = connection.loop.time()
        if self._looking is None:
            self._look_later(connection.loop)
        return True

    def _has_room(self, address: str) -> bool:
        if not address:
            return True
        if self._many[address] >= self._of_address:
            return self._close_longest(address)
        if self._many.total() >= self._of_all:
            ((crowd, _),) = self._many.most_common(1)
            return self._close_longest(crowd)
        return True

    def _close_longest(self, address: str) -> bool:
        """Close the connection of an address that has rested longest. False if none of them rests."""
        found = next((each for each in self._resting if each.address == address), None)
        if found is not None:
            self._close(found)
        return found is not None

    def _close(self, connection: CountedConnection) -> None:
        self.forget(connection)
        connection.abort()

    def forget(self, connection: CountedConnection) -> None:
        """Remove a connection that is closed, or about to be."""
        if self._by_client.get(connection.client) is not connection:
            return
        del self._by_client[connection.client]
        self._resting.pop(connection, None)
        self._waiting.pop(connection, None)
        if connection.address:
            self._many[connection.address] -= 1
            if not self._many[connection.address]:
                del self._many[connection.address]

    # Events of connections.

    def came(self, connection: CountedConnection) -> None:
        """Note received data: on a resting connection it is the beginning of a head, or all of it."""
        if connection in self._resting and connection not in self._waiting:
            self._waiting[connection] = connection.loop.time()

    def begin(self, client: Client) -> CountedConnection | None:
        """Note that a client's request is in progress, until ``end``."""
        found = self._by_client.get(client)
        if found is not None:
            found.answering += 1
            found.unread = 0
            self._waiting.pop(found, None)
            self._resting.pop(found, None)
        return found

    def end(self, connection: CountedConnection) -> None:
        """Note that a request has been answered."""
        connection.answering -= 1
        if not connection.answering and self._by_client.get(connection.client) is connection:
            self._resting[connection] = connection.loop.time()

    # Late connections.

    def _look_later(self, loop: asyncio.AbstractEventLoop) -> None:
        self._looking = loop.call_later(self._seconds / LOOKS, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self._looking = None
        now = loop.time()
        for kept, longest in ((self._waiting, self._seconds), (self._resting, self._idle)):
            for late in [each for each, since in kept.items() if now - since > longest]:
                self._close(late)
        if self._by_client:
            self._look_later(loop)


LONGEST_HEAD = 65_536
"""Bytes without a whole head after which a connection is closed: the parser sets no limit."""


class CountedConnection(asyncio.Protocol):
    """A connection around the ``inner`` one, which reads and answers. ``address`` is "" for a named proxy.

    ``answering`` is its number of requests in progress, ``unread`` the number of bytes since the last one began.
    """

    def __init__(self, connections: OpenConnections, proxies: Sequence[Network], inner: asyncio.Protocol) -> None:
        self._connections = connections
        self._proxies = proxies
        self._inner = inner
        self._is_taken = False
        self.answering = self.unread = 0
        self.loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection, or close it at once."""
        transport = cast("asyncio.Transport", transport)  # uvloop's is none by its class
        host, port = (transport.get_extra_info("peername") or ("", 0))[:2]
        self.client = (str(host), int(port))
        self.address = "" if is_proxy(str(host), self._proxies) else household(str(host))
        self.abort = transport.abort
        self._is_taken = self._connections.take(self)
        if self._is_taken:
            self._inner.connection_made(transport)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Pass data to ``inner``. After ``LONGEST_HEAD`` bytes without a request the connection is closed."""
        if not self._is_taken:
            return
        if self.unread > LONGEST_HEAD:
            self.abort()
            return
        if not self.answering:
            self.unread += len(data)
        self._connections.came(self)
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass on the end of the data."""
        return self._inner.eof_received() if self._is_taken else None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        if self._is_taken:
            self._connections.forget(self)
            self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        """Pass on that the client does not read."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that the client reads again."""
        self._inner.resume_writing()


@attrs.frozen(eq=False)
class NotedRequests:
    """The application, which notes the connections with requests in progress."""

    _app: ASGIApp
    _connections: OpenConnections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._connections.begin(scope["client"]) if scope["type"] == "http" else None
        try:
            await self._app(scope, receive, send)
        finally:
            if found is not None:
                self._connections.end(found)
