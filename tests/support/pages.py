"""Pages of ours in a real browser, driven by Playwright: Debian's Chromium without a window and without a network.

A page is opened from disk, as a reader would open it, or from a server of this test. What it asks of any other place, what its
own policy forbids and what its console warns of is noted, and a test that takes ``opened`` fails if there is any of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from tests.support.needs import needed, needs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
needs_chromium = needs("playwright", "chromium")

PHONE, TABLET, DESK = (360, 780), (800, 1_000), (1_400, 1_000)
"""Widths and heights that every page is looked at in."""


@attrs.define(slots=False)
class Noticed:
    """Things that no page may do: ``asked`` are its requests to a network, ``said`` faults, refusals and warnings.

    ``allowed`` is the address of the test's own server, and ``expected`` parts of messages that the test brings about itself.
    """

    asked: list[str] = attrs.field(factory=list)
    said: list[str] = attrs.field(factory=list)
    allowed: tuple[str, ...] = ()
    expected: list[str] = attrs.field(factory=list)

    def request(self, request: Request) -> None:
        """Note what is not on disk, in the page itself or from the test's own server."""
        if not request.url.startswith(("file:", "data:", "blob:", *self.allowed)):
            self.asked.append(request.url)

    def message(self, message: ConsoleMessage) -> None:
        """Note a fault or a warning; a policy that was broken is one."""
        if message.type in ("error", "warning"):
            self.fault(message.text)

    def fault(self, text: str) -> None:
        """Note a message, unless it is expected."""
        if not any(part in text for part in self.expected):
            self.said.append(text)

    def check(self) -> None:
        """Fail if anything was noted."""
        assert self.asked == []
        assert self.said == []

    def watch(self, page: Page) -> None:
        """Note what a page does from now on."""
        page.on("request", lambda request: self.request(request))
        page.on("console", lambda message: self.message(message))
        page.on("pageerror", lambda fault: self.fault(str(fault)))


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window. Skips the test where it or Playwright is not installed."""
    needed("playwright")
    path = needed("chromium")
    with import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def page_of(
    browser: Browser, *, size: tuple[int, int] = DESK, dark: bool = False, calm: bool = False
) -> Iterator[Page]:
    """A page in a room of its own that has no network; leaving it checks that nothing was asked for and nothing went wrong."""
    noticed = Noticed()
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if calm else "no-preference",
        offline=True,
        timezone_id="UTC",
        locale="en-GB",
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    noticed.watch(page)
    try:
        yield page
        noticed.check()
    finally:
        context.close()


@attrs.define(slots=False)
class Visitor:
    """A visitor of a table's server with a browser of their own: a context with their cookie, and what its pages did."""

    context: BrowserContext
    address: str
    noticed: Noticed

    def open(self, path: str) -> Page:
        """A page of the server, when its script has begun."""
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        self.noticed.watch(page)
        self.go(page, path)
        return page

    def go(self, page: Page, path: str) -> None:
        """Go on to another page of the server."""
        page.goto(f"{self.address}{path}")
        if self.has_scripts:
            page.wait_for_selector("html[data-ready]")

    has_scripts: bool = True


@contextmanager
def visitor(
    browser: Browser,
    address: str,
    cookies: Sequence[Any],
    *,
    size: tuple[int, int] = DESK,
    dark: bool = False,
    calm: bool = True,
    scripts: bool = True,
    scale: float = 1,
) -> Iterator[Visitor]:
    """A visitor of a server; leaving checks that their pages made no other requests and that nothing went wrong."""
    noticed = Noticed(allowed=(address,))
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if calm else "no-preference",
        timezone_id="UTC",
        locale="en-GB",
        java_script_enabled=scripts,
        has_touch=size == PHONE,
        device_scale_factor=scale,
    )
    try:
        context.add_cookies(list(cookies))
        yield Visitor(context, address, noticed, scripts)
        noticed.check()
    finally:
        context.close()


def expect(found: object) -> Any:
    """Playwright's assertion, with waiting, on something on a page. Looked up late, as it may not be installed."""
    waiting = import_module("playwright.sync_api").expect
    waiting.set_options(timeout=20_000)
    return waiting(found)


def wait_until(page: Page, holds: str, seconds: float = 30) -> None:
    """Wait until an expression is true in the page, from outside: its policy lets nothing in it evaluate text."""
    failed = import_module("playwright.sync_api").Error
    for _ in range(int(seconds * 20)):
        try:
            if page.evaluate(holds):
                return
        except failed as fault:
            if "context was destroyed" not in str(fault):  # it is on its way to another page
                raise
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came about that {holds}")


Opened = Callable[..., "Page"]


class HeldRequests:
    """Holds back the requests to an address, after ``passing`` of them went through, until the test lets them go on."""

    def __init__(self, page: Page, address: str, *, passing: int = 0) -> None:
        self._page, self._passing, self._open = page, passing, False
        self._held: list[Route] = []
        page.route(address, self._answer)

    def _answer(self, route: Route) -> None:
        if self._open or self._passing > 0:
            self._passing -= 1
            route.continue_()
        else:
            self._held.append(route)

    def wait(self, seconds: float = 30) -> HeldRequests:
        """Until one is held. AssertionError if nobody asks in that time."""
        until = time.monotonic() + seconds
        while not self._held:
            assert time.monotonic() < until, "nobody asked"
            self._page.wait_for_timeout(20)
        return self

    def release(self) -> None:
        """Let what is held go on, and hold nothing back any more."""
        self._open = True
        while self._held:
            self._held.pop(0).continue_()


@pytest.fixture(scope="session")
def a_browser() -> Iterator[Browser]:
    """One browser for all tests of a process, which has one Playwright at a time."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def opened(a_browser: Browser) -> Iterator[Opened]:
    """Open a file: ``opened(path, "#31", size=PHONE, dark=True)``."""
    rooms = []

    def open_file(path: Path, fragment: str = "", **room: object) -> Page:
        entered = page_of(a_browser, **room)  # type: ignore[arg-type]
        page = entered.__enter__()
        rooms.append(entered)
        page.goto(f"{path.as_uri()}{fragment}")
        return page

    yield open_file
    for entered in reversed(rooms):
        entered.__exit__(None, None, None)


def axe() -> Any:
    """Checker of accessibility in a page, as ``axe().run(page)``. Skips the test where it is not installed."""
    needed("axe_playwright_python")
    return import_module("axe_playwright_python.sync_playwright").Axe()


def drawn(page: Page) -> Page:
    """The page, once a frame is drawn that began after all that was pressed: a replay draws with the next frame."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
    return page
