"""The answer to an act has what is new as well, for the page that says how it would read on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.live.live_updates import Ask, LiveUpdates
from rollbook.adapters.web.pages.requester_view import RequesterView
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.page_answers import READ_ON
from rollbook.domain.base.errors import StoreAway
from rollbook.domain.events import Role
from tests.support.web import GM, JO, MIRA, Clients, Running, StoreFiles, clients_of, reader, until, without_commands
from tests.support.web_tables import in_the_fight

AT = "/c/sherwood"
HTMX = {"HX-Request": "true"}
PANELS = ("/requests", "/welcome", "/sheets")
ACTS: Mapping[str, dict[str, str]] = {
    "/do/note": {"text": "The oak is hollow", "roll.command": "once"},
    "/say": {"line": "note The oak is hollow", "command": "once"},
    "/tray": {"die": "20", "command": "once"},
}
"""Forms whose answers take the place of a part of the table's page."""


@pytest.fixture
def sherwood(tmp_path: Path) -> StoreFiles:
    """In the middle of a fight, with an open session."""
    return in_the_fight(tmp_path)


def cursor_in(page: str) -> str:
    found = re.search(r'id="cursor" name="after" value="([^"]*)"', page)
    assert found
    return found[1]


def question(after: str) -> str:
    return urlencode([("after", after), *(("with", f"{AT}{panel}") for panel in PANELS)])


def acted(client: TestClient, path: str, sent: dict[str, str], after: str) -> str:
    """The answer to an act of a page that reads on after a cursor."""
    answer = client.post(f"{AT}{path}", data=sent, headers={**HTMX, READ_ON: question(after)})
    assert answer.status_code == 200
    return answer.text


def news(client: TestClient, after: str) -> str:
    """What is new after a cursor, by a request of its own."""
    answer = client.get(f"{AT}/live?{question(after)}", headers=HTMX)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("who", [GM, MIRA], ids=["gm", "player"])
@pytest.mark.parametrize("path", ACTS)
def test_it_is_what_the_page_would_be_told_after_the_bell(
    clients: Clients, sherwood: StoreFiles, path: str, who: Identity
) -> None:
    client = clients.as_(who)
    after = cursor_in(client.get(AT).text)
    answer = acted(client, path, ACTS[path], after)
    assert cursor_in(answer) != after
    with clients_of(sherwood) as others:
        assert without_commands(answer).endswith(without_commands(news(others.as_(who), after)))


def test_who_is_refused_is_told_nothing_new(clients: Clients) -> None:
    mira = clients.as_(MIRA)
    sent = {"attacker": "robin-hood", "target": "nobody"}
    answer = mira.post(f"{AT}/do/attack", data=sent, headers={**HTMX, READ_ON: question(cursor_in(mira.get(AT).text))})
    assert answer.status_code == 422
    assert 'id="cursor"' not in answer.text


def test_a_whole_page_and_a_page_that_does_not_ask_get_no_more_than_before(clients: Clients) -> None:
    gm = clients.as_(GM)
    asked = {READ_ON: question(cursor_in(gm.get(AT).text))}
    whole = gm.post(f"{AT}/do/note", data=ACTS["/do/note"], headers=asked, follow_redirects=False)
    assert whole.status_code == 303
    part = gm.post(f"{AT}/do/note", data={"text": "more"}, headers=HTMX)
    assert part.status_code == 200
    assert 'id="cursor"' not in part.text


def test_who_leaves_the_table_is_told_nothing_more(clients: Clients) -> None:
    ana = clients.as_(Identity(campaign="sherwood", seat="Ana", role=Role.GM))
    after = cursor_in(ana.get(AT).text)
    assert 'id="cursor"' not in acted(ana, "/say", {"line": "leave-seat Ana", "command": "once"}, after)
    assert ana.get(AT).status_code == 401


def test_no_answer_is_made_ahead_for_who_has_it_with_the_act(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    made, make = list[str](), LiveUpdates._made

    def noted(live: LiveUpdates, ask: Ask, *more: Any) -> Any:
        made.append(ask.identity.seat)
        return make(live, ask, *more)

    monkeypatch.setattr(LiveUpdates, "_made", noted)
    gm, jo = reader(served, GM), reader(served, JO)
    hers, his = (cursor_in(who.get(AT)[1]) for who in (gm, jo))
    with gm.listening(f"{AT}/stream?after={hers}") as her_bells, jo.listening(f"{AT}/stream?after={his}") as his_bells:
        until(lambda: all(served.app.hub.cursor("sherwood", who.audience) for who in (GM, JO)))
        assert all(who.get(f"{AT}/live?{question(at)}")[0] == 200 for who, at in ((gm, hers), (jo, his)))
        told = {**HTMX, READ_ON: question(hers)}
        status, answer = gm.post(f"{AT}/do/note", headers=told, text="The oak is hollow")
        assert (status, cursor_in(answer)) == (200, her_bells.bell())
        assert his_bells.bell()
        assert made == [JO.seat]
        assert gm.get(f"{AT}/live?{question(cursor_in(answer))}")[0] == 200
        assert jo.post(f"{AT}/do/note", text="The ash is not")[0] in {200, 303}
        assert her_bells.bell()
        assert made[1:].count(GM.seat) == 1


def test_seats_that_cannot_be_read_after_an_act_cost_it_nothing(
    clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: RequesterView) -> None:
        raise StoreAway("the store is away")

    gm = clients.as_(GM)
    monkeypatch.setattr(RequesterView, "seated", property(fails))
    assert gm.post(f"{AT}/do/note", data=ACTS["/do/note"], headers=HTMX).status_code == 200
    assert "The oak is hollow" in gm.get(AT).text
