"""A token is made on a page of its seat, is good for its days, and ends with its link and with the rights of its seat."""

from __future__ import annotations

import re
import time
from contextlib import closing

import attrs
import pytest
from httpx2 import get
from starlette.testclient import TestClient

from rollbook.adapters.local_files.seat_links_file import SeatLinksFile
from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits, Rate
from rollbook.adapters.web.serving.app import create_app
from rollbook.application.keeping.tokens import MOST_OF_A_SEAT
from rollbook.application.ports.clock import microseconds
from rollbook.application.ports.seat_tokens import MARK, Scope
from rollbook.domain.events import Role
from tests.support.api import API, AT, Program, program, with_token
from tests.support.web import GM, JO, MIRA, SHERWOOD, SPECTATOR, Clients, Running, StoreFiles, until
from tests.support.web_servers import answering, serving

TOKENS = f"/c/{SHERWOOD}/tokens"
SHOWN = re.compile(r'<code id="token">([^<]+)</code>')
ASKED = {"name": "Dice bot", "scope": ["read", "act"], "days": "30"}


def made_by(client: TestClient, **form: object) -> str:
    """The token that the page shows once."""
    answer = client.post(TOKENS, data={**ASKED, **form})
    assert answer.status_code == 200, answer.text
    found = SHOWN.search(answer.text)
    assert found is not None
    assert found[1] not in client.get(TOKENS).text
    return found[1]


def status(clients: Clients, token: str) -> int:
    return Program(with_token(clients), token).get(f"{AT}/state").status_code


def test_a_player_makes_a_token_of_their_own_seat_lists_it_and_revokes_it(clients: Clients) -> None:
    mira, jo = clients.as_(MIRA), clients.as_(JO)
    token = made_by(mira)
    one = Program(with_token(clients), token)
    row = one.get(f"{API}/campaigns").json()["campaigns"][0]
    assert (row["seat"], row["role"], row["scopes"]) == ("Mira", "player", ["act", "read"])
    page = mira.get(TOKENS).text
    assert "Dice bot" in page and "act, read" in page and "last used" in page
    assert "Dice bot" not in jo.get(TOKENS).text
    number = re.search(r'name="token" value="(\d+)"', page)
    assert number is not None
    assert jo.post(f"{TOKENS}/revoke", data={"token": number[1]}).status_code == 404
    assert status(clients, token) == 200
    assert mira.post(f"{TOKENS}/revoke", data={"token": number[1]}, follow_redirects=False).status_code == 303
    answer = one.get(f"{AT}/state")
    assert answer.status_code == 401 and "It may have ended" in answer.json()["detail"]
    assert "Revoked" in mira.get(TOKENS).text


def test_the_gm_sees_and_revokes_the_tokens_of_all_seats(clients: Clients) -> None:
    token = made_by(clients.as_(MIRA))
    gm = clients.as_(attrs.evolve(MIRA, seat="Ana", role=Role.GM))
    page = gm.get(TOKENS).text
    number = re.search(r'name="token" value="(\d+)"', page)
    assert "Dice bot" in page and number is not None
    gm.post(f"{TOKENS}/revoke", data={"token": number[1]})
    assert status(clients, token) == 401


def test_the_host_makes_one_for_a_gms_seat(clients: Clients) -> None:
    host = clients.as_(GM)
    token = made_by(host, seat="Ana")
    assert Program(with_token(clients), token).get(AT).json()["role"] == "gm"
    refused = host.post(TOKENS, data={**ASKED, "seat": "Mira"})
    assert refused.status_code == 422 and SHOWN.search(refused.text) is None


def test_a_spectators_token_reads_and_no_more(clients: Clients) -> None:
    watcher = clients.as_(SPECTATOR)
    assert status(clients, made_by(watcher, scope=["read"])) == 200
    refused = watcher.post(TOKENS, data=ASKED)
    assert refused.status_code == 422 and "may only read" in refused.text


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"name": ""}, "Say what the token is for"),
        ({"scope": []}, "Say what the token may be used for"),
        ({"scope": ["everything"]}, "There is no scope called"),
        *[({"days": days}, "1 to 366 days") for days in ("0", "367", "-1", "soon", "")],
    ],
)
def test_what_cannot_be_had_is_said_beside_the_form(clients: Clients, form: dict[str, object], said: str) -> None:
    answer = clients.as_(MIRA).post(TOKENS, data={**ASKED, **form})
    assert 400 <= answer.status_code < 500 and said in answer.text and SHOWN.search(answer.text) is None


def test_a_seat_has_no_endless_number_of_tokens(clients: Clients) -> None:
    mira = clients.as_(MIRA)
    for _ in range(MOST_OF_A_SEAT):
        made_by(mira)
    assert "Revoke one first" in mira.post(TOKENS, data=ASKED).text
    made_by(clients.as_(JO))


def test_a_token_ends_by_itself(clients: Clients, sherwood: StoreFiles) -> None:
    links = clients.app.sessions.links
    one = program(clients, sherwood, "Mira")
    with sherwood.book() as book:
        link, _ = links.make(SHERWOOD, book.campaign(SHERWOOD).state.identity, "Mira")
    soon = microseconds() + 1_500_000
    _, token = links.make_token(link.number, "soon over", frozenset({Scope.READ}), soon)
    assert status(clients, token) == 200
    time.sleep(max(0, (soon - microseconds()) / 1_000_000) + 0.05)
    assert status(clients, token) == 401
    assert one.get(AT).status_code == 200


