"""A picture under the squares of the board: the GM lays it, and others see it as long as it lies there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.serving.app import create_app
from rollbook.application.pictures import Picture
from tests.support.picture_files import picture, picture_file
from tests.support.web import GM, Clients, StoreFiles
from tests.support.web_answers import text_of
from tests.support.web_boards import TOLL, TOM, WATCHER, at_the_toll

__all__ = ["at_the_toll"]
BOARD = f"/c/{TOLL}/board"


@pytest.fixture
def at_board(at_the_toll: StoreFiles) -> Iterator[Clients]:
    app = create_app(at_the_toll.store, at_the_toll.seeds)
    with TestClient(app) as started:
        yield Clients(app, started)


GREEN, RED = picture("green"), picture("red")


def handed(gm: TestClient, title: str, colour: str, to: str = "gm") -> None:
    files = {"picture": ("map.png", picture_file(colour=colour), "image/png")}
    gm.post(f"/c/{TOLL}/handouts", data={"title": title, "alt": "a mill", "to": to}, files=files)


def laid(gm: TestClient, code: int = 303, file: str = "", **said: str) -> str:
    files = {"picture": ("map.png", picture_file(colour=file), "image/png")} if file else None
    answer = gm.post(f"{BOARD}/map", data=said, files=files, follow_redirects=False)
    assert answer.status_code == code, answer.text
    return answer.text


def served(client: TestClient, what: Picture) -> int:
    return client.get(f"/c/{TOLL}/pictures/{what.digest}").status_code


def drawn(client: TestClient, page: str = BOARD) -> list[str]:
    """The pictures under the squares: address, corner and size, and what is on them."""
    found = re.findall(r'<image class="board-map" ([^>]*)preserve[^>]*aria-label="([^"]*)"', client.get(page).text)
    return [" ".join(each) for each in found]


def test_a_map_is_chosen_lies_under_the_squares_and_is_seen_as_long_as_it_lies_there(at_board: Clients) -> None:
    gm, tom, watcher = (at_board.as_(who) for who in (GM, TOM, WATCHER))
    handed(gm, "The cellar", "green")
    assert [served(client, GREEN) for client in (gm, tom, watcher)] == [200, 404, 404]
    assert "The cellar" in gm.get(BOARD).text
    assert "The cellar" not in tom.get(BOARD).text
    laid(gm, chosen=GREEN.digest, across="16", at="-2,-1")
    for client in (gm, tom, watcher):
        (found,) = drawn(client)
        assert found.startswith(f'href="/c/{TOLL}/pictures/{GREEN.digest}"')
        assert 'width="640.0" height="400.0"' in found
        assert found.endswith("The map: a mill")
        assert served(client, GREEN) == 200
    fresh = tom.get(f"/c/{TOLL}/pictures/{GREEN.digest}")
    assert fresh.headers["cache-control"] == "private, no-cache"
    known = {"if-none-match": fresh.headers["etag"]}
    assert tom.get(f"/c/{TOLL}/pictures/{GREEN.digest}", headers=known).status_code == 304
    laid(gm, gone="yes")
    assert [drawn(client) for client in (gm, tom, watcher)] == [[], [], []]
    assert [served(client, GREEN) for client in (gm, tom, watcher)] == [200, 404, 404]
    assert tom.get(f"/c/{TOLL}/pictures/{GREEN.digest}", headers=known).status_code == 404


def test_a_map_stands_where_its_squares_are(at_board: Clients) -> None:
    gm = at_board.as_(GM)
    laid(gm, file="red", across="2.5", at="6,0", alt="a rug")
    page = gm.get(BOARD).text
    (found,) = re.findall(r'<image class="board-map"[^>]* x="([^"]+)" y="([^"]+)" width="100.0" height="62.5"', page)
    (corner,) = re.findall(r'data-west="(-?\d+)" data-north="(-?\d+)"', page)
    west, north = map(int, corner)
    assert tuple(map(float, found)) == (24 + (6 - west) * 40, 8 + (north + 1) * 40 - 62.5)


def test_a_map_that_only_the_gm_sees_leaves_the_others_what_they_had(at_board: Clients) -> None:
    gm, tom = at_board.as_(GM), at_board.as_(TOM)
    laid(gm, file="red", across="8", alt="the hall")
    before = tom.get(BOARD).text
    laid(gm, file="green", across="9", alt="the trap under it", secret="yes")
    assert drawn(gm)[0].endswith("The map: the trap under it")
    assert drawn(tom)[0].endswith("The map: the hall")
    assert [served(tom, what) for what in (RED, GREEN)] == [200, 404]
    assert re.sub(r"cursor[^>]*>|command[^>]*>", "", tom.get(BOARD).text) == re.sub(
        r"cursor[^>]*>|command[^>]*>", "", before
    )


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"across": "24"}, "Choose a picture first, or a file."),
        ({"chosen": "0" * 64, "across": "24"}, "That picture is not here any more."),
        ({"file": "red", "across": "a lot"}, "A map needs its width in squares"),
    ],
)
def test_a_map_that_cannot_be_laid_says_why_and_keeps_what_was_typed(
    at_board: Clients, said: dict[str, str], sentence: str
) -> None:
    gm = at_board.as_(GM)
    code = 404 if "chosen" in said else 422
    page = laid(gm, code, **said, alt="a mill & a pond")
    assert sentence in text_of(page)
    assert f'value="{said["across"]}"' in page
    assert "a mill &amp; a pond" in page
    assert drawn(gm) == []


def test_only_the_gm_lays_maps(at_board: Clients) -> None:
    assert "Map under the squares" in at_board.as_(GM).get(BOARD).text
    for who in (TOM, WATCHER):
        client = at_board.as_(who)
        assert "Map under the squares" not in client.get(BOARD).text
        laid(client, 403, gone="yes")


def test_who_has_a_portrait_shows_their_face_on_the_board(at_board: Clients) -> None:
    gm = at_board.as_(GM)
    files = {"picture": ("face.png", picture_file(colour="red"), "image/png")}
    gm.post(f"/c/{TOLL}/portraits", data={"who": "sill"}, files=files)
    for page in (BOARD, f"{BOARD}/here"):
        text = gm.get(page, headers={"hx-request": "true"}).text
        assert text.count(f'class="piece-face" href="/c/{TOLL}/pictures/{RED.digest}"') == 1
