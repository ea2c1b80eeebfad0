"""The server as a process of its own, as people start it: it can be killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from urllib.error import HTTPError
from urllib.request import urlopen

import attrs

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import WebTable, create_app
from tests.support.stores import ROOT
from tests.support.web import StoreFiles, cookie, cookie_name


@attrs.define
class Serving:
    """A process that serves a store, and the application of the same store in this one, which knows the same seats."""

    process: subprocess.Popen[str]
    app: WebTable
    address: str

    def cookies(self, identity: Identity) -> list[dict[str, str]]:
        """Cookies for a browser's context."""
        return [{"name": cookie_name(self.app), "value": cookie(self.app, identity), "url": self.address}]


def serving(files: StoreFiles, port: int) -> Serving:
    """``rollbook serve`` for a store. Stop it."""
    own = {"ROLLBOOK_SEEDS": str(files.seeds), "XDG_STATE_HOME": str(files.store.parent / "state")}
    command = [sys.executable, "-m", "rollbook", "--store", str(files.store), "serve", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **own},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return Serving(process, create_app(files.store, files.seeds), f"http://127.0.0.1:{port}")


def answering(server: Serving, seconds: float = 30) -> str:
    """The address of a server, once it answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            urlopen(f"{server.address}/", timeout=5)
        except HTTPError:
            return server.address
        except OSError:
            assert time.monotonic() < end, "it never answered"
            time.sleep(0.05)
        else:
            return server.address
