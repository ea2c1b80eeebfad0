"""The host's page keeps the tables of others: it begins, counts and deletes them, and shows nothing of what happens there."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile

import pytest
from starlette.testclient import TestClient

from rollbook.application.host_settings import HostSettings, change_settings
from rollbook.domain.events import Role
from tests.support.web import GM, MIRA, SHERWOOD, Clients, StoreFiles, clients_of
from tests.support.web import cookie_name as name_of

SECRET = "Nobody but Mira wrote this"
FAR = "https://table.example"


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def link_on(page: str) -> str:
    (address,) = re.findall(r'id="link" readonly value="([^"]+)"', page)
    return "/join/" + html.unescape(address).partition("/join/")[2]


def of_host(clients: Clients, name: str = "Clara") -> TestClient:
    """A client that has taken a link to the host's page."""
    client = clients.as_(None)
    _, token = clients.app.sessions.links.make_for_hosts_page(name)
    assert client.post(f"/join/{token}", follow_redirects=False).status_code == 303
    return client


@pytest.fixture
def clara(clients: Clients) -> TestClient:
    return of_host(clients)


def test_a_host_sees_the_tables_and_nothing_that_happens_there(clara: TestClient, gm: TestClient) -> None:
    shown = clara.get("/")
    assert shown.url.path == "/host" and shown.status_code == 200
    said = text_of(shown.text)
    assert re.search(r"Sherwood.* sherwood · storytoken .* 0 on · \d+ entries, \d+ kB", said), said
    assert "Commands of one browser 60 at once, then 10 a second" in said
    assert "Robin Hood" not in said
    for path in (f"/c/{SHERWOOD}", f"/c/{SHERWOOD}/gm", f"/c/{SHERWOOD}/log"):
        assert clara.get(path).status_code == 401
    for path in ("/new", "/import/x"):
        assert clara.get(path).status_code == 403
    assert gm.get("/host").status_code == 200, "who runs the server has it too"


def test_links_to_it_are_listed_and_revoked(clients: Clients, clara: TestClient) -> None:
    other = of_host(clients, "Dora")
    page = other.get("/host").text
    (own,) = re.findall(
        r'name="link" value="(\d+)"><button class="btn btn-pen" aria-label="Revoke the link of the host Clara', page
    )
    assert other.post("/host/revoke", data={"campaign": "", "link": own}, follow_redirects=False).status_code == 303
    assert clara.get("/host").status_code == 401 and other.get("/host").status_code == 200
    assert "was revoked" in clara.get("/host").text


def test_a_table_begins_with_a_link_for_its_gm_who_may_get_another(clients: Clients, clara: TestClient) -> None:
    page = clara.post("/host/tables", data={"name": "Nottingham", "gm": "Gina", "ruleset": "grid"})
    gina = clients.as_(None)
    gina.post(link_on(page.text))
    assert gina.get("/c/nottingham/gm").status_code == 200
    again = clara.post("/host/tables", data={"name": "Nottingham", "gm": "Gina", "ruleset": "grid"})
    assert again.status_code == 422 and "There is already a campaign 'nottingham'" in text_of(again.text)
    page = clara.post("/host/link", data={"campaign": "nottingham", "seat": "Gina"})
    number = min(map(int, re.findall(r'value="nottingham"><input type="hidden" name="link" value="(\d+)"', page.text)))
    clara.post("/host/revoke", data={"campaign": "nottingham", "link": str(number)})
    assert gina.get("/c/nottingham/gm").status_code == 401
    gina.post(link_on(page.text))
    assert gina.get("/c/nottingham/gm").status_code == 200


def test_a_campaign_is_deleted_once_its_name_was_typed(clara: TestClient, gm: TestClient, sherwood: StoreFiles) -> None:
    before = text_of(clara.get(f"/host/delete?campaign={SHERWOOD}").text)
    assert re.search(r"\d+ entries go, .* cannot be undone.* A tombstone stays", before)
    wrong = clara.post("/host/delete", data={"campaign": SHERWOOD, "typed": "Sherwod"})
    assert wrong.status_code == 422 and gm.get(f"/c/{SHERWOOD}").status_code == 200
    done = clara.post("/host/delete", data={"campaign": SHERWOOD, "typed": SHERWOOD})
    assert "sherwood is deleted, with" in text_of(done.text) and "Its last hash was" in text_of(done.text)
    assert "Exports that people have made are theirs." in text_of(done.text)
    with sherwood.book() as book:
        assert book.campaigns() == () and [stone.campaign for stone in book.store.tombstones()] == [SHERWOOD]


def test_a_persons_data_are_a_file(clara: TestClient, sherwood: StoreFiles) -> None:
    assert clara.get("/host/person?name=Nobody").status_code == 404
    assert re.search(r"Sherwood.*, as Mira.*: \d+ actions", text_of(clara.get("/host/person?name=mira").text))
    sent = clara.post("/host/person/export", data={"name": "Mira"})
    with zipfile.ZipFile(io.BytesIO(sent.content)) as packed:
        (about,) = json.loads(packed.read("person.json"))
        assert (about["seat"], about["role"]) == ("Mira", "player") and about["actions"]
        first = packed.read("sherwood-0.jsonl").splitlines()[0]
        assert b"player:Mira" in first


