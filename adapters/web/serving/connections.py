"""Connections of browsers: uvicorn's own, which send at once what is ready for them.

After a bell hundreds of browsers ask for an answer that is kept. A plain GET request that has come whole is read here and
answered in the same call, with no task. All other requests, and those that differ from it in the least, are uvicorn's,
which reads them from their first byte.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from functools import lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol, cast
from urllib.parse import unquote
from weakref import ref

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from rollbook.adapters.web.live.bells import SEND_AT_ONCE
from rollbook.adapters.web.serving.joined_writes import JoinedWrites

if TYPE_CHECKING:
    from starlette.types import Scope

    from rollbook.adapters.web.guards.requests import AtOnce

PLAIN = re.compile(rb"GET (/c/[!-~]*) HTTP/1\.1\r\n((?:[A-Za-z0-9-]+: [!-~](?:[ -~]*[!-~])?\r\n)+)\r\n")
"""A request that needs no more than to be split: one line each, all of it printable ASCII, and nothing after the empty line."""
NOT_PLAIN = frozenset((b"connection", b"content-length", b"expect", b"te", b"transfer-encoding", b"upgrade"))
"""Headers that say something of the connection or a body; ``Connection: keep-alive`` says what is the case anyway."""
KEPT_OPEN = (b"connection", b"keep-alive")
NEEDED = attrgetter(
    *("app", "app_state", "asgi_version", "client", "conn", "flow.write_paused", "loop", "scheme", "scope", "server"),
    *("server_state.default_headers", "server_state.total_requests"),
    *("timeout_keep_alive", "timeout_keep_alive_task", "transport"),
)
"""What is used of uvicorn's connections beyond their interface. Where a later one has others, all requests are left to it."""
LONGEST = 16_384

Headers = tuple[tuple[bytes, bytes], ...]


@lru_cache(512)
def plain_headers(lines: bytes) -> Headers | None:
    """The headers of a plain request, None if they say more. A browser sends the same ones each time."""
    headers = tuple(
        (name.lower(), value) for name, _, value in (line.partition(b": ") for line in lines.split(b"\r\n")[:-1])
    )
    is_plain = all(header == KEPT_OPEN or header[0] not in NOT_PLAIN for header in headers)
    return headers if is_plain and [name for name, _ in headers].count(b"host") == 1 else None


class AnswersAtOnce(Protocol):
    """An application that may have an answer ready."""

    def at_once(self, scope: Scope) -> AtOnce | None:
        """What is sent for a GET request, None if it has to be worked out."""


class TableConnection(H11Protocol):
    """One connection. What is written to it in one turn of the loop is sent in one go."""

    _asked_at = float("-inf")
    _is_known = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(cast("asyncio.Transport", JoinedWrites(transport, asyncio.get_running_loop())))
        with suppress(AttributeError):
            self._is_known = bool(NEEDED(self))
            self.app_state = {**self.app_state, SEND_AT_ONCE: partial(_sent_over, ref(self))}

    def data_received(self, data: bytes) -> None:
        """Answer what can be answered at once; uvicorn does the rest."""
        if not (self._is_known and self._is_answered(data)):
            super().data_received(data)

    def _is_answered(self, data: bytes) -> bool:
        scope = self._plain(data) if self._is_between_requests() else None
        if scope is None:
            return False
        try:
            ready = cast("AnswersAtOnce", self.app).at_once(scope)
        except Exception:  # noqa: BLE001 - it happens to uvicorn's request, too, and is said there
            return False
        if ready is None:
            return False
        begin = b"HTTP/1.1 %d %b\r\n" % (ready.status, STATUS_PHRASES[ready.status])
        ours = b"".join(b"%b: %b\r\n" % header for header in self.server_state.default_headers)
        cast("JoinedWrites", self.transport).write_at_once(b"".join((begin, ours, ready.written)))
        self.server_state.total_requests += 1
        self._stay_open()
        return True

    def send_at_once(self, piece: bytes) -> bool:
        """Send a piece of the answer that is being given, if it goes out in chunks and nothing waits to go out before it."""
        is_in_chunks = self.scope["http_version"] == "1.1" and self.scope["method"] == "GET"
        if not is_in_chunks or self.conn.our_state is not h11.SEND_BODY or self._is_held_up():
            return False
        cast("JoinedWrites", self.transport).write_at_once(b"%x\r\n%b\r\n" % (len(piece), piece))
        return True

    def _is_held_up(self) -> bool:
        """Whether what is written would not go out."""
        return self.flow.write_paused or self.transport.is_closing()

    def _is_between_requests(self) -> bool:
        """Whether nothing is being answered, nothing waits to be read and what is written goes out."""
        is_idle = self.conn.our_state is h11.IDLE and self.conn.their_state is h11.IDLE
        return is_idle and not self._is_held_up() and not self.conn.trailing_data[0]

    def _plain(self, data: bytes) -> Scope | None:
        found = PLAIN.fullmatch(data) if len(data) < LONGEST else None
        headers = plain_headers(found[2]) if found else None
        if found is None or headers is None:
            return None
        path, _, query = found[1].partition(b"?")
        return {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": "1.1",
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "method": "GET",
            "root_path": "",
            "path": unquote(path.decode("ascii")),
            "raw_path": path,
            "query_string": query,
            "headers": [*headers],
            "state": self.app_state.copy(),
        }

    def _stay_open(self) -> None:
        """Stay open for as long as after any answer. The timer that runs already is left to run: it looks when it ends."""
        self._asked_at = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection on which nothing has been asked for so long."""
        left = self._asked_at + self.timeout_keep_alive - self.loop.time()
        if left > 0 and not self.transport.is_closing():
            self.timeout_keep_alive_task = self.loop.call_later(left, self.timeout_keep_alive_handler)
        else:
            super().timeout_keep_alive_handler()


def _sent_over(connection: ref[TableConnection], piece: bytes) -> bool:
    """A request knows its connection by this, and does not hold it."""
    found = connection()
    return found is not None and found.send_at_once(piece)
