"""While nobody plays the table says what comes next, to each seat what is theirs to do; and everybody is invited at once."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.events import Role
from tests.support.web import GM, Clients

AT = "/c/the-mill"
MIRA = Identity(campaign="the-mill", seat="Mira", role=Role.PLAYER)
SAM = Identity(campaign="the-mill", seat="Sam", role=Role.SPECTATOR)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with open_book(tmp_path / "mill.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Mill", "grid")
        campaign.say("take-seat Ana --role gm")
        campaign.say("take-seat Mira")
        yield book


@pytest.fixture
def clients(book: Book, tmp_path: Path) -> Iterator[Clients]:
    app = create_app(tmp_path / "mill.db", tmp_path / "seeds")
    with TestClient(app) as started:
        yield Clients(app, started)


def headings(client: TestClient) -> list[str]:
    return re.findall(r"<h3>(.*?)</h3>", client.get(f"{AT}/welcome").text)


def test_the_gm_opens_invites_and_makes_characters(clients: Clients, book: Book) -> None:
    gm = clients.as_(GM)
    assert headings(gm) == ["Open the session", "Invite the players", "Make the characters"]
    assert "before-play is-alone" in gm.get(f"{AT}/welcome").text
    opened = gm.post(f"{AT}/welcome/session", data={"command": "one"}, follow_redirects=False)
    assert opened.headers["location"] == AT
    assert headings(gm)[0] == "The session is open"
    book.campaign("the-mill").say("bring-in steve --seat Mira")
    assert headings(gm) == [] and headings(clients.as_(MIRA)) == []


def test_the_gms_steps_give_way_to_a_fight_without_heroes(clients: Clients, book: Book) -> None:
    campaign, gm = book.campaign("the-mill"), clients.as_(GM)
    for line in ("open-session", "bring-in steve --kind monster"):
        campaign.say(line)
    assert len(headings(gm)) == 3
    assert "before-play is-alone" not in gm.get(f"{AT}/welcome").text
    campaign.say("begin-encounter steve")
    assert headings(gm) == []
    campaign.say("end-encounter")
    assert len(headings(gm)) == 3


def test_a_player_makes_a_character_and_a_spectator_looks_on(clients: Clients, book: Book) -> None:
    assert headings(clients.as_(MIRA)) == ["Make your character", "The GM opens the session"]
    assert headings(clients.as_(SAM)) == []
    book.campaign("the-mill").say("bring-in steve")
    assert headings(clients.as_(MIRA))[0] == "Make your character", "somebody else’s is not hers"


def test_everybody_is_invited_at_once_with_links_that_lead_to_their_seats(clients: Clients, book: Book) -> None:
    gm = clients.as_(GM)
    page = gm.post(f"{AT}/gm/seats/invite", data={"names": "Tom, Jo\nMira"}).text
    seats = re.findall(r'<h2 id="for-\d+"><bdi[^>]*>(.*?)</bdi>', page)
    assert seats == ["Mira", "Tom", "Jo"] and page.count('class="qr"') == page.count("data-copy=") == 3
    for name, address in zip(seats, re.findall(r'<code id="link-\d+">(.*?)</code>', page), strict=True):
        guest = clients.as_(None)
        guest.post("/join/" + html.unescape(address).partition("/join/")[2])
        assert f"{name}, player" in re.sub(r"<[^>]*>", "", guest.get(AT).text)
    assert sum(seat.role is Role.PLAYER for seat in book.campaign("the-mill").state.seats.values()) == 3


def test_a_name_that_cannot_be_is_said_and_nobody_at_all_too(clients: Clients) -> None:
    gm = clients.as_(GM)
    wrong = gm.post(f"{AT}/gm/seats/invite", data={"names": "Tom, " + "x" * 200})
    assert wrong.status_code == 422 and 'role="alert"' not in wrong.text.split("name-e")[0]
    assert gm.post(f"{AT}/gm/seats/invite", data={"names": ""}).status_code == 200
