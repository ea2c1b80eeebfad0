"""Every page of the route table is asked for from every seat and from none: who may gets an answer, who may not a refusal.

A page that is in none of the lists below fails the test: say there who may ask for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import WebTable
from rollbook.domain.events import Role
from rollbook.domain.history.event_store import START
from tests.support.web import GM, MIRA, SHERWOOD, SPECTATOR, Clients, StoreFiles, cookie_name, until
from tests.support.web_routes import addresses

C = "/c/{campaign}"
READ_BY_ALL = (
    *(f"GET {C}", f"GET {C}/live", f"GET {C}/stream", f"GET {C}/log", f"GET {C}/card/{{number}}", f"GET {C}/screen"),
    *(f"GET {C}/sheet/{{who}}", f"GET {C}/why/{{who}}/{{key:path}}", f"GET {C}/charts/{{who}}", "GET /"),
    *(f"GET {C}/sheets", f"GET {C}/welcome", f"GET {C}/record", f"GET {C}/tokens"),
    *(f"GET {C}/handouts", f"GET {C}/pictures/{{digest}}"),
    *(f"GET {C}/board", f"GET {C}/board/here", f"GET {C}/replay", f"GET {C}/replay/moments"),
)
DONE_BY_ALL = (f"POST {C}/x-card", f"POST {C}/x-card/back")
"""All that a spectator may do at the table."""
OWN_TOKENS = (f"POST {C}/tokens", f"POST {C}/tokens/revoke")
"""What is recorded nowhere in the history."""
BY_PLAYERS = (
    *(
        f"GET {C}/act",
        f"GET {C}/at/{{who}}",
        f"GET {C}/complete",
        f"GET {C}/odds/{{verb}}",
        f"GET {C}/odds/{{verb}}/counted",
    ),
    *(f"{method} {C}/do/{{verb}}" for method in ("GET", "POST")),
    *(f"POST {C}/say", f"POST {C}/choices", f"POST {C}/talk", f"POST {C}/portraits"),
    *(f"POST {C}/tray", f"POST {C}/macros"),
    *(f"POST {C}/record/audit", f"POST {C}/record/export"),
    *(f"GET {C}/record/job/{{job}}", f"GET {C}/record/job/{{job}}/file"),
    *(f"GET {C}/join", f"POST {C}/join/ask", f"POST {C}/join/roll", f"GET {C}/newcomer/{{request}}"),
    *(
        f"{method} {C}/{how}/{{action}}"
        for method in ("GET", "POST")
        for how in ("undo", "redo", "amend", "think-again", "undo-correction")
    ),
    *(f"GET {C}/preview/{{job}}", f"POST {C}/preview/{{job}}/leave", f"GET {C}/requests"),
    f"POST {C}/request/{{request}}/drop",
)
BY_THE_GM = (
    *(
        *(f"POST {C}/welcome/session", f"POST {C}/join", f"POST {C}/newcomer/{{request}}"),
        f"POST {C}/foes",
        f"POST {C}/handouts",
        f"POST {C}/board/map",
        f"POST {C}/x-card/answer",
        f"GET {C}/x-card/rewind",
        f"GET {C}/request/{{request}}",
    ),
    *(f"{method} {C}/{how}/{{action}}" for method in ("GET", "POST") for how in ("adjust", "override", "insert")),
)
BY_THE_HOST = (
    *(
        "GET /new",
        "POST /new",
        "POST /import",
        "GET /import/{job}",
        "GET /host",
        "GET /host/delete",
        "GET /host/person",
    ),
    *(
        f"POST /host/{what}"
        for what in ("tables", "link", "limit", "revoke", "delete", "person/export", "person/remove")
    ),
)
BY_STRANGERS = (
    *("GET /join/{token}", "POST /join/{token}", "POST /leave", "GET /static/{digest}/{file:path}"),
    *("GET /health", "GET /ready", "GET /api/v1/openapi.json"),
)
GM_ROOM = f"{C}/gm"
"""It and all below it is the GM's alone."""

SOME = 8
"""So many addresses of a page are asked for, where all may be answered."""

GM_SEAT = Identity(campaign=SHERWOOD, seat="Ana", role=Role.GM)
SITTING = {"host": GM, "gm": GM_SEAT, "player": MIRA, "spectator": SPECTATOR}


def named(page: Page) -> str:
    return f"{page.method} {page.path}"


def listed(page: Page) -> frozenset[str] | None:
    """Who may ask for a page, by the lists above; None for a page that is in none of them."""
    name = named(page)
    if name in BY_STRANGERS:
        return frozenset((*SITTING, "nobody", "revoked", "elsewhere"))
    if page.scope is not None:  # programs have tokens, and a cookie is of no use: see test_api_routes
        return frozenset()
    if name in (*READ_BY_ALL, *DONE_BY_ALL, *OWN_TOKENS):
        return frozenset(SITTING)
    if name in BY_PLAYERS:
        return frozenset(("host", "gm", "player"))
    if name in BY_THE_HOST:
        return frozenset(("host",))
    if name in BY_THE_GM or f"{page.path}/".startswith(f"{GM_ROOM}/"):
        return frozenset(("host",)) if page.is_host_only else frozenset(("host", "gm"))
    return None