def test_a_person_is_removed_with_marks_in_the_place_of_words(sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        book.campaign(SHERWOOD).do("note", {"text": SECRET}, seat="Mira")
    with clients_of(sherwood) as clients:
        clara, mira = of_host(clients), clients.as_(None)
        with sherwood.book() as book:
            campaign = book.campaign(SHERWOOD)
            token = clients.app.sessions.links.make(SHERWOOD, campaign.state.identity, "Mira")[1]
        mira.post(f"/join/{token}")
        assert SECRET in mira.get(f"/c/{SHERWOOD}").text
        wrong = clara.post("/host/person/remove", data={"name": "Mira", "typed": "Jo"})
        assert wrong.status_code == 422
        done = text_of(clara.post("/host/person/remove", data={"name": "Mira", "typed": "Mira"}).text)
        assert re.search(r"sherwood: the seat is called Seat \d+ now; the words of [1-9]\d* notes? are gone", done), (
            done
        )
        assert "Not done" not in done
        assert mira.get(f"/c/{SHERWOOD}").status_code == 401
        page = clients.as_(GM).get(f"/c/{SHERWOOD}/gm/seats").text
        assert "Mira" not in re.sub(r'value="[^"]*"|aria-label="[^"]*"', "", page)
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        assert not campaign.state.seats["Mira"].present
        assert campaign.audit()[0].verdict.name == "VERIFIED"
        assert not any(SECRET.encode() in stored.data for stored in book.store.read(SHERWOOD))


@pytest.mark.parametrize("said", [{}, {"name": " ", "typed": " "}, {"name": "Nobody", "typed": "Nobody"}])
def test_nobody_is_removed_where_no_one_is_named(clients: Clients, clara: TestClient, said: dict[str, str]) -> None:
    gm, mira = clients.as_(GM), clients.as_(MIRA)
    assert clara.post("/host/person/remove", data=said).status_code in (404, 422)
    assert {each.get(f"/c/{SHERWOOD}").status_code for each in (gm, mira)} == {200}


def test_a_gm_begins_as_many_campaigns_as_the_host_allows(clients: Clients, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        campaign.do("take-seat", {"seat": "Gina", "role": Role.GM.value})
        token = clients.app.sessions.links.make(SHERWOOD, campaign.state.identity, "Gina")[1]
    gina = clients.as_(None)
    gina.post(f"/join/{token}")
    another = f"/c/{SHERWOOD}/gm/another"
    assert "Ask the host for one" in text_of(gina.get(another).text)
    assert gina.post(another, data={"name": "Mine", "ruleset": "grid"}).status_code == 422
    with sherwood.book() as book:
        change_settings(book.seeds.host_notes(), lambda _: HostSettings(self_service=1))
    assert "you may begin 1 more" in text_of(gina.get(another).text)
    made = gina.post(another, data={"name": "Mine", "ruleset": "grid"}, follow_redirects=False)
    assert made.headers["location"] == "/c/mine/gm/seats"
    assert gina.get("/c/mine/gm/seats").status_code == 200 and gina.get(f"/c/{SHERWOOD}/gm").status_code == 200
    assert gina.post(another, data={"name": "Mine too", "ruleset": "grid"}).status_code == 422


def test_the_link_of_who_runs_the_server_is_refused_in_a_sentence_from_elsewhere(clients: Clients) -> None:
    far = TestClient(clients.app, base_url="http://127.0.0.1:7655", client=("10.1.2.3", 50_000))
    far.portal = clients.as_(None).portal
    far.headers["Origin"] = "http://127.0.0.1:7655"
    answer = far.post(clients.app.sessions.host_link(), follow_redirects=False)
    assert answer.status_code == 422 and name_of(clients.app) not in far.cookies
    assert "rollbook host init NAME" in text_of(answer.text)


def test_a_table_at_its_limit_says_so_here_and_to_who_acts(
    clara: TestClient, gm: TestClient, sherwood: StoreFiles
) -> None:
    with sherwood.book() as book:
        entries = book.campaign(SHERWOOD).head.entry
    for wrong in ("many", "-1", "1.5"):
        assert clara.post("/host/limit", data={"campaign": SHERWOOD, "entries": wrong}).status_code == 422
    page = clara.post("/host/limit", data={"campaign": SHERWOOD, "entries": str(entries)})
    assert f"{entries} of {entries} entries" in text_of(page.text) and "full: nothing more is recorded" in text_of(
        page.text
    )
    said = gm.post(f"/c/{SHERWOOD}/say", data={"line": "note more", "command": "one"})
    assert f"sherwood has {entries} entries, and the host allows {entries}" in text_of(said.text)
    assert "Ask the host for more: Clara." in text_of(said.text)
    assert gm.get(f"/c/{SHERWOOD}").status_code == 200
    assert gm.post(f"/c/{SHERWOOD}/x-card", follow_redirects=False).status_code < 400
    clara.post("/host/limit", data={"campaign": SHERWOOD, "entries": ""})
    assert "of at most" not in text_of(clara.get("/host").text)
