"""A server to measure, in processes of its own: ``python -m benchmarks.web_server table|echo|bare STORE SEEDS SEATS PROCESSES``.

It prints its port, and a cookie for each of the SEATS, and runs until it is told to stop. ``echo`` is what a server of this
kind costs at least: the same bells, and answers that are always the same. ``bare`` loads the engine and Starlette alone.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from copy import copy
from itertools import count
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from rollbook.adapters.local_files.paths import store_path
from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits, Rate
from rollbook.adapters.web.live.bells import Bells, Hub
from rollbook.adapters.web.serving.app import WebTable, create_app
from rollbook.adapters.web.serving.listening import Server, bound
from rollbook.adapters.web.serving.processes import Processes, Share
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.ports.store_address import Place
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.playing import Played

HOST = "127.0.0.1"
WIDE = Limits(
    reading=Rate(burst=1e9, a_second=1e9),
    acting=Rate(burst=1e9, a_second=1e9),
    streams=10_000,
    streams_of_campaign=10_000,
    streams_of_all=10_000,
    connections=10_000,
)
"""No limits: hundreds of clients here are one browser's."""
ECHOED = "<li>what was said, and how things stand after it</li>" * 60
"""About as much as the table answers after one command."""


def echo() -> Starlette:
    """An application that rings a bell for every command, and answers each question with the same bytes."""
    hub = Hub()
    heard = 0

    async def look() -> None:
        hub.tell("echo", "", f"{heard}.")

    async def stream(request: Request) -> Response:
        return Bells(hub, "echo", "", request.query_params.get("after", ""), look)

    async def say(request: Request) -> Response:
        nonlocal heard
        async with request.form() as form:
            assert form["line"]
        heard += 1
        await look()
        return Response(status_code=204)

    async def live(request: Request) -> Response:
        assert request.cookies
        return HTMLResponse(f"{ECHOED}<input name=after value={heard}.>")

    return Starlette(
        routes=[
            Route("/c/{campaign}", live),
            Route("/c/{campaign}/live", live),
            Route("/c/{campaign}/stream", stream),
            Route("/c/{campaign}/say", say, methods=["POST"]),
        ]
    )


def serve_echo() -> None:
    """Serve the application that only echoes. Its requests are read by h11, which is all that uvicorn brings itself."""
    config = uvicorn.Config(
        echo(), http="h11", log_level="error", access_log=False, lifespan="off", timeout_graceful_shutdown=1
    )
    listening = bound(HOST, 0)
    print(json.dumps({"port": listening.getsockname()[1], "cookies": {}}), flush=True)
    uvicorn.Server(config).run(sockets=[listening])


def serve_table(store: Place, seeds: Path, seats: list[list[str]], processes: int) -> None:
    """Serve a store, with these seats: campaign, seat and role of each. No browser is too fast."""
    app = create_app(store, seeds, Door(limits=WIDE))
    with open_book(store, seeds) as book:
        cookies = {seat: _cookie(app, book, campaign, seat, role) for campaign, seat, role in seats}
    app.sessions.links.close()
    del app  # what serves opens the store itself
    _count_plays()
    listening = bound(HOST, 0)
    port = listening.getsockname()[1]
    print(json.dumps({"port": port, "cookies": cookies}), flush=True)

    def serve(share: Share | None = None) -> None:
        table = create_app(store, seeds, Door(limits=WIDE), is_one_of_many=share is not None)
        Server(table, HOST, port, share=share).run(sockets=[] if share else [listening])

    if processes > 1:
        Processes(listening, processes, serve).run()
    else:
        serve()


def _count_plays() -> None:
    """Count how often an action is played, and print it at each SIGUSR1."""
    play, plays = Rulebook.play, count(1)

    def counted(*args: Any, **more: Any) -> Played:
        next(plays)
        return play(*args, **more)

    Rulebook.play = counted  # type: ignore[method-assign]
    signal.signal(signal.SIGUSR1, lambda *_: print(next(copy(plays)) - 1, flush=True))


def _cookie(app: WebTable, book: Book, name: str, seat: str, role: str) -> str:
    """Cookie of a browser with a link to a seat, which is made if there is none; without a name, the host's."""
    links = app.sessions.links
    _, token = links.make_hosts() if not name else links.make(name, _seated(book, name, seat, role), seat)
    return f"{app.sessions.cookies[-1]}={links.take(token, '')}"


def _seated(book: Book, name: str, seat: str, role: str) -> str:
    """The identity of a campaign, in which the seat is taken now."""
    campaign = book.campaign(name)
    if seat not in campaign.state.seats:
        campaign.do("take-seat", {"seat": seat, "role": role})
    return campaign.state.identity


def stay(store: Path, seeds: Path) -> None:
    """Hold the engine with an open book, Starlette and uvicorn, and do nothing."""
    with open_book(store, seeds) as book:
        assert book.campaigns() is not None
        assert book.rulebook
        asyncio.new_event_loop()
        uvicorn.Config(echo()).load()
        print(json.dumps({"port": 0, "cookies": {}}), flush=True)
        signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    kind, at, kept, seated, many = sys.argv[1:]
    if kind == "echo":
        serve_echo()
    elif kind == "bare":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
        stay(Path(at), Path(kept))
    else:
        serve_table(store_path(at), Path(kept), json.loads(seated), int(many))