def test_it_ends_with_the_link_by_which_its_owner_sat_there(clients: Clients, sherwood: StoreFiles) -> None:
    token, links = made_by(clients.as_(MIRA)), clients.app.sessions.links
    with sherwood.book() as book:
        identity = book.campaign(SHERWOOD).state.identity
    (link,) = [each for each in links.of(SHERWOOD, identity) if each.seat == "Mira"]
    other = made_by(clients.as_(MIRA))  # in another browser, by another link
    links.revoke(link.number)
    assert (status(clients, token), status(clients, other)) == (401, 200)


def test_it_ends_when_its_seat_leaves_and_is_what_the_seat_is(clients: Clients, sherwood: StoreFiles) -> None:
    one = program(clients, sherwood, "Mira")
    with sherwood.book() as book:
        book.campaign(SHERWOOD).do("leave-seat", {"seat": "Mira"})
    until(lambda: one.get(AT).status_code == 401)
    with sherwood.book() as book:
        book.campaign(SHERWOOD).do("take-seat", {"seat": "Mira", "role": "spectator"})
    until(lambda: one.get(AT).status_code == 200)
    assert one.get(AT).json()["role"] == "spectator"
    assert one.post(f"{AT}/act", {"verb": "roll"}).status_code == 403


def test_of_a_token_only_a_digest_is_kept(clients: Clients, sherwood: StoreFiles) -> None:
    token = made_by(clients.as_(MIRA))
    assert status(clients, token) == 200
    kept = b"".join(path.read_bytes() for path in sherwood.store.parent.rglob("*") if path.is_file())
    assert token.encode() not in kept and token.removeprefix(MARK).encode() not in kept


def test_a_token_in_an_address_is_refused_wherever_it_leads(clients: Clients, sherwood: StoreFiles) -> None:
    one = program(clients, sherwood, "Mira")
    encoded = one.token.replace(".", "%2E")
    for address in (
        *(f"{AT}/state?{name}={one.token}" for name in ("access_token", "token", "key")),
        f"{AT}/state?access_token=x",
        f"{AT}/state?x={encoded}",
        f"/c/{SHERWOOD}?token={one.token}",
        f"/join/{one.token}",
        f"{AT}/sheets/{one.token}",
    ):
        for asker in (one, Program(with_token(clients), "")):
            answer = asker.get(address)
            assert answer.status_code == 400 and "does not belong in an address" in answer.text, address


def test_two_tokens_or_another_kind_are_none(clients: Clients, sherwood: StoreFiles) -> None:
    one = program(clients, sherwood, "Mira")
    client = with_token(clients)
    two = [("Authorization", f"Bearer {one.token}"), ("Authorization", f"Bearer {one.token}")]
    assert client.get(AT, headers=two).status_code == 401
    for said in (one.token, f"Basic {one.token}", "Bearer", f"Bearer {one.token}x", "Bearer rollbook.", "Bearer ÿ"):
        assert client.get(AT, headers={"Authorization": said.encode("latin-1")}).status_code == 401, said
    assert client.get(AT, headers={"Authorization": f"bearer   {one.token}"}).status_code == 200


def test_a_token_has_the_limits_of_a_browser(sherwood: StoreFiles) -> None:
    limits = Limits(reading=Rate(burst=3, a_second=0), acting=Rate(burst=2, a_second=0))
    app = create_app(sherwood.store, sherwood.seeds, Door(limits=limits))
    with TestClient(app) as started:
        clients = Clients(app, started)
        one, other = program(clients, sherwood, "Mira"), program(clients, sherwood, "Jo")
        assert [one.get(AT).status_code for _ in range(4)] == [200, 200, 200, 429]
        assert [one.post(f"{AT}/act").status_code for _ in range(3)] == [422, 422, 429]
        said = one.get(AT)
        assert said.headers["content-type"] == "application/problem+json" and said.headers["retry-after"]
        assert other.get(AT).status_code == 200
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {other.token}"}
        assert other.client.post(f"{AT}/act", content=b" " * 300_000, headers=headers).status_code == 413


@pytest.mark.process
def test_a_token_that_is_revoked_in_one_process_ends_at_once_in_another(sherwood: StoreFiles, served: Running) -> None:
    port = int(served.address.rpartition(":")[2])
    other = serving(sherwood, port + 1 if port < 65_000 else port - 1)
    try:
        answering(other)
        with closing(SeatLinksFile(served.app.sessions.links.path)) as links, sherwood.book() as book:  # type: ignore[attr-defined]
            link, _ = links.make(SHERWOOD, book.campaign(SHERWOOD).state.identity, "Mira")
            by, token = links.make_token(link.number, "bot", frozenset({Scope.READ}), microseconds() + 10**12)
            for address in (served.address, other.address):
                assert _asked(address, token) == 200
            links.revoke_token(by.number)
            for address in (served.address, other.address):
                assert _asked(address, token) == 401
    finally:
        other.process.terminate()
        other.process.wait(timeout=20)


def _asked(address: str, token: str) -> int:
    return get(f"{address}{AT}/state", headers={"Authorization": f"Bearer {token}"}).status_code
