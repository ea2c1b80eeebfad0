"""A connection that is counted, and the application around which it is noted on which of them a request is being answered."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from starlette.types import Receive, Scope, Send

from rollbook.adapters.web.guards.forwarded import Network, household, is_proxy
from rollbook.adapters.web.serving.app import WebTable
from rollbook.adapters.web.serving.open_connections import OpenConnections

LONGEST_HEAD = 65_536
"""Bytes after which a connection is closed that has not sent the whole head of a request: the parser sets no bound."""


class CountedConnection(asyncio.Protocol):
    """A connection around the ``inner`` one, which reads and answers. ``address`` is "" if it is of a proxy that was named."""

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


class NotedRequests:
    """The application, with a note of which connections have a request that is being answered."""

    def __init__(self, app: WebTable, connections: OpenConnections) -> None:
        self._app = app
        self._connections = connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        found = self._connections.begin(scope["client"]) if scope["type"] == "http" else None
        try:
            await self._app(scope, receive, send)
        finally:
            if found is not None:
                self._connections.end(found)
