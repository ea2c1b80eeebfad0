"""Caddy and nginx as ``deploy/`` sets them up, in front of small servers that only say which of them was asked."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.proxies import DEPLOY, NAME, caddyfile, nginx_conf, proxied, status
from tests.support.needs import needed

__all__ = ["DEPLOY", "NAME", "Asked", "ask", "caddyfile", "nginx_conf", "proxy", "status"]


class Asked(ThreadingHTTPServer):
    """A server at a port of its own that answers with its number, to the table's name alone."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, number: int) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.number = number
        self.is_ready = True
        self.headers_seen: list[dict[str, str]] = []
        self._lines: list[socket.socket] = []
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def finish_request(self, request, client_address) -> None:
        self._lines.append(request)
        super().finish_request(request, client_address)

    def stop(self) -> None:
        """Be gone, with all lines that are open."""
        self.shutdown()
        self.server_close()
        for line in self._lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Asked

    def do_GET(self) -> None:
        is_known = self.headers["Host"] == NAME
        code = 421 if not is_known else 503 if self.path == "/ready" and not self.server.is_ready else 200
        if self.path != "/ready":
            self.server.headers_seen.append(dict(self.headers))
        said = str(self.server.number).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def proxy(program: str, folder: Path, nodes: Sequence[int], page: str = "/c/first") -> Iterator[int]:
    """The proxy in front of servers at these ports; the port that it listens at. Skipped without the program."""
    with proxied(needed(program), folder, nodes, page) as port:
        yield port


def ask(port: int, path: str) -> int | None:
    """Number of the server that answers for a page; None if none does."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": NAME})
        answer = connection.getresponse()
        said = answer.read()
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
    return int(said) if answer.status == 200 else None
