"""A character is made by page, topic by topic, in every game: by the GM, and by a player whom the GM confirms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.domain.events import Role
from tests.support.casts import CASTS
from tests.support.forms import form_in, form_in_of
from tests.support.newcomer_forms import interviewed
from tests.support.web import GM, Clients

ANSWERS: Mapping[str, Mapping[str, object]] = {
    "storytoken": {"heritage": "demigod", "roles": ["fighting", "noble"], "scores": "11,15,12,14,13,16"},
    "luckpoint": {"abilities": "2,2,2,0,0,0", "skills": "maneuvers"},
    "powers": {"hp": "20", "stats": "strength=3"},
    "russell": {"scores": "13,12,9,11,10,14", "templates": ["sellsword"], "hit_dice": "5"},
    "grid": {"class_name": "rogue", "weapon": "sword"},
    "srd5": {"class_name": "fighter", "scores": "16,14,14,10,12,8"},
}
ROLLING = {
    "storytoken": {"heritage": "human", "roles": ["fighting", "noble", "thieving"]},
    "russell": {"templates": ["sellsword"]},
    "srd5": {"class_name": "fighter", "method": "rolled"},
}
"""Answers that leave dice to fall, in the games that have any at this moment."""
assert set(ANSWERS) == set(CASTS) == set(discover().keys)
AT = "/c/the-mill"
MIRA = Identity(campaign="the-mill", seat="Mira", role=Role.PLAYER)
TOM = Identity(campaign="the-mill", seat="Tom", role=Role.PLAYER)


@pytest.fixture(params=sorted(ANSWERS))
def game(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def clients(game: str, tmp_path: Path) -> Iterator[Clients]:
    """A new campaign of a game, with a session open and two players."""
    with open_book(tmp_path / "mill.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Mill", game)
        for line in ("take-seat Ana --role gm", "take-seat Mira", "take-seat Tom", "open-session"):
            campaign.say(line)
    app = create_app(tmp_path / "mill.db", tmp_path / "seeds")
    with TestClient(app) as started:
        yield Clients(app, started)


@pytest.fixture
def client(clients: Clients) -> TestClient:
    return clients.as_(GM)


def the_mill(tmp_path: Path) -> Iterator[Campaign]:
    with open_book(tmp_path / "mill.db", tmp_path / "seeds", create=False) as book:
        yield book.campaign("the-mill")


def test_questions_of_one_kind_are_asked_together_and_each_once(client: TestClient, game: str) -> None:
    end, asked = interviewed(client, AT, {"name": "Mira Vale", **ANSWERS[game]})
    every = [name for names in asked for name in names]
    assert asked[0][:2] == ["name", "kind"]
    assert len(set(every)) == len(every) and set(ANSWERS[game]) <= set(every)
    assert len(asked) <= 4
    assert 'role="alert"' not in end
    done = client.post(f"{AT}/join", data=form_in(end, "newcomer-end"), follow_redirects=False)
    assert done.status_code == 303, done.text
    assert done.headers["location"] == f"{AT}/sheet/mira-vale"
    assert "Mira Vale" in client.get(done.headers["location"]).text


def test_a_player_makes_a_character_and_the_gm_confirms(clients: Clients, game: str, tmp_path: Path) -> None:
    mira, gm = clients.as_(MIRA), clients.as_(GM)
    end, asked = interviewed(mira, AT, {"name": "Wren", **ANSWERS[game]})
    assert not {"kind", "seat", "id", "count"} & {name for names in asked for name in names}
    assert "Wren" in end
    sent = mira.post(f"{AT}/join/ask", data=form_in(end, "newcomer-end"), follow_redirects=False)
    assert sent.status_code == 303, sent.text
    request = sent.headers["location"]
    assert "comes in when the GM confirms" in mira.get(request).text
    campaign = next(the_mill(tmp_path))
    assert not campaign.state.characters, "nobody is in the history before the GM confirms"
    assert f"{request}" in gm.get(AT).text and "Mira" in gm.get(request).text
    assert clients.as_(TOM).get(request).status_code == 404, "it is Mira’s and the GM’s"
    assert mira.post(request, follow_redirects=False).status_code == 403
    done = gm.post(request, follow_redirects=False)
    assert done.status_code == 303, done.text
    wren = next(the_mill(tmp_path)).state.characters["wren"]
    assert (wren.name, wren.seat, wren.kind) == ("Wren", "Mira", "pc")
    assert gm.get(request).status_code == 404 and request not in mira.get(AT).text
    assert gm.post(request, follow_redirects=False).status_code == 404, "it happens once"


@pytest.mark.parametrize("game", sorted(ROLLING))
def test_what_was_rolled_is_shown_as_a_sheet_before_the_character_comes_in(clients: Clients, game: str) -> None:
    mira, gm = clients.as_(MIRA), clients.as_(GM)
    end, _ = interviewed(mira, AT, {"name": "Wren", **ROLLING[game]})
    assert "It takes" in end
    shown = mira.post(f"{AT}/join/roll", data=form_in_of(end, f"{AT}/join/roll"))
    assert shown.status_code == 200 and "What fell" in shown.text, shown.text
    faces = re.findall(r'class="die[^"]*"[^>]*>(\d+)<', shown.text)
    request = mira.post(f"{AT}/join/ask", data=form_in(shown.text, "newcomer-end"), follow_redirects=False).headers[
        "location"
    ]
    seen = gm.get(request).text
    assert "fell here" in seen and re.findall(r'class="die[^"]*"[^>]*>(\d+)<', seen) == faces
    sheet = gm.post(request).text
    for value in re.findall(r'<span class="row-name">(.*?)</span><b>(.*?)</b>', shown.text):
        label, number = value
        assert label in sheet and number in sheet
    assert "#" in seen


@pytest.mark.parametrize("game", ["storytoken"])
def test_only_what_applies_is_asked(clients: Clients, game: str) -> None:
    of = {heritage: _asked_of(clients, heritage) for heritage in ("human", "demigod")}
    assert "ability" not in of["human"] and "ability" in of["demigod"]
    assert "order" not in of["human"], "at this table rolls go to the abilities in order"


def _asked_of(clients: Clients, heritage: str) -> set[str]:
    roles = ["fighting", "noble", "thieving"][: 3 if heritage == "human" else 2]
    _, asked = interviewed(clients.as_(MIRA), AT, {"name": "Wren", "heritage": heritage, "roles": roles})
    return {name for names in asked for name in names}


def test_an_answer_is_refused_where_it_is_given(client: TestClient, game: str) -> None:
    empty = client.get(f"{AT}/join?new.asked=name&name=")
    assert empty.status_code == 422
    assert "name is needed." in empty.text
    odd = client.get(f"{AT}/join?name=Mira&kind=pc&new.asked=seat&seat=Nobody")
    assert odd.status_code == 422
    assert "Nobody called Nobody sits at this table" in odd.text
    assert parse_qs(urlencode(form_in(odd.text, "newcomer-form"), doseq=True))["name"] == ["Mira"]


def test_an_answer_can_be_changed(client: TestClient, game: str) -> None:
    page = client.get(f"{AT}/join?name=Mira&kind=npc&new.step=who")
    assert 'name="new.asked" value="name"' in page.text
    assert 'value="Mira"' in page.text
    again = client.get(f"{AT}/join?new.asked=name&new.asked=kind&name=Jo&kind=npc&seat=&id=")
    assert "Jo" in again.text
    assert not re.search(r'name="new.asked" value="(name|kind)"', again.text)


def test_a_player_can_give_up_what_was_asked_for_and_change_it(clients: Clients, game: str) -> None:
    mira = clients.as_(MIRA)
    end, _ = interviewed(mira, AT, {"name": "Wren", **ANSWERS[game]})
    request = mira.post(f"{AT}/join/ask", data=form_in(end, "newcomer-end"), follow_redirects=False).headers["location"]
    change = re.search(rf'href="({AT}/join\?[^"]*new\.step=who[^"]*)"', mira.get(request).text)
    assert change
    page = mira.get(change[1].replace("&amp;", "&"))
    sent = form_in(page.text, "newcomer-form")
    sent["name"] = ["Lark"]
    end = mira.get(f"{AT}/join?{urlencode(sent, doseq=True)}").text
    again = mira.post(f"{AT}/join/ask", data=form_in(end, "newcomer-end"), follow_redirects=False)
    assert again.headers["location"] == request, "it takes the place of the earlier one"
    assert "Lark" in mira.get(request).text and "Wren" not in mira.get(request).text
    mira.post(f"{request.replace('/newcomer/', '/request/')}/drop")
    assert mira.get(request).status_code == 404
