"""Connections that are open: how long one may take to ask for something, and how many one address may have of them.

uvicorn waits for a first head without end, and counts connections for everybody together. Both are bounded here from outside,
by what asyncio and ASGI say of a connection: it was made, something came, a request is answered, it was lost.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from rollbook.adapters.web.guards.limits import Limits

LOOKS = 4
"""So often in the seconds that a head may take it is looked at which connections have taken too long."""

Client = tuple[str, int]


class Connection(Protocol):
    """A connection from an ``address``, "" if it is of a proxy, on which so many requests are being answered.

    So many bytes are ``unread`` as have come since a request began last.
    """

    client: Client
    address: str
    answering: int
    unread: int
    loop: asyncio.AbstractEventLoop
    abort: Callable[[], None]


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
        self._by_client: dict[Client, Connection] = {}
        self._resting: dict[Connection, float] = {}
        self._waiting: dict[Connection, float] = {}
        self._looking: asyncio.TimerHandle | None = None

    def take(self, connection: Connection) -> bool:
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

    def _close(self, connection: Connection) -> None:
        self.forget(connection)
        connection.abort()

    def forget(self, connection: Connection) -> None:
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

    def came(self, connection: Connection) -> None:
        """Something came: if it is not part of what is being answered, it is the begin of a head, or all of it."""
        if connection in self._resting and connection not in self._waiting:
            self._waiting[connection] = connection.loop.time()

    def begin(self, client: Client) -> Connection | None:
        """A request of a client is being answered, until ``end``."""
        found = self._by_client.get(client)
        if found is not None:
            found.answering += 1
            found.unread = 0
            self._waiting.pop(found, None)
            self._resting.pop(found, None)
        return found

    def end(self, connection: Connection) -> None:
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
