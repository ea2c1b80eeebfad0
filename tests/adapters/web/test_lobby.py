"""The lobby: what one sits in; for the host every campaign of the store, a new one with its house rules, one out of a file."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from rollbook.adapters.backups.moving import move
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.domain.actions.campaign import has_removable_names
from tests.support.web import GM, MIRA, SHERWOOD, Clients, StoreFiles, until
from tests.support.web_answers import worked_out


def exported(files: StoreFiles, folder: Path) -> bytes:
    with files.book() as book:
        export_campaign(book.campaign(SHERWOOD).session.log, folder / "sherwood.jsonl")
    return (folder / "sherwood.jsonl").read_bytes()


def sent(gm: TestClient, file: str, data: bytes, **fields: str) -> Response:
    """What comes of a file, once it was looked at."""
    answer = gm.post("/import", data=fields, files={"file": (file, data)}, follow_redirects=False)
    if answer.status_code == 303:
        found: list[Response] = []

        def is_done() -> bool:
            found[:] = [gm.get(answer.headers["location"], follow_redirects=False)]
            return "looks again by itself" not in found[0].text

        until(is_done)
        return found[0]
    return answer


def test_the_host_sees_every_campaign_and_others_go_to_their_own(clients: Clients, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        book.new("Night Ferry", "powers")
    page = clients.as_(GM).get("/").text
    assert ">Night Ferry<" in page and f'href="/c/{SHERWOOD}"' in page and "Powers" in page
    answer = clients.as_(MIRA).get("/", follow_redirects=False)
    assert answer.headers["location"] == f"/c/{SHERWOOD}"


def test_who_sits_in_several_campaigns_sees_these_and_no_others(clients: Clients, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        book.new("Night Ferry", "powers")
        ferry = book.new("The Other Ferry", "powers")
        ferry.do("take-seat", {"seat": "Mira M.", "role": "spectator"})
        _, token = clients.app.sessions.links.make(ferry.id, ferry.state.identity, "Mira M.")
    mira = clients.as_(MIRA)
    mira.post(f"/join/{token}")
    page = mira.get("/").text
    assert "Mira M., spectator" in page and "Mira, player" in page and "Night Ferry" not in page
    assert 'action="/import"' not in page and 'href="/new"' not in page


def test_a_game_is_offered_with_its_notice(gm: TestClient) -> None:
    assert "is licensed under" in gm.get("/new?ruleset=srd5").text
    assert "is licensed under" not in gm.get("/new?ruleset=grid").text


def test_a_campaign_is_begun_with_house_rules(gm: TestClient, sherwood: StoreFiles) -> None:
    assert "luckpoint" in gm.get("/new").text
    form = gm.get("/new?ruleset=storytoken").text
    fields = re.findall(r'name="(setting\.[a-z_]+)"(?: value="([^"]*)")?', form)
    assert len(fields) > 3
    name = next(name for name, value in fields if value.isdecimal())
    sent_ = {"ruleset": "storytoken", "name": "The Silver Arrow", "gm": "Ana", name: "7"}
    answer = gm.post("/new", data=sent_, follow_redirects=False)
    assert answer.headers["location"] == "/c/the-silver-arrow/gm/seats"
    with sherwood.book() as book:
        state = book.campaign("the-silver-arrow").state
        assert state.settings[name.removeprefix("setting.")] == 7
        assert [(seat.shown, seat.role.value) for seat in state.seats.values()] == [("Ana", "gm")]
        assert has_removable_names(state)


@pytest.mark.parametrize(
    ("form", "status", "said"),
    [
        ({"ruleset": "storytoken", "name": "Sherwood"}, 422, "There is already a campaign"),
        ({"ruleset": "storytoken", "name": "---"}, 422, "letters or digits"),
        ({"ruleset": "nonsense", "name": "X"}, 404, "nonsense"),
        ({"ruleset": "storytoken", "name": "X", "setting.nonsense": "1"}, 422, "nonsense"),
    ],
)
def test_what_cannot_be_begun_is_said_with_what_was_typed(
    gm: TestClient, form: dict[str, str], status: int, said: str
) -> None:
    answer = gm.post("/new", data=form)
    assert answer.status_code == status and said in answer.text
    assert form["ruleset"] == "nonsense" or f'value="{form["name"]}"' in answer.text


def test_an_export_is_taken_in_under_another_name(gm: TestClient, sherwood: StoreFiles, tmp_path: Path) -> None:
    data = exported(sherwood, tmp_path)
    answer = sent(gm, "sherwood.jsonl", data, name="The Copy", origin="rollbook")
    assert answer.headers["location"] == "/c/the-copy"
    assert gm.get("/c/the-copy").status_code == 200


def test_what_the_web_exports_it_imports_and_the_copy_has_its_own_name(gm: TestClient) -> None:
    whole = {"format": "jsonl", "reader": "gm"}
    packed = worked_out(gm, gm.post(f"/c/{SHERWOOD}/gm/export", data=whole)).content
    answer = sent(gm, "sherwood.zip", packed, name="Sherwood Again")
    assert answer.headers["location"] == "/c/sherwood-again"
    rows = re.findall(r"<article.*?</article>", gm.get("/").text, re.DOTALL)
    assert ["sherwood-again" in re.sub(r'"[^"]*"', "", row) for row in rows] == [False, True]


def test_an_archive_without_a_whole_export_is_refused(gm: TestClient) -> None:
    shown = {"format": "jsonl", "reader": "table"}
    packed = worked_out(gm, gm.post(f"/c/{SHERWOOD}/gm/export", data=shown)).content
    assert "made for one reader" in sent(gm, "shown.zip", packed).text
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("../notes.jsonl", "{}")
    for data in (other.getvalue(), other.getvalue()[:-40] + bytes(40)):
        answer = sent(gm, "other.zip", data)
        assert answer.status_code == 422 and "Nothing was imported" in answer.text and "/tmp" not in answer.text


def test_a_campaign_that_was_moved_arrives(gm: TestClient, sherwood: StoreFiles, tmp_path: Path) -> None:
    with sherwood.book() as book:
        book.new("Night Ferry", "powers")
        move(book, book.campaign("night-ferry"), tmp_path / "ferry.move")
    answer = sent(gm, "ferry.move", (tmp_path / "ferry.move").read_bytes())
    assert answer.headers["location"] == "/c/night-ferry"


@pytest.mark.parametrize(
    ("name", "data", "fields", "said"),
    [
        ("notes.txt", b"nothing of ours", {}, "notes.txt"),
        ("sherwood.jsonl", b"", {}, "sherwood.jsonl"),
        ("../../../etc/passwd", b"{}", {}, "passwd"),
        ("a.csv", b"x,y\n1,2\n", {"origin": "csv"}, ""),
        ("a.jsonl", b"{}", {"origin": "nonsense"}, "nonsense"),
        ("", b"", {}, "There is no file yet"),
    ],
)
def test_a_file_that_is_none_of_ours_is_refused_in_a_sentence(
    gm: TestClient, sherwood: StoreFiles, name: str, data: bytes, fields: dict[str, str], said: str
) -> None:
    before = sherwood.store.read_bytes()
    answer = sent(gm, name, data, **fields)
    assert answer.status_code in (404, 422, 503) and 'role="alert"' in answer.text and said in answer.text
    assert "/tmp" not in answer.text and "sent." not in answer.text and "Traceback" not in answer.text
    assert sherwood.store.read_bytes() == before


def test_a_file_with_a_byte_changed_is_not_taken_in(gm: TestClient, sherwood: StoreFiles, tmp_path: Path) -> None:
    data = exported(sherwood, tmp_path).replace(b"longbow", b"crossbow", 1)
    answer = sent(gm, "sherwood.jsonl", data, name="Copy")
    assert answer.status_code == 503 and "sherwood.jsonl" in answer.text
    assert gm.get("/c/copy").status_code == 404


def test_a_file_that_is_too_large_is_refused_before_it_is_read(gm: TestClient) -> None:
    answer = gm.post(
        "/import", content=b"", headers={"Content-Length": "64000001", "Content-Type": "multipart/form-data"}
    )
    assert answer.status_code == 413 and "64,000,000 bytes" in answer.text
