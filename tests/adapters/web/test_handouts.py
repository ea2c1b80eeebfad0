"""People talk, whisper and show pictures on pages, without scripts; a picture is there for those who may see it alone."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.seats.requester import Identity
from rollbook.domain.events import Role
from tests.support.picture_files import SECRET, picture, picture_file, with_metadata
from tests.support.web import Clients, StoreFiles

HERE = "/c/sherwood"
GREEN = picture("green")


@pytest.fixture
def tuck(clients: Clients) -> TestClient:
    """Another player's client."""
    return clients.as_(Identity(campaign="sherwood", seat="tuck", role=Role.PLAYER))


def handed(gm: TestClient, *to: str, title: str = "The mill", colour: str = "green") -> None:
    files = {"picture": ("map.png", picture_file(colour=colour), "image/png")}
    answer = gm.post(
        f"{HERE}/handouts",
        data={"title": title, "text": "It burns.", "alt": "a plan of the mill", "to": list(to)},
        files=files,
        follow_redirects=False,
    )
    assert (answer.status_code, answer.headers["location"]) == (303, f"{HERE}/handouts"), answer.text


def test_a_picture_is_served_as_what_it_is_to_those_who_may_see_it(
    gm: TestClient, mira: TestClient, tuck: TestClient, spectator: TestClient
) -> None:
    handed(gm, "mira")
    page = mira.get(f"{HERE}/handouts").text
    assert f'src="{HERE}/pictures/{GREEN.digest}"' in page
    assert 'alt="a plan of the mill"' in page
    answer = mira.get(f"{HERE}/pictures/{GREEN.digest}")
    assert answer.content == GREEN.data
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["cache-control"].startswith("private")
    unknown = "0" * 64
    for client in (tuck, spectator):
        assert "The mill" not in client.get(f"{HERE}/handouts").text
        hidden, none = (client.get(f"{HERE}/pictures/{digest}") for digest in (GREEN.digest, unknown))
        assert (hidden.status_code, none.status_code) == (404, 404)
        assert hidden.text == none.text.replace(unknown, GREEN.digest)
    assert mira.get(f"/c/nowhere/pictures/{GREEN.digest}").status_code != 200


def test_what_is_handed_to_some_is_each_ones_own(
    gm: TestClient, mira: TestClient, tuck: TestClient, spectator: TestClient, sherwood: StoreFiles
) -> None:
    handed(gm, "mira", "tuck")
    seen = ["The mill" in client.get(f"{HERE}/handouts").text for client in (gm, mira, tuck, spectator)]
    assert seen == [True, True, True, False]
    with sherwood.book() as book:
        entries = book.campaign("sherwood").history.entries[-2:]
    assert [entry.visibility for entry in entries] == ["Mira", "tuck"]
    handed(gm, "table", "mira", title="The bill")
    assert "The bill" in spectator.get(f"{HERE}/handouts").text


def test_an_undone_or_removed_handout_is_gone_from_the_page_with_its_picture(
    gm: TestClient, mira: TestClient, sherwood: StoreFiles
) -> None:
    handed(gm, "mira")
    with sherwood.book() as book:
        number = book.campaign("sherwood").head.actions
    answer = gm.post(f"{HERE}/gm/redact", data={"note": str(number), "why": "a slip", "sure": "yes"})
    assert answer.status_code == 200
    assert "The mill" not in mira.get(f"{HERE}/handouts").text
    assert mira.get(f"{HERE}/pictures/{GREEN.digest}").status_code == 404
    with sherwood.book() as book:
        assert book.store.pictures("sherwood") == ()


def test_talk_is_for_all_and_a_whisper_for_one(
    gm: TestClient, mira: TestClient, tuck: TestClient, spectator: TestClient
) -> None:
    for reader, words in (("table", "well met"), ("gm", "a plan of mine"), ("tuck", "meet me")):
        data = {"words": words, "reader": reader}
        assert mira.post(f"{HERE}/talk", data=data, follow_redirects=False).status_code == 303
    heard = {
        name: [words in client.get(f"{HERE}/log").text for words in ("well met", "a plan of mine", "meet me")]
        for name, client in (("gm", gm), ("mira", mira), ("tuck", tuck), ("spectator", spectator))
    }
    assert heard == {
        "gm": [True, True, True],
        "mira": [True, True, True],
        "tuck": [True, False, True],
        "spectator": [True, False, False],
    }
    answer = mira.post(f"{HERE}/talk", data={"words": " ", "reader": "table"})
    assert (answer.status_code, "There is nothing said yet." in answer.text) == (422, True)
    answer = mira.post(f"{HERE}/talk", data={"words": "hello", "reader": "nobody"})
    assert (answer.status_code, "Nobody called nobody sits at this table" in answer.text) == (422, True)
    assert ">hello</textarea>" in answer.text


def test_a_portrait_stands_in_the_sheet_and_in_the_strip(
    gm: TestClient, mira: TestClient, spectator: TestClient
) -> None:
    data = with_metadata("JPEG")
    files = {"picture": ("robin.jpg", data, "image/svg+xml")}
    answer = mira.post(f"{HERE}/portraits", data={"who": "robin-hood"}, files=files, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    for path in ("", "/screen", "/sheet/robin-hood"):
        assert "/pictures/" in spectator.get(f"{HERE}{path}").text, path
    (address,) = set(re.findall(rf"{HERE}/pictures/[0-9a-f]{{64}}", spectator.get(f"{HERE}/sheet/robin-hood").text))
    sent = spectator.get(address)
    assert (sent.headers["content-type"], SECRET in sent.content) == ("image/jpeg", False)
    assert mira.post(f"{HERE}/portraits", data={"who": "robin-hood", "gone": "yes"}).status_code == 200
    assert "/pictures/" not in spectator.get(f"{HERE}/sheet/robin-hood").text


@pytest.mark.parametrize(
    ("data", "status", "why"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 422, "no picture that can be shown"),
        (b"\xff" * 2_200_000, 422, "larger than 2 MB"),
        (b"\xff" * 2_400_000, 413, ""),
        (b"", 422, "Choose a picture first"),
    ],
)
def test_what_is_no_picture_is_refused_on_the_page(
    mira: TestClient, sherwood: StoreFiles, data: bytes, status: int, why: str
) -> None:
    files = {"picture": ("face.png", data, "image/png")} if data else {}
    answer = mira.post(f"{HERE}/portraits", data={"who": "robin-hood"}, files=files)
    assert (answer.status_code, why in answer.text) == (status, True)
    with sherwood.book() as book:
        assert book.store.pictures("sherwood") == ()


def test_players_hand_nothing_out_and_give_no_portraits_to_others(
    mira: TestClient, spectator: TestClient, sherwood: StoreFiles
) -> None:
    with sherwood.book() as book:
        before = book.campaign("sherwood").head.entry
    assert mira.post(f"{HERE}/handouts", data={"title": "x", "to": "table"}).status_code == 403
    files = {"picture": ("face.png", picture_file(), "image/png")}
    others = mira.post(f"{HERE}/portraits", data={"who": "guard"}, files=files)
    assert others.status_code in (404, 422)
    for path in ("talk", "portraits", "handouts"):
        assert spectator.post(f"{HERE}/{path}", data={"words": "x"}).status_code == 403
    with sherwood.book() as book:
        assert book.campaign("sherwood").head.entry == before
        assert book.store.pictures("sherwood") == ()


def test_a_line_on_a_page_names_no_file(gm: TestClient) -> None:
    answer = gm.post(f"{HERE}/say", data={"line": "handout Map --picture /etc/hostname"})
    assert "cannot be read from here" in answer.text
