"""A server that may have few files open: ``python -m tests.support.narrow_server STORE SEEDS FILES SECONDS PARSER [PROXY]``.

Heads of requests have so many SECONDS. It prints its port and a GM's cookie as JSON, and runs until it is told to stop.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import attrs
from uvicorn.config import HTTP_PROTOCOLS
from uvicorn.importer import import_from_string

from rollbook.adapters.web.guards.asked import proxies_from
from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.web.serving.listening import Server, bound
from tests.support.clean_environment import ROOT
from tests.support.needs import missing
from tests.support.web import MIRA, StoreFiles, cookie, cookie_name

PARSERS = ("h11",) if missing("httptools") else ("h11", "httptools")
"""Parsers of requests that are installed; the last one is the default. The first runs in asyncio's own loop."""


@attrs.frozen
class Narrow:
    """Such a server, in a process of its own."""

    process: subprocess.Popen[str]
    port: int
    cookie: str

    def stop(self) -> str:
        """Stop it. Returns what it has said on stderr."""
        self.process.terminate()
        return self.process.communicate(timeout=20)[1]


@contextmanager
def narrow(
    files: StoreFiles, *, open_files: int, seconds: float, parser: str = PARSERS[-1], proxy: str = ""
) -> Iterator[Narrow]:
    words = (str(files.store), str(files.seeds), str(open_files), str(seconds), parser, proxy)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.narrow_server", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            said = json.loads(process.stdout.readline())
            yield Narrow(process, said["port"], said["cookie"])
        finally:
            process.kill()


def serve(store: Path, seeds: Path, open_files: int, seconds: float, parser: str, proxy: str) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    limits = Limits(seconds_of_head=seconds, seconds_of_silence=seconds, slowest_body=1_000)
    app = create_app(store, seeds, Door(limits=limits, proxies=proxies_from([proxy] if proxy else ())))
    listening = bound("127.0.0.1", 0)
    port = listening.getsockname()[1]
    print(json.dumps({"port": port, "cookie": f"{cookie_name(app)}={cookie(app, MIRA)}"}), flush=True)  # noqa: T201
    loop: Literal["auto", "asyncio"] = "asyncio" if parser == PARSERS[0] else "auto"
    Server(app, "127.0.0.1", port, http=import_from_string(HTTP_PROTOCOLS[parser]), loop=loop).run(sockets=[listening])


if __name__ == "__main__":
    serve(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5], sys.argv[6])
