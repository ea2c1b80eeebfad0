"""A request that is cut short while its command is carried out: all who listen hear of what it did."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlencode

import attrs
import pytest
from starlette.responses import Response

from rollbook.adapters.web.pages.page import Page, RequestContext
from rollbook.adapters.web.serving import page_answers
from rollbook.adapters.web.serving.page_answers import PageAnswers
from rollbook.adapters.web.watching.watcher import FileWatcher
from tests.support.streams import Reader
from tests.support.web import GM, JO, MIRA, SHERWOOD, SPECTATOR, Running, StoreFiles, reader, running, until

STREAM = f"/c/{SHERWOOD}/stream"


@attrs.define
class Command:
    """A command that waits in the midst of being carried out; ``task`` is that of its request."""

    begun: threading.Event = attrs.field(factory=threading.Event)
    may_go_on: threading.Event = attrs.field(factory=threading.Event)
    task: asyncio.Task[object] | None = None
    loop: asyncio.AbstractEventLoop | None = None

    def cancel(self) -> None:
        assert self.task is not None and self.loop is not None
        self.loop.call_soon_threadsafe(self.task.cancel)
        until(self.task.cancelling)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    found, handled, answer = Command(), page_answers.handled, PageAnswers._answer

    def waits(page: Page, context: RequestContext) -> Response:
        if page.acts:
            found.begun.set()
            assert found.may_go_on.wait(20)
        return handled(page, context)

    async def noted(self: PageAnswers, page: Page, *rest: object) -> Response:
        if page.acts:
            found.task, found.loop = asyncio.current_task(), asyncio.get_running_loop()
        return await answer(self, page, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(page_answers, "handled", waits)
    monkeypatch.setattr(PageAnswers, "_answer", noted)
    return found


@pytest.fixture
def alone(sherwood: StoreFiles, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server that nobody tells what is stored: it knows what was done here by itself."""
    monkeypatch.setattr(FileWatcher, "_watch", lambda _: None)
    with running(sherwood) as found:
        yield found


def cursor(of: Reader) -> str:
    found = re.search(r'name="after" value="([^"]+)"', of.get(f"/c/{SHERWOOD}")[1])
    assert found
    return found[1]


@pytest.mark.parametrize("cut", ["the connection ends", "the task is cancelled"])
def test_all_listeners_hear_of_what_was_done_after_its_request_was_cut_short(
    alone: Running, command: Command, cut: str
) -> None:
    everybody = [reader(alone, identity) for identity in (GM, MIRA, JO, SPECTATOR)]
    with ExitStack() as stack:
        streams = [stack.enter_context(each.listening(f"{STREAM}?after={cursor(each)}")) for each in everybody]
        with everybody[0].sending(f"/c/{SHERWOOD}/say", urlencode({"line": "scene The cave"})):
            assert command.begun.wait(20)
            if cut == "the task is cancelled":
                command.cancel()
        command.may_go_on.set()
        bells = [stream.bell() for stream in streams]
        assert bells == [cursor(each) for each in everybody]
    assert all("The cave" in each.get(f"/c/{SHERWOOD}/log")[1] for each in everybody)
