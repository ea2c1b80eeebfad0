"""The GM makes seats and links, sees when each was first used, and ends them; nobody else gets that page."""

from __future__ import annotations

import html
import re

import pytest
from starlette.testclient import TestClient

from tests.support.web import SHERWOOD, Clients

SEATS = f"/c/{SHERWOOD}/gm/seats"


def link_on(page: str) -> str:
    """The path of the link that was made just now."""
    (address,) = re.findall(r'id="link" readonly value="([^"]+)"', page)
    return "/join/" + html.unescape(address).partition("/join/")[2]


def numbers(page: str) -> list[str]:
    """The links that can be revoked, the newest of each seat first."""
    return re.findall(r'name="link" value="(\d+)"', page)


def test_a_seat_is_made_with_a_link_and_a_code_that_are_shown_once(gm: TestClient, clients: Clients) -> None:
    page = gm.post(SEATS, data={"name": "Nora", "role": "spectator"})
    assert page.status_code == 200 and page.headers["cache-control"] == "no-store"
    assert 'class="qr"' in page.text and "style=" not in page.text
    path = link_on(page.text)
    assert path not in gm.get(SEATS).text and "not used yet" in gm.get(SEATS).text
    guest = clients.as_(None)
    assert guest.post(path, follow_redirects=False).status_code == 303
    assert guest.get(f"/c/{SHERWOOD}").status_code == 200
    assert "first used 20" in gm.get(SEATS).text


def test_without_a_role_somebody_is_a_player(gm: TestClient) -> None:
    assert gm.post(SEATS, data={"name": "Nora", "role": ""}).status_code == 200
    assert re.search(r"Nora.{0,20} <small>player<", gm.get(SEATS).text)


def test_a_link_that_is_revoked_ends_and_the_page_says_when(gm: TestClient, clients: Clients) -> None:
    guest = clients.as_(None)
    page = gm.post(f"{SEATS}/link", data={"seat": "Mira"}).text
    guest.post(link_on(page))
    assert guest.get(f"/c/{SHERWOOD}").status_code == 200
    (number,) = numbers(page)
    assert gm.post(f"{SEATS}/revoke", data={"link": number}, follow_redirects=False).status_code == 303
    assert guest.get(f"/c/{SHERWOOD}").status_code == 401
    after = gm.get(SEATS).text
    assert "revoked 20" in after and numbers(after) == []


def test_who_leaves_the_table_and_comes_back(gm: TestClient, clients: Clients) -> None:
    guest = clients.as_(None)
    guest.post(link_on(gm.post(f"{SEATS}/link", data={"seat": "Mira"}).text))
    gm.post(f"{SEATS}/sit", data={"seat": "Mira"})
    assert guest.get(f"/c/{SHERWOOD}").status_code == 401
    refused = gm.post(f"{SEATS}/link", data={"seat": "Mira"})
    assert refused.status_code == 422 and "Mira has left the table" in refused.text
    gm.post(f"{SEATS}/sit", data={"seat": "Mira"})
    assert guest.get(f"/c/{SHERWOOD}").status_code == 200


@pytest.mark.parametrize(
    ("name", "role", "said"),
    [
        ("Mira", "player", "Mira already has a seat"),
        ("", "player", "A seat needs a name"),
        ("x" * 90, "player", "at most 80 characters"),
        ("Nora", "emperor", "emperor"),
    ],
)
def test_a_refusal_stands_beside_the_name_that_was_typed(gm: TestClient, name: str, role: str, said: str) -> None:
    page = gm.post(SEATS, data={"name": name, "role": role})
    assert page.status_code == 422 and said in page.text and 'id="name-e"' in page.text
    assert f'name="name" required maxlength="80" autocomplete="off" value="{name}"' in page.text


@pytest.mark.parametrize(("path", "data"), [("link", {"seat": "Nobody"}), ("revoke", {"link": "99"}), ("sit", {})])
def test_what_is_not_there_is_said(gm: TestClient, path: str, data: dict[str, str]) -> None:
    assert gm.post(f"{SEATS}/{path}", data=data).status_code == 404


def test_nobody_else_sees_or_makes_any(clients: Clients, mira: TestClient, spectator: TestClient) -> None:
    for client, status in ((mira, 403), (spectator, 403), (clients.as_(None), 401)):
        assert client.get(SEATS).status_code == status
        for path in ("", "/link", "/revoke", "/sit"):
            assert (
                client.post(f"{SEATS}{path}", data={"seat": "Mira", "name": "Eve", "link": "1"}).status_code == status
            )


def test_links_begin_with_the_address_that_others_can_reach(gm: TestClient, clients: Clients) -> None:
    page = gm.post(f"{SEATS}/link", data={"seat": "Mira"}).text
    assert 'value="http://127.0.0.1:7655/join/' in page and "on this computer alone" in page
    clients.app.sessions.links.note_addresses(("http://192.168.1.5:7655", "http://127.0.0.1:7655"))
    page = gm.post(f"{SEATS}/link", data={"seat": "Mira"}).text
    assert 'value="http://192.168.1.5:7655/join/' in page and "on this computer alone" not in page
