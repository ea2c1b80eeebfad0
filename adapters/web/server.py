"""The server: uvicorn, which stops at once though streams are open."""

from __future__ import annotations

import socket
from types import FrameType

import uvicorn

from adapters.web.app import WebTable

PATIENCE = 1
"""Seconds that answers have, which are being made when the server is told to stop."""


class Server(uvicorn.Server):
    """A server of the table."""

    def __init__(self, app: WebTable, host: str, port: int) -> None:
        self._table = app
        super().__init__(
            uvicorn.Config(
                app,
                host=host,
                port=port,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws="none",
                lifespan="on",
                timeout_graceful_shutdown=PATIENCE,
            )
        )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn says what it takes
        """End the streams and then the server, after which ``run`` returns; a second signal waits for nothing."""
        self._table.hub.close()
        self.force_exit = self.should_exit
        self.should_exit = True

    def stop(self) -> None:
        """Stop soon; may be called from any thread."""
        self._table.hub.is_closing = True
        self.should_exit = True


def bound(host: str, port: int) -> socket.socket:
    """A socket that is bound, so that its port is known before the server runs. Raises OSError."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except BaseException:
        made.close()
        raise
    return made
