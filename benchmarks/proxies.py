"""Caddy and nginx as ``deploy/`` sets them up, at a port of this computer; without certificates, or nginx with one of its own."""

from __future__ import annotations

import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path

from benchmarks.measures import ROOT
from benchmarks.ports import free_port

DEPLOY = ROOT / "deploy"
NAME = "table.example"
PATIENCE = 30.0


def caddyfile(port: int) -> str:
    """``deploy/Caddyfile`` at a port of this computer, without certificates."""
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    site = "{$ROLLBOOK_NAME:table.example} {"
    assert text.count(f"\n{site}\n") == text.count("\n{\n") == 1
    text = text.replace("\n{\n", "\n{\n\tadmin off\n\tauto_https off\n")
    return text.replace(site, f"http://{NAME}:{port} {{", 1)


def nginx_conf(folder: Path, port: int, nodes: Sequence[int], certificate: Path | None = None) -> str:
    """A whole configuration with ``deploy/nginx.conf`` in it, at a port of this computer.

    A ``certificate`` has its key beside it; without one nginx speaks plain HTTP. Nodes after the third are added.
    """
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8").rpartition("server {\n    listen 80;")[0]
    if certificate is None:
        site = "\n".join(line for line in site.splitlines() if "ssl_" not in line)
        site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    else:
        site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;")
        site = site.replace("/etc/ssl/table.example", str(certificate.with_suffix("")))
    *_, last = (line for line in site.splitlines() if "10.0.0.13:7655" in line)
    more = (last.replace("10.0.0.13", f"10.0.0.{place}") for place in range(14, 11 + len(nodes)))
    site = site.replace(last, "\n".join((last, *more)))
    for place, node in enumerate(nodes, 11):
        assert f"10.0.0.{place}:7655" in site
        site = site.replace(f"10.0.0.{place}:7655", f"127.0.0.1:{node}")
    temporary = "\n".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{temporary}\n{site}\n}}\n"


def own_certificate(folder: Path) -> Path:
    """A certificate for the table's name that nobody else trusts, with its key beside it."""
    path, key = folder / "table.pem", folder / "table.key"
    names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    made: list[str] = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-keyout",
        str(key),
        "-out",
        str(path),
    ]
    subprocess.run([*made, *names], check=True, capture_output=True)
    return path


@contextmanager
def proxied(
    path: str, folder: Path, nodes: Sequence[int], page: str = "/c/first", certificate: Path | None = None
) -> Iterator[int]:
    """The proxy of a program (its path) in front of servers at these ports; its port, once it answers for a page.

    A ``certificate`` is for nginx, as ``own_certificate`` makes it.
    """
    port = free_port()
    if Path(path).name == "caddy":
        (folder / "Caddyfile").write_text(caddyfile(port), encoding="utf-8")
        command = [path, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    else:
        (folder / "nginx.conf").write_text(nginx_conf(folder, port, nodes, certificate), encoding="utf-8")
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
        while status(port, page, certificate) != 200:
            is_starting = running.poll() is None and time.monotonic() < end
            assert is_starting, (folder / "log").read_text(errors="replace")
            time.sleep(0.05)
        yield port
    finally:
        running.terminate()
        running.wait(timeout=PATIENCE)


def trusting(certificate: Path) -> ssl.SSLContext:
    """A context that trusts a certificate and no other."""
    return ssl.create_default_context(cafile=str(certificate))


class _Named(HTTPSConnection):
    """A connection to this computer, by the table's name."""

    def connect(self) -> None:
        plain = socket.create_connection((self.host, self.port), self.timeout)
        self.sock = self._context.wrap_socket(plain, server_hostname=NAME)  # type: ignore[attr-defined]


def status(port: int, path: str, certificate: Path | None = None) -> int:
    """Status of the answer for a page, 0 if there is none."""
    connection = (
        HTTPConnection("127.0.0.1", port, timeout=10)
        if certificate is None
        else _Named("127.0.0.1", port, timeout=10, context=trusting(certificate))
    )
    try:
        connection.request("GET", path, headers={"Host": NAME})
        return connection.getresponse().status
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()
