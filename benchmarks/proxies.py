"""Caddy and nginx as ``deploy/`` sets them up, at a port of this computer and without certificates."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
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
def proxied(path: str, folder: Path, nodes: Sequence[int], page: str = "/c/first") -> Iterator[int]:
    """The proxy of a program (its path) in front of servers at these ports; its port, once it answers for a page."""
    port = free_port()
    if Path(path).name == "caddy":
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
            is_starting = running.poll() is None and time.monotonic() < end
            assert is_starting, (folder / "log").read_text(errors="replace")
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
