"""One of the processes that serve a store: whether it takes requests, what it says of that to a proxy, and what it counts."""

import logging
from collections.abc import Callable

from starlette.responses import PlainTextResponse, Response

from rollbook.adapters.web.logs import note
from rollbook.adapters.web.pages.page import NOT_KEPT, STRANGERS, Page, RequestContext

SILENT_FOR = 3.0
"""Seconds without an answer of the store after which a node says that it is not ready."""


Shows = Callable[[str, str, Callable[[], float]], None]
"""Takes a name, what it means, and what says the number as it is now, from any thread."""


class Counts:
    """What is told what happens, from any thread, and may count it. This one counts nothing."""

    def answered(self, page: Page, status: int, seconds: float) -> None:
        """A page was answered, in so many seconds."""

    def kept(self) -> None:
        """An answer was given that had been made for somebody else of the same audience."""

    def turned_away(self, path: str, status: int) -> None:
        """A guard let a request not pass."""

    def conflicts(self, page: Page, times: int) -> None:
        """So often somebody else was faster while a page's command was decided; it was decided again."""


class Node:
    """How a process stands. ``silence`` says for how many seconds the store has not answered."""

    def __init__(self, silence: Callable[[], float]) -> None:
        self._silence = silence
        self.is_draining = False

    def not_ready(self) -> str:
        """Why nothing should be sent here, in a sentence; "" if the node is ready."""
        if self.is_draining:
            return "This node is stopping, and takes nothing new."
        silent = self._silence()
        if silent == float("inf"):
            return "The store has not answered yet."
        return f"The store has not answered for {silent:.0f} seconds." if silent > SILENT_FOR else ""

    def drain(self) -> None:
        """Be ready for nothing more, from now on."""
        if not self.is_draining:
            self.is_draining = True
            note(logging.INFO, "draining", "The table stops.")

    def pages(self) -> tuple[Page, ...]:
        """What proxies and those who run the server ask: whether the process answers, and whether to send it anything."""

        async def health(_: RequestContext) -> Response:
            return PlainTextResponse("This process answers.\n", headers=NOT_KEPT)

        async def ready(_: RequestContext) -> Response:
            why = self.not_ready()
            return PlainTextResponse(f"{why or 'Ready.'}\n", 503 if why else 200, headers=NOT_KEPT)

        return (
            Page(path="/health", handler=health, roles=STRANGERS),
            Page(path="/ready", handler=ready, roles=STRANGERS),
        )
