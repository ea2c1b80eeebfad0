"""Somebody comes in by page, question by question, in every game; what stays open is chosen with buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from tests.support.casts import CASTS
from tests.support.forms import form_in
from tests.support.web import GM, Clients

ANSWERS = {
    "storytoken": {"heritage": "demigod", "roles": ["fighting", "noble"], "scores": "11,15,12,14,13,16"},
    "luckpoint": {"abilities": "2,2,2,0,0,0", "skills": "maneuvers"},
    "powers": {"hp": "20", "stats": "strength=3"},
    "russell": {"scores": "13,12,9,11,10,14", "templates": ["sellsword"], "hit_dice": "5"},
    "grid": {"class_name": "rogue", "weapon": "sword"},
    "srd5": {"class_name": "fighter", "scores": "16,14,14,10,12,8"},
}
assert set(ANSWERS) == set(CASTS) == set(discover().keys)


@pytest.fixture(params=sorted(ANSWERS))
def game(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def client(game: str, tmp_path: Path) -> Iterator[TestClient]:
    """The GM of a new campaign of a game, with a session open."""
    with open_book(tmp_path / "mill.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Mill", game)
        campaign.say("take-seat Ana --role gm")
        campaign.say("open-session")
    app = create_app(tmp_path / "mill.db", tmp_path / "seeds")
    with TestClient(app) as started:
        yield Clients(app, started).as_(GM)


def interviewed(client: TestClient, answers: dict[str, object]) -> tuple[str, list[str]]:
    """The last page after all questions, and what was asked."""
    page, asked = client.get("/c/the-mill/join"), []
    for _ in range(40):
        assert page.status_code == 200, page.text
        found = re.search(r'name="asked" value="(\w+)"', page.text)
        if found is None:
            return page.text, asked
        asked.append(found[1])
        sent = form_in(page.text, "newcomer-form")
        if found[1] in answers:
            said = answers[found[1]]
            sent[found[1]] = said if isinstance(said, list) else [str(said)]
        page = client.get(f"/c/the-mill/join?{urlencode(sent, doseq=True)}")
    raise AssertionError(f"there was no end to it: {asked}")


def test_every_question_is_asked_once_and_the_newcomer_comes_in(client: TestClient, game: str) -> None:
    end, asked = interviewed(client, {"name": "Mira Vale", **ANSWERS[game]})
    assert asked[:2] == ["name", "kind"]
    assert len(set(asked)) == len(asked)
    assert set(ANSWERS[game]) <= set(asked)
    assert 'role="alert"' not in end
    done = client.post("/c/the-mill/do/join", data=form_in(end), follow_redirects=False)
    assert done.status_code == 303, done.text
    assert done.headers["location"] == "/c/the-mill/act?who=mira-vale"
    assert "Mira Vale" in client.get(done.headers["location"]).text


def test_an_answer_is_refused_where_it_is_given(client: TestClient, game: str) -> None:
    empty = client.get("/c/the-mill/join?asked=name&name=")
    assert empty.status_code == 422
    assert "name is needed." in empty.text
    odd = client.get("/c/the-mill/join?name=Mira&kind=pc&asked=seat&seat=Nobody")
    assert odd.status_code == 422
    assert "Nobody called Nobody sits at this table" in odd.text
    assert parse_qs(urlencode(form_in(odd.text, "newcomer-form"), doseq=True))["name"] == ["Mira"]


def test_an_answer_can_be_changed(client: TestClient, game: str) -> None:
    page = client.get("/c/the-mill/join?name=Mira&kind=npc&step=name")
    assert re.search(r'name="asked" value="name"', page.text)
    assert 'value="Mira"' in page.text
    again = client.get("/c/the-mill/join?kind=npc&asked=name&name=Jo")
    assert "Jo" in again.text
    assert not re.search(r'name="asked" value="(name|kind)"', again.text)
