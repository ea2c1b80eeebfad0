"""Foes as words: where the GM wishes it, nothing that a player is shown says a number of a foe's hit points."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from tests.support.web import MIRA, SPECTATOR, Clients, until
from tests.support.web_corrections import preview, words

FOES = ("Guard", "The Sheriff")
SAID = re.compile(rf"(?:{'|'.join(FOES)}) [−+-]\d+ HP|[−+-]\d+ HP, corrected")
PAGES = (
    *(
        "",
        "/log?q=Guard",
        "/log?before=40",
        "/card/24",
        "/card/36",
        "/replay?at=24",
        "/replay/moments?session=1&part=0",
    ),
    *("/screen", "/live", "/sheet/guard", "/charts/robin-hood"),
)
DRACULAS_BLOW = 24


@pytest.fixture
def in_words(gm: TestClient) -> TestClient:
    """The GM, who wishes it."""
    assert gm.post("/c/sherwood/foes", data={"words": "yes"}, follow_redirects=False).status_code == 303
    return gm


@pytest.mark.parametrize("asker", [MIRA, SPECTATOR], ids=["player", "spectator"])
def test_no_page_says_a_number_of_a_foe(clients: Clients, in_words: TestClient, asker: object) -> None:
    guest = clients.as_(asker)  # type: ignore[arg-type]
    until(lambda: guest.get("/c/sherwood").status_code == 200)  # the seat was taken by another program
    told = in_words.get("/c/sherwood/log?q=Guard").text
    assert SAID.search(told)
    for page in PAGES:
        answer = guest.get(f"/c/sherwood{page}")
        assert answer.status_code == 200, page
        assert SAID.search(answer.text) is None, page
        assert '"amount":17' not in answer.text, page
    assert "Guard loses hit points" in guest.get("/c/sherwood/log?q=Guard").text
    assert guest.get("/c/sherwood/why/guard/hp").status_code == 404


def test_the_wish_and_its_end_are_news_to_players_alone(clients: Clients, gm: TestClient, mira: TestClient) -> None:
    def cursor(client: TestClient) -> str:
        found = re.search(r'id="cursor" name="after" value="([^"]*)"', client.get("/c/sherwood").text)
        assert found is not None
        return found[1]

    before, of_the_gm = cursor(mira), cursor(gm)
    gm.post("/c/sherwood/foes", data={"words": "yes"})
    worded = cursor(mira)
    assert worded != before
    assert cursor(gm) == of_the_gm
    news = mira.get("/c/sherwood/live", params={"after": before}).text
    assert SAID.search(news) is None
    assert "Guard loses hit points" in news
    gm.post("/c/sherwood/foes", data={"words": "no"})
    assert cursor(mira) == before
    assert SAID.search(mira.get("/c/sherwood/log?q=Guard").text)


def test_a_players_preview_has_no_number_of_a_foe(in_words: TestClient, mira: TestClient) -> None:
    robins_shot = preview(mira, "undo/36")
    assert SAID.search(words(robins_shot)) is None
    assert "Guard" not in words(robins_shot).partition("Sheets")[2].partition("Why?")[0]
    assert "Hit points" in words(preview(in_words, f"undo/{DRACULAS_BLOW}"))


def test_own_hit_points_are_said_as_ever(in_words: TestClient, mira: TestClient) -> None:
    assert "36 of 36" in words(mira.get("/c/sherwood"))