def may(app: WebTable) -> Iterator[tuple[Page, frozenset[str]]]:
    """Every page that is in a list, and who may ask for it."""
    for page in app.pages:
        who = listed(page)
        if who is not None:
            yield page, who


def entries(files: StoreFiles) -> int:
    """How many entries the store has."""
    store = SQLiteEventStore(files.store, create=False)
    try:
        return len(list(store.changes(START)))
    finally:
        store.close()


class Street:
    """People who come to the table: each asks with a cookie of their own, which nothing that was asked before has changed."""

    def __init__(self, clients: Clients, files: StoreFiles) -> None:
        self._clients = clients
        self._links = clients.app.sessions.links
        self._identities = {}
        with files.book() as book:
            book.new("Nottingham", "storytoken").do("take-seat", {"seat": "Mira"})
            book.campaign(SHERWOOD).do("take-seat", {"seat": SPECTATOR.seat, "role": "spectator"})
            self._identities = {name: book.campaign(name).state.identity for name in book.campaigns()}

    def client(self, who: str) -> TestClient:
        """A client of somebody."""
        client = self._clients.as_(None)
        if who != "nobody":
            client.cookies.set(cookie_name(self._clients.app), self._cookie(who))
        return client

    def _cookie(self, who: str) -> str:
        links, identity = self._links, SITTING.get(who, MIRA)
        campaign = "nottingham" if who == "elsewhere" else identity.campaign
        link, token = (
            links.make(campaign, self._identities[campaign], identity.seat) if campaign else links.make_hosts()
        )
        taken = links.take(token, "")
        if who == "revoked":
            links.revoke(link.number)
        return taken


@pytest.fixture
def street(clients: Clients, sherwood: StoreFiles) -> Street:
    clients.app.hub.is_closing = True  # so that a stream ends as soon as it has begun
    return Street(clients, sherwood)


def asked(client: TestClient, page: Page, address: str) -> Any:
    """What is answered. A form is sent with nothing in it."""
    return client.request(page.method, address, data={} if page.acts else None, follow_redirects=False)


def first_address(page: Page) -> str:
    return next(addresses(page))


def test_every_page_is_in_one_list(app: WebTable) -> None:
    unlisted = [named(page) for page in app.pages if listed(page) is None]
    assert unlisted == [], "say in tests/adapters/web/test_roles.py who may ask for these"
    names = (*READ_BY_ALL, *DONE_BY_ALL, *OWN_TOKENS, *BY_PLAYERS, *BY_THE_GM, *BY_THE_HOST, *BY_STRANGERS)
    assert set(names) <= {named(page) for page in app.pages}
    assert len(names) == len(set(names))


@pytest.mark.parametrize("who", ["player", "spectator", "nobody", "revoked", "elsewhere", "gm"])
def test_who_may_not_is_refused_and_nothing_is_recorded(
    street: Street, sherwood: StoreFiles, app: WebTable, who: str
) -> None:
    before, refused = entries(sherwood), 0
    for page, allowed in may(app):
        if who in allowed or (who == "elsewhere" and "{campaign}" not in page.path):
            continue
        answer = asked(street.client(who), page, first_address(page))
        assert answer.status_code == (403 if who in SITTING and page.scope is None else 401), named(page)
        assert "Robin Hood" not in answer.text, named(page)
        refused += 1
    assert refused or who == "gm"
    assert entries(sherwood) == before


@pytest.mark.parametrize("who", ["host", "gm", "player", "spectator", "nobody"])
def test_who_may_is_answered(street: Street, app: WebTable, who: str) -> None:
    for page, allowed in may(app):
        if who not in allowed:
            continue
        for address in islice(addresses(page), SOME):
            answer = asked(street.client(who), page, address)
            assert answer.status_code not in (401, 403, 405), (named(page), address)
            assert answer.status_code < 500, (named(page), address)


def test_a_spectator_reads_what_the_table_was_told_and_does_nothing_but_raise_the_card(app: WebTable) -> None:
    acts = [named(page) for page in app.pages if Role.SPECTATOR in page.roles and page.acts]
    assert [each for each in acts if each not in OWN_TOKENS] == list(DONE_BY_ALL)


def test_what_is_about_the_whole_store_is_the_hosts_alone(app: WebTable) -> None:
    for page in app.pages:
        if page.is_host_only:
            assert page.roles == {Role.GM}, named(page)
        if not page.roles:
            assert "{campaign}" not in page.path, f"{named(page)} is about a campaign, and strangers may ask for it"


def test_a_seat_that_somebody_has_left_is_nobodys(street: Street, sherwood: StoreFiles) -> None:
    mira = street.client("player")
    assert mira.get(f"/c/{SHERWOOD}").status_code == 200
    with sherwood.book() as book:
        book.campaign(SHERWOOD).do("leave-seat", {"seat": "Mira"})
    until(lambda: mira.get(f"/c/{SHERWOOD}").status_code == 401)
    assert "no seat at this table any more" in mira.get(f"/c/{SHERWOOD}").text
