"""Connections that are open: how long one may take to ask for something, and how many one address may have of them.

uvicorn waits for a first head without end, and counts connections for everybody together. Both are bounded here from outside,
by what asyncio and ASGI say of a connection: it was made, something came, a request is answered, it was lost.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import attrs
from starlette.types import Receive, Scope, Send

from rollbook.adapters.web.guards.asked import Network, household, is_proxy
from rollbook.adapters.web.guards.limits import Limits
from rollbook.adapters.web.serving.app import WebTable

LOOKS = 4
"""So often in the seconds that a head may take it is looked at which connections have taken too long."""

Client = tuple[str, int]


class OpenConnections:
    """All connections of a server. Those on which nothing is being answered rest, and are closed where there are too many.

    So a newcomer is let in before connections that ask for nothing, and one that is being answered is never closed for another.
    """

    def __init__(self, limits: Limits, files: int, idle: float) -> None:
        """``files`` may be open at once: a quarter of them is the most for one address, half of them for all together.

        A connection that was answered may rest for ``idle`` seconds. One without an address, of a proxy, has no such limits.
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
        """Count a new connection. False if there is no room for it: all others of its address are being answered."""
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
        """A connection is closed, or about to be."""
        if self._by_client.get(connection.client) is not connection:
            return
        del self._by_client[connection.client]
        self._resting.pop(connection, None)
        self._waiting.pop(connection, None)
        if connection.address:
            self._many[connection.address] -= 1
            if not self._many[connection.address]:
                del self._many[connection.address]

    # What happens on them.

    def came(self, connection: CountedConnection) -> None:
        """Something came: if it is not part of what is being answered, it is the begin of a head, or all of it."""
        if connection in self._resting and connection not in self._waiting:
            self._waiting[connection] = connection.loop.time()

    def begin(self, client: Client) -> CountedConnection | None:
        """A request of a client is being answered, until ``end``."""
        found = self._by_client.get(client)
        if found is not None:
            found.answering += 1
            found.unread = 0
            self._waiting.pop(found, None)
            self._resting.pop(found, None)
        return found

    def end(self, connection: CountedConnection) -> None:
        """A request has been answered."""
        connection.answering -= 1
        if not connection.answering and self._by_client.get(connection.client) is connection:
            self._resting[connection] = connection.loop.time()

    # What takes too long.

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
"""Bytes after which a connection is closed that has not sent the whole head of a request: the parser sets no bound."""


class CountedConnection(asyncio.Protocol):
    """A connection around the ``inner`` one, which reads and answers. ``address`` is "" if it is of a proxy that was named.

    So many requests on it are being answered (``answering``), and so many bytes have come since one began last (``unread``).
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
        assert isinstance(transport, asyncio.Transport)
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
        """Have it read. Where more and more comes and no request begins, the connection is closed."""
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
        """Nothing more comes."""
        return self._inner.eof_received() if self._is_taken else None

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        if self._is_taken:
            self._connections.forget(self)
            self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        """Pass on that what is written does not go out."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that it goes out again."""
        self._inner.resume_writing()


@attrs.frozen(eq=False)
class NotedRequests:
    """The application, with a note of which connections have a request that is being answered."""

    _app: WebTable
    _connections: OpenConnections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._connections.begin(scope["client"]) if scope["type"] == "http" else None
        try:
            await self._app(scope, receive, send)
        finally:
            if found is not None:
                self._connections.end(found)
