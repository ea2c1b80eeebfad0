"""The table's page shows how things stand and the log, and goes on with what is said."""

from __future__ import annotations

import re

from starlette.testclient import TestClient

from tests.support.web import Clients, Running, StoreFiles, without_commands


def cursor_of(html: str) -> str:
    found = re.search(r'name="after" value="([^"]+)"', html)
    assert found
    return found[1]


def test_the_page_shows_the_log_and_how_things_stand(gm: TestClient) -> None:
    answer = gm.get("/c/sherwood")
    assert answer.status_code == 200
    assert "Robin Hood" in answer.text
    assert "The Sheriff" in answer.text


def test_a_stranger_is_told_how_to_get_a_seat(clients: Clients) -> None:
    answer = clients.as_(None).get("/c/sherwood")
    assert answer.status_code == 401
    assert "Ask the GM for your link" in answer.text


def test_what_is_said_is_in_the_next_answer_after_the_cursor(gm: TestClient, mira: TestClient) -> None:
    before = cursor_of(mira.get("/c/sherwood").text)
    said = gm.post("/c/sherwood/say", data={"line": "scene The cave"}, follow_redirects=False)
    assert said.status_code == 303
    news = mira.get("/c/sherwood/live", params={"after": before}).text
    assert "The cave" in news
    assert "archery contest" not in news
    assert cursor_of(news) != before


def test_a_secret_changes_nothing_for_a_player(gm: TestClient, mira: TestClient) -> None:
    before = without_commands(mira.get("/c/sherwood").text)
    assert gm.post("/c/sherwood/say", data={"line": "note The spy waits --secret"}).status_code == 200
    assert "The spy waits" in gm.get("/c/sherwood").text
    assert without_commands(mira.get("/c/sherwood").text) == before


def test_a_refusal_is_a_sentence_beside_what_was_typed(gm: TestClient) -> None:
    answer = gm.post("/c/sherwood/say", data={"line": "attack nobody guard"})
    assert answer.status_code in (404, 422)
    assert "attack nobody guard" in answer.text
    assert 'role="alert"' in answer.text


def test_a_spectator_says_nothing(spectator: TestClient, sherwood: StoreFiles) -> None:
    assert spectator.get("/c/sherwood").status_code == 200
    assert spectator.post("/c/sherwood/say", data={"line": "scene No"}).status_code == 403
    with sherwood.book() as book:
        assert book.campaign("sherwood").state.scene.title != "No"


def test_a_real_server_starts_and_stops_at_once(served: Running) -> None:
    assert served.stop() < 3


def test_players_see_how_foes_are_in_words_where_the_gm_wishes_it(
    gm: TestClient, mira: TestClient, spectator: TestClient
) -> None:
    assert gm.post("/c/sherwood/say", data={"line": "begin-encounter robin-hood,guard ! 12 9"}).status_code == 200
    pages = {"gm": gm, "mira": mira, "spectator": spectator}

    def numbers() -> set[str]:
        shown = {name: client.get("/c/sherwood").text for name, client in pages.items()}
        shown["screen"] = spectator.get("/c/sherwood/screen").text
        return {name for name, html in shown.items() if 'aria-label="7 of 40 hit points"' in html}

    assert numbers() == {"gm", "mira", "spectator", "screen"}
    assert gm.post("/c/sherwood/foes", data={"words": "yes"}, follow_redirects=False).status_code == 303
    assert numbers() == {"gm"}
    assert "close to falling" in mira.get("/c/sherwood").text
    assert mira.post("/c/sherwood/foes", data={"words": "no"}).status_code == 403
    assert gm.post("/c/sherwood/foes", data={"words": "no"}, follow_redirects=False).status_code == 303
    assert numbers() == {"gm", "mira", "spectator", "screen"}
