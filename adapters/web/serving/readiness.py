"""A node, one of the processes that serve a store: its readiness, its pages for proxies, and its counts."""

import logging
from collections.abc import Callable

from starlette.responses import PlainTextResponse, Response

from rollbook.adapters.web.logs import note
from rollbook.adapters.web.pages.page import NOT_KEPT, STRANGERS, Page, RequestContext

SILENT_FOR = 3.0
"""Seconds without an answer of the store after which a node is not ready."""


Shows = Callable[[str, str, Callable[[], float]], None]
"""Adds a gauge: its name, its meaning, and a function that returns its current value, from any thread."""


class Counts:
    """Receiver of what happens, from any thread, to count it. This one counts nothing."""

    def answered(self, page: Page, status: int, seconds: float) -> None:
        """Count an answer to a page, made in ``seconds``."""

    def kept(self) -> None:
        """Count a cached answer of the same audience."""

    def turned_away(self, path: str, status: int) -> None:
        """Count a request that no guard let pass."""

    def conflicts(self, page: Page, times: int) -> None:
        """Count the times that other entries came first while a page's command was decided; it was decided again."""


class Node:
    """The readiness of a process.

    ``silence`` returns the seconds since the store's last answer, ``rules_differ`` why its rules are not in force, or "".
    """

    def __init__(self, silence: Callable[[], float], rules_differ: Callable[[], str] = str) -> None:
        self._silence = silence
        self._rules_differ = rules_differ
        self.is_draining = False

    def not_ready(self) -> str:
        """The reason why the node is not ready, in a sentence; "" if it is."""
        if self.is_draining:
            return "This node is stopping, and takes nothing new."
        silent = self._silence()
        if silent == float("inf"):
            return "The store has not answered yet."
        if silent > SILENT_FOR:
            return f"The store has not answered for {silent:.0f} seconds."
        return self._rules_differ()

    def drain(self) -> None:
        """Be not ready from now on."""
        if not self.is_draining:
            self.is_draining = True
            note(logging.INFO, "draining", "The table stops.")

    def pages(self) -> tuple[Page, ...]:
        """The pages for proxies and operators: ``/health`` (the process answers) and ``/ready`` (it takes requests)."""

        async def health(_: RequestContext) -> Response:
            return PlainTextResponse("This process answers.\n", headers=NOT_KEPT)

        async def ready(_: RequestContext) -> Response:
            why = self.not_ready()
            return PlainTextResponse(f"{why or 'Ready.'}\n", 503 if why else 200, headers=NOT_KEPT)

        return (
            Page(path="/health", handler=health, roles=STRANGERS),
            Page(path="/ready", handler=ready, roles=STRANGERS),
        )
