"""The GM's room: audit, secrets, words to remove, another game, timelines, exports and backups; none of it for players."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.exports import exporters
from rollbook.adapters.web.routes import PAGES
from rollbook.adapters.web.seats.requester import Identity
from rollbook.domain.events import Role
from tests.support.needs import needed
from tests.support.web import Clients, StoreFiles
from tests.support.web_answers import worked_out

ROOM = "/c/sherwood/gm"
PAGES_OF_ROOM = [page for page in PAGES if page.path.startswith("/c/{campaign}/gm")]


@pytest.mark.parametrize("page", [page for page in PAGES_OF_ROOM if page.method == "GET"], ids=lambda page: page.path)
def test_no_page_of_the_room_is_for_players(page, mira: TestClient, spectator: TestClient) -> None:
    path = page.path.format(campaign="sherwood", job="x", action="20")
    for client in (mira, spectator):
        assert client.get(path).status_code == 403


@pytest.mark.parametrize("page", [page for page in PAGES_OF_ROOM if page.method == "POST"], ids=lambda page: page.path)
def test_nothing_in_the_room_is_done_by_players(
    page, mira: TestClient, spectator: TestClient, sherwood: StoreFiles
) -> None:
    with sherwood.book() as book:
        before = book.campaign("sherwood").head
    for client in (mira, spectator):
        sent = {"who": "spy", "actions": "20", "note": "5", "why": "x", "sure": "yes", "ruleset": "powers"}
        assert client.post(page.path.format(campaign="sherwood"), data=sent).status_code == 403
    with sherwood.book() as book:
        assert book.campaign("sherwood").head == before
        assert book.timelines("sherwood") == ()


def test_the_room_says_the_rules_and_leads_to_the_rest(gm: TestClient) -> None:
    page = gm.get(ROOM).text
    assert "storytoken" in page
    for place in ("secrets", "audit", "timelines", "keep", "adopt", "seats"):
        assert f'href="{ROOM}/{place}"' in page


def test_an_audit_answers_three_questions(gm: TestClient) -> None:
    page = worked_out(gm, gm.post(f"{ROOM}/audit", data={"receipts": ""})).text
    assert re.findall(r"VERIFIED|UNPROVEN|FAILED", page) == ["VERIFIED"] * 3


def test_a_receipt_is_compared_and_one_that_cannot_be_read_is_said_beside_the_form(gm: TestClient) -> None:
    receipt = re.search(r"sherwood @\d+ [A-Z0-9-]+(?: dice [A-Z0-9-]+)?", gm.get(f"{ROOM}/audit").text)
    assert receipt
    page = worked_out(gm, gm.post(f"{ROOM}/audit", data={"receipts": receipt[0]})).text
    assert len(re.findall(r"VERIFIED", page)) == 4
    wrong = gm.post(f"{ROOM}/audit", data={"receipts": "not a receipt"})
    assert wrong.status_code == 422
    assert "not a receipt</textarea>" in wrong.text
    assert 'aria-invalid="true"' in wrong.text


def test_a_secret_is_revealed_and_then_on_the_players_page(gm: TestClient, mira: TestClient) -> None:
    gm.post("/c/sherwood/say", data={"line": "note The bridge is mined --secret"})
    number = re.search(r"/reveal/(\d+)", gm.get(f"{ROOM}/secrets").text)
    assert number
    assert "The bridge is mined" not in mira.get("/c/sherwood").text
    assert "The bridge is mined" in gm.get(f"{ROOM}/reveal/{number[1]}").text
    assert gm.post(f"{ROOM}/secrets", data={"actions": number[1]}).status_code == 200
    assert "The bridge is mined" in mira.get("/c/sherwood").text


def test_somebody_hidden_is_brought_into_the_open(gm: TestClient, mira: TestClient) -> None:
    gm.post("/c/sherwood/say", data={"line": 'join Gisborne --secret --kind monster --pattern "guard"'})
    page = gm.get(f"{ROOM}/secrets").text
    if "Gisborne" not in page:
        gm.post("/c/sherwood/say", data={"line": "conceal guard"})
        page = gm.get(f"{ROOM}/secrets").text
    who = re.search(r'name="who" value="([^"]+)"', page)
    assert who
    assert gm.post(f"{ROOM}/secrets", data={"who": who[1]}).status_code == 200
    assert "Nobody is hidden" in gm.get(f"{ROOM}/secrets").text


@pytest.mark.parametrize("actions", ["", "all", "1", "99999", "#"])
def test_what_cannot_be_revealed_is_refused_in_a_sentence(gm: TestClient, actions: str) -> None:
    answer = gm.post(f"{ROOM}/secrets", data={"actions": actions})
    assert answer.status_code in (404, 422)
    assert 'role="alert"' in answer.text


def test_words_are_removed_only_when_it_is_said_twice_and_why(gm: TestClient, sherwood: StoreFiles) -> None:
    gm.post("/c/sherwood/say", data={"line": "note Mira's telephone is 555-2368"})
    number = re.search(r"The last notes.*?#(\d+)", gm.get(f"{ROOM}/secrets").text, re.DOTALL)
    assert number
    for sent in ({}, {"why": "private"}, {"sure": "yes"}):
        answer = gm.post(f"{ROOM}/redact", data={"note": number[1], **sent})
        assert answer.status_code == 422
        assert f'value="{number[1]}"' in answer.text
    assert "555-2368" in gm.get("/c/sherwood").text
    done = gm.post(f"{ROOM}/redact", data={"note": number[1], "why": "private", "sure": "yes"})
    assert "The words are gone" in done.text
    assert "555-2368" not in done.text
    assert "555-2368" not in gm.get("/c/sherwood").text
    assert b"555-2368" not in sherwood.store.read_bytes()


def test_another_game_is_shown_first_and_gone_over_to_with_one_button(gm: TestClient, sherwood: StoreFiles) -> None:
    first = gm.get(f"{ROOM}/adopt").text
    assert '<option value="powers">' in first
    assert '<option value="storytoken"' not in first
    page = gm.get(f"{ROOM}/adopt", params={"ruleset": "powers"}).text
    assert "Robin Hood" in page
    base = re.search(r'name="base" value="(\d+)"', page)
    assert base
    with sherwood.book() as book:
        assert book.campaign("sherwood").state.ruleset == "storytoken"
    gm.post("/c/sherwood/say", data={"line": "note somebody is faster"})
    stale = gm.post(f"{ROOM}/adopt", data={"ruleset": "powers", "base": base[1]})
    assert stale.status_code == 409
    base = re.search(r'name="base" value="(\d+)"', stale.text)
    assert base
    assert gm.post(f"{ROOM}/adopt", data={"ruleset": "powers", "base": base[1]}).status_code == 200
    with sherwood.book() as book:
        assert book.campaign("sherwood").state.ruleset == "powers"


def test_a_house_rule_of_the_other_game_that_cannot_be_is_refused(gm: TestClient) -> None:
    answer = gm.get(f"{ROOM}/adopt", params={"ruleset": "powers", "setting.crit_fail_margin": "many"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert 'value="many"' in answer.text


def test_a_timeline_leaves_the_campaign_and_is_compared(gm: TestClient, sherwood: StoreFiles) -> None:
    made = gm.post(f"{ROOM}/timelines", data={"at": "12", "why": "what if"}, follow_redirects=False)
    assert made.headers["location"] == "/c/sherwood~1"
    assert gm.get("/c/sherwood~1").status_code == 200
    assert gm.post("/c/sherwood~1/say", data={"line": "note Nobody came"}).status_code == 200
    assert "what if" in gm.get(f"{ROOM}/timelines").text
    page = worked_out(gm, gm.post(f"{ROOM}/compare", data={"timeline": "1"})).text
    assert "Only on sherwood~1" in page
    assert "Nobody came" in page
    with sherwood.book() as book:
        assert "Nobody came" not in str(book.campaign("sherwood").history.entries[-1].events)


@pytest.mark.parametrize("at", ["soon", "99999", "-1"])
def test_a_timeline_from_nowhere_is_refused(gm: TestClient, at: str) -> None:
    answer = gm.post(f"{ROOM}/timelines", data={"at": at})
    assert answer.status_code in (404, 422)
    assert f'value="{at}"' in answer.text


def test_everything_is_played_again_by_other_rules(gm: TestClient) -> None:
    page = worked_out(gm, gm.post(f"{ROOM}/rerun", data={"ruleset": "powers"})).text
    assert "could be played by those rules" in page
    assert "Everybody by both games" in page


def test_what_fails_in_slow_work_is_said(gm: TestClient) -> None:
    answer = worked_out(gm, gm.post(f"{ROOM}/compare", data={"timeline": "7"}))
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text
    assert gm.get(f"{ROOM}/job/nothing").status_code == 404


@pytest.mark.parametrize("form", ["jsonl", *exporters()])
def test_an_export_is_sent_in_every_format(gm: TestClient, form: str, tmp_path: Path) -> None:
    if form == "pdf":
        needed("typst")
    answer = worked_out(gm, gm.post(f"{ROOM}/export", data={"format": form, "reader": "seat:Mira"}))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith('attachment; filename="sherwood')
    assert len(answer.content) > 500


def test_an_export_with_pseudonyms_is_sent_and_names_nobody(gm: TestClient) -> None:
    sent = {"format": "cloudevents", "reader": "gm", "pseudonyms": "yes"}
    answer = worked_out(gm, gm.post(f"{ROOM}/export", data=sent))
    assert answer.status_code == 200, answer.text
    assert '"seat":"Seat 1"' in answer.text and "Mira" not in answer.text


def test_a_players_export_holds_nothing_of_the_gms(gm: TestClient) -> None:
    gm.post("/c/sherwood/say", data={"line": "note The bridge is mined --secret"})
    packed = worked_out(gm, gm.post(f"{ROOM}/export", data={"format": "jsonl", "reader": "seat:Mira"})).content
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert sorted(archive.namelist()) == ["sherwood.jsonl", "verify_rollbook.py"]
        lines = archive.read("sherwood.jsonl")
    assert b"mined" not in lines
    assert json.loads(lines.splitlines()[0])["format"] == "rollbook/shown/1"
    whole = worked_out(gm, gm.post(f"{ROOM}/export", data={"format": "jsonl", "reader": "gm"})).content
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        assert b"mined" in archive.read("sherwood.jsonl")


@pytest.mark.parametrize(
    "sent",
    [
        {"format": "paper", "reader": "table"},
        {"format": "html", "reader": "seat:Nobody"},
        {"format": "jsonl", "reader": "table", "pseudonyms": "yes"},
    ],
)
def test_an_export_that_cannot_be_is_refused(gm: TestClient, sent: dict[str, str]) -> None:
    answer = gm.post(f"{ROOM}/export", data=sent)
    assert answer.status_code in (404, 422)
    assert 'role="alert"' in answer.text


def test_a_backup_is_for_the_host_and_is_a_store(gm: TestClient, clients: Clients, tmp_path: Path) -> None:
    ana = clients.as_(Identity(campaign="sherwood", seat="Ana", role=Role.GM))
    assert ana.get(ROOM).status_code == 200
    assert "Make a backup" not in ana.get(f"{ROOM}/keep").text
    assert ana.post(f"{ROOM}/backup").status_code == 403
    answer = worked_out(gm, gm.post(f"{ROOM}/backup"))
    assert "rollbook-backup.db" in answer.headers["content-disposition"]
    (tmp_path / "copy.db").write_bytes(answer.content)
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy, copy:
        assert copy.execute("SELECT COUNT(*) FROM unrevealed_seeds").fetchone() is not None
