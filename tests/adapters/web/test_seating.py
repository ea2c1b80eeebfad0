"""Who opens a link and confirms it sits there, until the link is revoked, the seat is left or another computer asks."""

from __future__ import annotations

import re

import attrs
import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.serving.app import WebTable
from rollbook.application.ports.seat_links import SeatLink
from rollbook.application.timelines.forking import fork
from tests.support.web import GM, MIRA, SHERWOOD, SPECTATOR, Clients, StoreFiles, cookie_name, until

HERE = "http://127.0.0.1:7655"


@attrs.define
class Guest:
    """Somebody with a browser of their own."""

    browser: TestClient
    app: WebTable

    def status(self, path: str = f"/c/{SHERWOOD}") -> int:
        return self.browser.get(path, follow_redirects=False).status_code

    def role(self) -> str:
        """As whom the page greets them."""
        page = self.browser.get(f"/c/{SHERWOOD}").text
        return " ".join(re.sub(r"<[^>]*>", "", re.search(r'class="seat">(.*?)</span>\n', page, re.DOTALL)[1]).split())

    def takes(self, token: str) -> None:
        answer = self.browser.post(f"/join/{token}", follow_redirects=False)
        assert answer.status_code == 303, answer.text


def link_to(app: WebTable, sherwood: StoreFiles, seat: str) -> tuple[SeatLink, str]:
    with sherwood.book() as book:
        return app.sessions.links.make(SHERWOOD, book.campaign(SHERWOOD).state.identity, seat)


@pytest.fixture
def guest(clients: Clients) -> Guest:
    return Guest(clients.as_(None), clients.app)


def test_looking_at_a_link_takes_no_seat_and_the_button_does(guest: Guest, sherwood: StoreFiles) -> None:
    link, token = link_to(guest.app, sherwood, "Mira")
    page = guest.browser.get(f"/join/{token}")
    assert (
        page.status_code == 200
        and ">Mira</bdi>, take your seat" in page.text
        and f'action="/join/{token}"' in page.text
    )
    assert "set-cookie" not in page.headers and guest.status() == 401
    assert guest.app.sessions.links.find(token) == link
    answer = guest.browser.post(f"/join/{token}", follow_redirects=False)
    assert answer.headers["location"] == f"/c/{SHERWOOD}"
    set_cookie = answer.headers["set-cookie"]
    assert (
        "HttpOnly" in set_cookie
        and "SameSite=lax" in set_cookie
        and "Path=/" in set_cookie
        and "Secure" not in set_cookie
    )
    page = guest.browser.get(f"/c/{SHERWOOD}")
    assert page.status_code == 200 and "Mira" in page.text
    assert guest.app.sessions.links.find(token).used > 0


def test_a_revoked_link_ends_at_the_next_request_and_the_page_says_what_to_do(
    guest: Guest, sherwood: StoreFiles
) -> None:
    link, token = link_to(guest.app, sherwood, "Mira")
    guest.takes(token)
    assert guest.status() == 200
    guest.app.sessions.links.revoke(link.number)
    page = guest.browser.get(f"/c/{SHERWOOD}")
    assert page.status_code == 401
    assert "The link to the seat of Mira was revoked. Ask the GM for a new one." in page.text
    assert guest.browser.get(f"/c/{SHERWOOD}/live?after=0.x").status_code == 401
    again = guest.browser.get(f"/join/{token}")
    assert again.status_code == 422 and "was revoked" in again.text


SPECTATES = "take-seat Mira --role spectator"


def test_a_seat_that_another_program_just_gave_is_known_before_any_news_of_it(clients: Clients) -> None:
    assert clients.as_(MIRA).get(f"/c/{SHERWOOD}").status_code == 200, "the seats are known from here on"
    clients.app._watcher.stop()
    assert clients.as_(SPECTATOR).get(f"/c/{SHERWOOD}").status_code == 200


def test_who_leaves_the_table_has_no_seat_in_the_browser_either(guest: Guest, sherwood: StoreFiles) -> None:
    _, token = link_to(guest.app, sherwood, "Mira")
    guest.takes(token)
    assert guest.status() == 200
    with sherwood.book() as book:  # another program
        book.campaign(SHERWOOD).do("leave-seat", {"seat": "Mira"})
    until(lambda: guest.status() == 401)
    assert "Mira has no seat at this table any more" in guest.browser.get(f"/c/{SHERWOOD}").text


