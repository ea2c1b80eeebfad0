"""A real browser without a window, driven over the WebDriver protocol: pages, scripts, clicks and pictures.

Chromium and its driver come from Debian (``apt-get install chromium chromium-driver``). The protocol is JSON over HTTP, so that
nothing else is needed. A page is served from 127.0.0.1, which browsers trust like https, or under a name that they do not trust.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from tests.support.needs import needed, needs

needs_browser = needs("chromium", "chromedriver")

UNTRUSTED = "table.example"
"""A name under which a page is served without https: no browser gives it WebCrypto."""

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1200,900",
    f"--host-resolver-rules=MAP {UNTRUSTED} 127.0.0.1",
)


class Browser:
    """One session of the browser, with an empty profile, until it is closed."""

    def __init__(self, profile: Path) -> None:
        self._driver = subprocess.Popen([needed("chromedriver"), "--port=0"], stdout=subprocess.PIPE, text=True)
        assert self._driver.stdout is not None
        port = next(
            found[1] for line in self._driver.stdout if (found := re.search(r"successfully on port (\d+)", line))
        )
        self._session = f"http://127.0.0.1:{port}/session"
        options = {"binary": needed("chromium"), "args": [*ARGUMENTS, f"--user-data-dir={profile}"]}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "timeouts": {"script": 120_000}}}}
        self._session += f"/{self._ask('', wanted)['sessionId']}"

    def _ask(self, path: str, body: object = None, method: str = "") -> Any:
        """The driver's answer to a command; raises AssertionError with its own words if it refuses."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._session + path, data, {"Content-Type": "application/json"}, method=method or None)
        try:
            with urlopen(request, timeout=150) as answer:
                return json.load(answer)["value"]
        except OSError as fault:
            raise AssertionError(fault.read().decode() if hasattr(fault, "read") else str(fault)) from None

    def open(self, address: str) -> None:
        """Go to a page and wait until it is loaded."""
        self._ask("/url", {"url": address})

    def run(self, script: str, *values: object) -> Any:
        """Run a script in the page and return its result, or its promise's. It finds the values in ``arguments``."""
        return self._ask("/execute/sync", {"script": script, "args": values})

    def click(self, selector: str) -> None:
        """Click what a CSS selector finds first."""
        found = self._ask("/element", {"using": "css selector", "value": selector})
        self._ask(f"/element/{next(iter(found.values()))}/click", {})

    def text(self, selector: str = "body") -> str:
        """The text of the first element that a CSS selector finds."""
        found = self._ask("/element", {"using": "css selector", "value": selector})
        return str(self._ask(f"/element/{next(iter(found.values()))}/text"))

    def picture(self) -> bytes:
        """The window as PNG."""
        return base64.b64decode(self._ask("/screenshot"))

    def close(self) -> None:
        """End the browser and its driver."""
        try:
            self._ask("", method="DELETE")
        finally:
            self._driver.terminate()
            self._driver.wait(timeout=20)
            if self._driver.stdout is not None:
                self._driver.stdout.close()


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """A browser that is closed at the end, whatever happens."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(Path(profile))
        try:
            yield browser
        finally:
            browser.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """The port on which the files of a folder can be had."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
