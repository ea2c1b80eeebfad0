"""Nobody who was not let in takes anything from those who were: each limit, at each route, from the same address."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import attrs
import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.api.routes import ENDPOINTS
from rollbook.adapters.web.guards.asked import Asked
from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits, Rate, Streams
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.routes import PAGES
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import create_app
from rollbook.domain.events import Role, XCardRaised
from tests.support.api import bearer
from tests.support.brute_force import first_of
from tests.support.streams import Reader
from tests.support.web import GM, MIRA, SHERWOOD, Clients, Running, StoreFiles, cookie, cookie_name
from tests.support.web_answers import STREAMS
from tests.support.web_routes import addresses

ELSEWHERE = Identity(campaign="elsewhere", seat="Eve", role=Role.PLAYER)
STRANGERS = ("nobody", "a cookie that was made up", "a seat of another campaign")
LEFT_OUT = (*STREAMS, "/leave")
"""A stream ends only when its reader goes, and who leaves sits there no more."""
X = f"/c/{SHERWOOD}/x-card"
TURNED_AWAY = (429, 503)
TIMES = 3
"""Times that a stranger asks for each page."""
ROOM = 2 * (len(PAGES) + len(ENDPOINTS)) + 20
"""So much of everything: more than those who sit there ask for in this test, and less than each stranger."""


@pytest.fixture
def sherwood(sherwood: StoreFiles) -> StoreFiles:
    """With another campaign in the same store."""
    with sherwood.book() as book:
        book.new("Elsewhere", "storytoken").do("take-seat", {"seat": "Ada", "role": "gm"})
    return sherwood


@pytest.fixture(
    params=[field.name for field in attrs.fields(Limits) if isinstance(getattr(Limits(), field.name), Rate)]
)
def narrow(request: pytest.FixtureRequest, sherwood: StoreFiles) -> Iterator[Clients]:
    """A table at which one limit, each in turn, never fills again."""
    limits = Limits(**{request.param: Rate(burst=ROOM, a_second=0)})
    app = create_app(sherwood.store, sherwood.seeds, Door(limits=limits))
    with TestClient(app) as started:
        yield Clients(app, started)


def stranger(clients: Clients, kind: str) -> TestClient:
    client = clients.as_(ELSEWHERE if kind == STRANGERS[2] else None)
    if kind == STRANGERS[1]:
        client.cookies.set(cookie_name(clients.app), "A" * 32)
    return client


def asked(client: TestClient, page: Page) -> int:
    return client.request(page.method, next(addresses(page)), follow_redirects=False).status_code


@pytest.mark.parametrize("kind", first_of(STRANGERS))
def test_a_stranger_who_asks_without_end_makes_nobody_wait_who_sits_there(
    narrow: Clients, sherwood: StoreFiles, kind: str
) -> None:
    endless, mira, gm = stranger(narrow, kind), narrow.as_(MIRA), narrow.as_(GM)
    with sherwood.book() as book:  # for the API each comes with a token
        for client, seat in ((mira, "Mira"), (gm, "Ana")):
            client.headers["Authorization"] = bearer(narrow.app, book.campaign(SHERWOOD), seat)
    pages = [page for page in narrow.app.pages if page.path not in LEFT_OUT]
    assert 2 * len(pages) + 2 < ROOM < len(pages) * TIMES
    assert mira.get(f"/c/{SHERWOOD}").status_code == 200
    for page in pages:
        for _ in range(TIMES):
            assert asked(endless, page) in (401, 429) or not page.path.startswith("/c/"), page.path
    for _ in range(ROOM + 1):
        endless.post(X)
        endless.post("/c/no-such-campaign/x-card")
    for page in pages:
        for client in (mira, gm):
            assert asked(client, page) not in TURNED_AWAY, page.path
    assert mira.post(X, follow_redirects=False).status_code == 303


def raised(files: StoreFiles) -> int:
    """How many cards the history has."""
    with files.book() as book:
        entries = book.campaign(SHERWOOD).history.entries
    return sum(isinstance(event, XCardRaised) for entry in entries for event in entry.events)


def test_cards_raised_after_one_that_lies_there_take_none_from_the_next(sherwood: StoreFiles) -> None:
    limits = Limits(x_cards=Rate(burst=3, a_second=0))
    app = create_app(sherwood.store, sherwood.seeds, Door(limits=limits))
    with TestClient(app) as started:
        clients = Clients(app, started)
        mira, gm = clients.as_(MIRA), clients.as_(GM)
        before = raised(sherwood)
        answers = [mira.post(X, follow_redirects=False) for _ in range(20)]
        assert {(answer.status_code, answer.content) for answer in answers} == {(303, b"")}
        assert raised(sherwood) - before == 4, "one, and as many more as are taken from all together"
        for _ in range(2):
            assert gm.post(f"{X}/answer", data={"how": "resume"}, follow_redirects=False).status_code == 303
            assert mira.post(X, follow_redirects=False).status_code == 303
        gm.post(f"{X}/answer", data={"how": "resume"})
        assert mira.post(X).status_code == 429
        with sherwood.book() as book:
            assert not book.campaign(SHERWOOD).state.paused


def listening(browser: str, campaign: str) -> Asked:
    path = f"/c/{campaign}/stream"
    return Asked({"type": "http", "method": "GET", "path": path, "headers": [], "browser": browser})


def test_streams_of_one_campaign_leave_room_for_another_and_strangers_take_none() -> None:
    streams = Streams(Limits(streams=2, streams_of_campaign=4, streams_of_all=6), lambda scope: scope["browser"])
    with ExitStack() as opened:
        for campaign, browsers in (("", 20), (SHERWOOD, 20)):
            for number in range(browsers):
                one = listening(f"{campaign}{number}" if campaign else "", campaign or SHERWOOD)
                if streams.check(one) is None:
                    opened.enter_context(streams.counted(one))
        assert streams.check(listening("another", SHERWOOD)) is not None
        assert streams.check(listening("another", f"{SHERWOOD}~1")) is not None
        assert streams.check(listening("one", "elsewhere")) is None
        assert streams.check(listening("", SHERWOOD)) is None, "who has no seat is told so"
    assert streams.check(listening("another", SHERWOOD)) is None


def test_who_listens_has_a_place_while_strangers_ask_for_streams(served: Running) -> None:
    mira = Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, MIRA)}")
    port = int(served.address.rpartition(":")[2])
    with ExitStack() as opened:
        for _ in range(60):
            one = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            one.sendall(f"GET /c/{SHERWOOD}/stream HTTP/1.1\r\nHost: {served.address[7:]}\r\n\r\n".encode())
        time.sleep(0.1)
        assert not served.app._guards._streams._of_campaign
        with mira.listening(f"/c/{SHERWOOD}/stream?after=0.") as bells:
            assert bells.bell()
            assert served.app._guards._streams._of_campaign == {SHERWOOD: 1}