@pytest.mark.parametrize(("lines", "status"), [(["leave-seat Mira"], 401), (["leave-seat Mira", SPECTATES], 200)])
@pytest.mark.parametrize("path", ["", "/live?after=0.", "/sheets"])
def test_what_is_read_is_never_newer_than_the_seat_that_it_is_shown_to(
    clients: Clients, sherwood: StoreFiles, lines: list[str], status: int, path: str
) -> None:
    mira = clients.as_(MIRA)
    assert mira.get(f"/c/{SHERWOOD}{path}").status_code == 200
    clients.app._watcher.stop()
    with sherwood.book() as book:  # another program
        for line in lines:
            book.campaign(SHERWOOD).say(line)
    assert mira.get(f"/c/{SHERWOOD}{path}").status_code == status
    assert status == 401 or Guest(mira, clients.app).role() == "Mira, spectator"


def test_a_link_is_good_for_its_own_campaign_alone(guest: Guest, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        book.new("Night Ferry", "powers")
    _, token = link_to(guest.app, sherwood, "Mira")
    guest.takes(token)
    assert guest.status("/c/night-ferry") == 401
    assert guest.status("/c/nowhere") == 401


def test_a_campaign_of_the_same_name_is_not_the_same_campaign(guest: Guest) -> None:
    _, token = guest.app.sessions.links.make(SHERWOOD, "another-identity", "Mira")
    guest.takes(token)
    assert guest.status() == 401


def test_on_a_timeline_only_the_gm_has_a_seat(guest: Guest, gm: TestClient, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        fork(book, book.campaign(SHERWOOD), 10).do("note", {"text": "What if?"})
    _, token = link_to(guest.app, sherwood, "Mira")
    guest.takes(token)
    assert guest.status(f"/c/{SHERWOOD}~1") == 401
    assert gm.get(f"/c/{SHERWOOD}~1").status_code == 200


def test_the_hosts_link_is_good_on_this_computer_and_through_no_proxy(guest: Guest) -> None:
    path = guest.app.sessions.host_link()
    guest.takes(path.removeprefix("/join/"))
    assert guest.status("/") == 200
    elsewhere = TestClient(guest.app, base_url=HERE, client=("192.168.1.7", 5_000), raise_server_exceptions=False)
    elsewhere.portal = guest.browser.portal
    elsewhere.cookies = guest.browser.cookies
    page = elsewhere.get("/")
    assert page.status_code == 401 and "on the computer that rollbook runs on" in page.text
    assert guest.browser.get("/", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 401


def test_the_host_who_takes_a_seat_sits_there_and_is_the_host_elsewhere(guest: Guest, sherwood: StoreFiles) -> None:
    guest.takes(guest.app.sessions.host_link().removeprefix("/join/"))
    _, token = link_to(guest.app, sherwood, "Mira")
    guest.takes(token)
    assert guest.role() == "Mira, player"
    assert guest.browser.get("/", follow_redirects=False).status_code == 200


def test_who_leaves_is_a_stranger(guest: Guest, sherwood: StoreFiles) -> None:
    _, token = link_to(guest.app, sherwood, "Mira")
    guest.takes(token)
    answer = guest.browser.post("/leave")
    assert answer.status_code == 200 and "This browser has no seat any more" in answer.text
    assert cookie_name(guest.app) not in guest.browser.cookies
    assert guest.status() == 401


def test_a_token_that_nobody_made_is_a_page_that_says_so(guest: Guest) -> None:
    for method in ("get", "post"):
        answer = getattr(guest.browser, method)("/join/nonsense")
        assert answer.status_code == 404 and "There is no such link" in answer.text


def test_over_https_the_cookie_is_for_https_alone(clients: Clients, sherwood: StoreFiles) -> None:
    _, token = link_to(clients.app, sherwood, "Mira")
    client = TestClient(clients.app, base_url="https://127.0.0.1:7655", raise_server_exceptions=False)
    client.portal = clients.as_(None).portal
    client.headers["Origin"] = "https://127.0.0.1:7655"
    answer = client.post(f"/join/{token}", follow_redirects=False)
    name, _, rest = answer.headers["set-cookie"].partition("=")
    assert name.startswith("__Host-rollbook-") and "Secure" in rest and "Domain" not in rest and "Path=/" in rest
    assert client.get(f"/c/{SHERWOOD}").status_code == 200


def test_two_stores_on_one_computer_have_cookies_of_their_own(app: WebTable) -> None:
    assert cookie_name(app).startswith("rollbook-") and len(cookie_name(app)) == len("rollbook-") + 8


def test_a_player_is_what_the_history_says_at_that_moment(clients: Clients) -> None:
    mira = Guest(clients.as_(MIRA), clients.app)
    assert mira.role() == "Mira, player"
    gm = clients.as_(GM)
    assert gm.post(f"/c/{SHERWOOD}/say", data={"line": "leave-seat Mira"}).status_code in (200, 303)
    assert gm.post(f"/c/{SHERWOOD}/say", data={"line": "take-seat Mira --role spectator"}).status_code in (200, 303)
    assert mira.role() == "Mira, spectator"
