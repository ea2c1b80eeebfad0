"""What is written to a connection in one go is sent in one go: the head of an answer together with its body.

uvicorn writes them one after the other, and each write is a call of the system. Where a bell makes hundreds of browsers ask at
once, these calls are most of what an answer costs that is ready.
"""

from __future__ import annotations

import asyncio
from typing import Any


class JoinedWrites:
    """A transport that sends what was written when the event loop's turn is over; all else is as the one below has it."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send this soon, after what was written before."""
        if not self._waiting:
            self._loop.call_soon(self._send)
        self._waiting.append(data)

    def write_at_once(self, data: bytes) -> None:
        """Send this now, after what waits."""
        if self._waiting:
            self._waiting.append(data)
        else:
            self._transport.write(data)

    def close(self) -> None:
        """Send what waits, and close."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and not self._transport.is_closing():
            self._transport.write(b"".join(waiting))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
