"""Caddy and nginx as ``deploy/`` sets them up, in front of small servers that only say which of them was asked."""

from __future__ import annotations

import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.ports import free_port
from tests.support.needs import needed
from tests.support.processes import ROOT

DEPLOY = ROOT / "deploy"
NAME = "table.example"
PATIENCE = 30.0


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


def caddyfile(port: int) -> str:
    """``deploy/Caddyfile`` at a port of this computer, without certificates."""
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    site = "{$ROLLBOOK_NAME:table.example} {"
    assert text.count(f"\n{site}\n") == text.count("\n{\n") == 1
    text = text.replace("\n{\n", "\n{\n\tadmin off\n\tauto_https off\n")
    return text.replace(site, f"http://{NAME}:{port} {{", 1)


def nginx_conf(folder: Path, port: int, nodes: Sequence[int]) -> str:
    """A whole configuration with ``deploy/nginx.conf`` in it, at a port of this computer, without certificates."""
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8").rpartition("server {\n    listen 80;")[0]
    lines = [line for line in site.splitlines() if "ssl_" not in line]
    site = "\n".join(lines).replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    for place, node in enumerate(nodes, 11):
        assert f"10.0.0.{place}:7655" in site
        site = site.replace(f"10.0.0.{place}:7655", f"127.0.0.1:{node}")
    temporary = "\n".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{temporary}\n{site}\n}}\n"


@contextmanager
def proxy(program: str, folder: Path, nodes: Sequence[int], page: str = "/c/first") -> Iterator[int]:
    """The proxy in front of servers at these ports; the port that it listens at, once it answers for a page."""
    path, port = needed(program), free_port()
    if program == "caddy":
        (folder / "Caddyfile").write_text(caddyfile(port), encoding="utf-8")
        command = [path, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    else:
        (folder / "nginx.conf").write_text(nginx_conf(folder, port, nodes), encoding="utf-8")
        command = [path, "-c", str(folder / "nginx.conf"), "-p", str(folder), "-e", "stderr"]
    places = " ".join(f"127.0.0.1:{node}" for node in nodes)
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(
            command,
            env={"ROLLBOOK_NODES": places, "HOME": str(folder), "PATH": "/usr/bin:/bin"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        end = time.monotonic() + PATIENCE
        while status(port, page) != 200:
            assert running.poll() is None and time.monotonic() < end, (folder / "log").read_text(errors="replace")
            time.sleep(0.05)
        yield port
    finally:
        running.terminate()
        running.wait(timeout=PATIENCE)


def status(port: int, path: str) -> int:
    """Status of the answer for a page, 0 if there is none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": NAME})
        return connection.getresponse().status
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()


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
