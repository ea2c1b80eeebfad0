"""The answer to a bell carries the panels beside the log that a page shows, each as its own page would make it for who asks."""

from __future__ import annotations

import re
from contextlib import ExitStack
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.corrections.pending import CorrectionRequest, PendingRequests
from rollbook.adapters.web.corrections.requests import UNDO, RequestedCorrection
from rollbook.adapters.web.seats.requester import Identity
from rollbook.domain.events import Role
from tests.support.web import GM, JO, MIRA, SPECTATOR, Clients, until, without_commands

FRAGMENT = {"HX-Request": "true"}
AT = "/c/sherwood"
PANELS = (f"{AT}/act", f"{AT}/requests", f"{AT}/sheet/robin-hood")


def live(client: TestClient, *panels: str, after: str = "0.") -> str:
    asked = urlencode([("after", after), *(("with", panel) for panel in panels)])
    answer = client.get(f"{AT}/live?{asked}", headers=FRAGMENT)
    assert answer.status_code == 200
    return answer.text


def ids(html: str) -> list[str]:
    return re.findall(r'<hx-partial hx-target="#([a-z-]+)"', html)


def test_each_panel_is_what_its_own_page_makes(gm: TestClient, mira: TestClient) -> None:
    for client in (gm, mira):
        html = live(client, *PANELS)
        assert ids(html) == ["act", "requests", "sheet"]
        for panel in PANELS:
            alone = client.get(panel, headers=FRAGMENT).text
            assert without_commands(alone) in without_commands(html), panel


def test_who_asks_for_no_panel_gets_none(mira: TestClient) -> None:
    assert ids(live(mira)) == []


@pytest.mark.parametrize(
    "address",
    [
        *(
            f"{AT}",
            f"{AT}/log",
            f"{AT}/gm",
            f"{AT}/card/1",
            f"{AT}/odds/note",
            "/",
            "rubbish",
            "",
            "//",
            "http://else.where/c/x",
        ),
        *("/c/other/act", f"{AT}/sheet/nobody", f"{AT}/sheet/", f"{AT}/act/", f"{AT}/sheet/%00", f"{AT}/requests/x"),
    ],
)
def test_what_is_no_panel_of_this_table_is_left_out(gm: TestClient, mira: TestClient, address: str) -> None:
    for client in (gm, mira):
        assert ids(live(client, address, PANELS[1])) == ["requests"]


def test_a_spectator_gets_no_panel_that_is_for_those_who_act(spectator: TestClient) -> None:
    assert ids(live(spectator, *PANELS)) == ["sheet"]


def test_so_many_panels_and_no_more(gm: TestClient) -> None:
    assert len(ids(live(gm, *(f"{AT}/act?who={number}" for number in range(50))))) == 6


def test_what_is_kept_for_one_seat_is_not_given_to_another(clients: Clients) -> None:
    portal = clients.as_(GM).portal
    assert portal is not None
    identities = {
        identity.seat: clients.as_(identity)
        for identity in (MIRA, JO, SPECTATOR, Identity(campaign="sherwood", seat="Uma", role=Role.SPECTATOR))
    }
    until(lambda: all(client.get(AT).status_code == 200 for client in identities.values()))
    with ExitStack() as stack:
        for audience in ("Mira", "Jo", ""):
            stack.enter_context(clients.app.hub.listening("sherwood", audience))
        portal.call(clients.app.live_updates.follow, "sherwood")
        for seat, client in [*identities.items()] * 2:
            html = live(client, *PANELS)
            assert ("yours" in html) == (seat == "Mira")
            assert ids(html) == (["act", "requests", "sheet"] if seat in ("Mira", "Jo") else ["sheet"])


def test_what_waits_for_the_gm_is_in_the_next_answer_though_no_entry_was_made(clients: Clients) -> None:
    gm, app, portal = clients.as_(GM), clients.app, clients.as_(GM).portal
    assert portal is not None
    waiting = PendingRequests(app.services.request_notes)
    undo = RequestedCorrection(kind=UNDO, action=3, reason="a slip")
    with app.hub.listening("sherwood", None):
        portal.call(app.live_updates.follow, "sherwood")
        assert "a slip" not in live(gm, *PANELS)
        waiting.add("sherwood", CorrectionRequest(id="one", seat="Mira", shown=3, asked=undo, what="note"))
        portal.call(app.hub.ring, "sherwood", None)
        assert "a slip" in live(gm, *PANELS)
