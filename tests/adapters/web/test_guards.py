"""A request that no page of ours sends is turned away in a sentence before any page is asked, and every answer is guarded."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Scope
from starlette.websockets import WebSocketDisconnect

from rollbook.adapters.web.guards.asked import is_near, proxies_from
from rollbook.adapters.web.guards.checks import Door, Guards
from rollbook.adapters.web.guards.limits import Limits, Rate, cookies_of
from rollbook.domain.base.errors import RollbookError

SAME = {"Sec-Fetch-Site": "same-origin"}
HOST = "http://127.0.0.1:8765"


def refuse(_: Scope, status: int, said: str, instead: str) -> Response:
    return PlainTextResponse(f"{said} {instead}", status)


async def shown(request: Request) -> Response:
    body = await request.body()
    client = request.client.host if request.client else ""
    return PlainTextResponse(f"{request.method} {len(body)} {client} {request.url.scheme} {is_near(request.scope)}")


async def kept(_: Request) -> Response:
    return HTMLResponse("style", headers={"Cache-Control": "public, immutable"})


def browser(scope: Scope) -> str:
    """The cookies that sit here."""
    cookie = cookies_of(scope).get("rollbook", "")
    return cookie if cookie in ("mine", "hers") else ""


def app(door: Door) -> Guards:
    return Guards(
        Starlette(
            routes=[
                Route("/", shown, methods=["GET", "POST"]),
                Route("/import", shown, methods=["POST"]),
                Route("/c/sherwood/x-card", shown, methods=["POST"]),
                Route("/static/1/a.css", kept),
            ]
        ),
        door,
        refuse,
        browser,
    )


def client(
    *, proxies: tuple[str, ...] = (), address: str = "127.0.0.1", base: str = HOST, **settings: object
) -> TestClient:
    door = Door(proxies=proxies_from(proxies), **settings)
    return TestClient(app(door), base_url=base, client=(address, 5000), headers={})


def test_every_answer_has_the_headers_that_guard_it() -> None:
    with client() as browser:
        for path in ("/", "/nowhere", "/static/1/a.css"):
            headers = browser.get(path).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["referrer-policy"] == "same-origin"
            assert "strict-transport-security" not in headers
        assert browser.get("/").headers["cache-control"] == "no-store"
        assert browser.get("/static/1/a.css").headers["cache-control"] == "public, immutable"
        assert browser.post("/", headers={"Host": "evil.example"}).headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8765", 200),
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:8765", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("127.0.0.1@evil.example", 421),
        ("evil.example/127.0.0.1", 421),
        ("", 421),
        ("[::1", 421),
        ("127.0.0.1:port", 421),
    ],
)
def test_only_names_that_the_table_goes_by_are_answered(host: str, status: int) -> None:
    with client() as browser:
        assert browser.get("/", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin", "Cookie": "rollbook=x"}, 200),
        ({"Sec-Fetch-Site": "none", "Cookie": "rollbook=x"}, 200),
        ({"Sec-Fetch-Site": "cross-site", "Cookie": "rollbook=x"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Cookie": "rollbook=x"}, 403),
        ({"Sec-Fetch-Site": "odd", "Cookie": "rollbook=x"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example", "Cookie": "rollbook=x"}, 403),
        ({"Origin": HOST, "Cookie": "rollbook=x"}, 200),
        ({"Origin": "http://127.0.0.1", "Cookie": "rollbook=x"}, 403),
        ({"Origin": "http://127.0.0.1:9999", "Cookie": "rollbook=x"}, 403),
        ({"Origin": "https://127.0.0.1:8765", "Cookie": "rollbook=x"}, 403),
        ({"Origin": "http://evil.example", "Cookie": "rollbook=x"}, 403),
        ({"Origin": "null", "Cookie": "rollbook=x"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": f"{HOST}/x", "Cookie": "rollbook=x"}, 403),
        ({"Cookie": "rollbook=x"}, 403),
        ({"Cookie": ""}, 403),
        ({}, 200),
    ],
)
def test_a_form_of_another_site_changes_nothing(headers: dict[str, str], status: int) -> None:
    with client() as browser:
        assert browser.post("/", data={"a": "b"}, headers=headers).status_code == status


def test_other_sites_may_link_here_and_take_nothing_from_here() -> None:
    with client() as browser:
        followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
        assert browser.get("/", headers=followed).status_code == 200
        assert browser.get("/", headers=embedded).status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"])
def test_other_methods_are_refused(method: str) -> None:
    with client() as browser:
        answer = browser.request(method, "/", headers=SAME)
        assert answer.status_code == 405 or method.upper() == "GET"
        assert "allow" not in answer.headers or answer.headers["allow"] == "GET, HEAD, POST"


def test_endless_addresses_and_addresses_that_are_no_text_are_refused() -> None:
    with client() as browser:
        assert browser.get("/" + "a" * 2_000).status_code == 414
        assert browser.get("/?q=" + "a" * 9_000).status_code == 414
        for path in ("/%00", "/%ff%fe", "/%0d%0aSet-Cookie:x", "/%1b[31m"):
            assert browser.get(path).status_code == 404, path


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/x-www-form-urlencoded", 200),
        ("application/x-www-form-urlencoded; charset=UTF-8", 200),
        ("multipart/form-data; boundary=x", 200),
        ("multipart/form-data; boundary=x; charset=utf-7", 415),
        ("multipart/form-data; boundary=x; charset=unicode_escape", 415),
        ("application/json", 415),
        ("text/plain", 415),
        ("", 415),
    ],
)
def test_only_forms_in_unicode_are_read(kind: str, status: int) -> None:
    with client() as browser:
        answer = browser.post("/", content=b"a=b", headers={**SAME, "Content-Type": kind})
        assert answer.status_code == status
        packed = browser.post(
            "/", content=b"a=b", headers={**SAME, "Content-Encoding": "gzip", "Content-Type": "multipart/form-data"}
        )
        assert packed.status_code == 415


def test_a_body_that_is_too_large_is_refused_whatever_it_says_of_itself() -> None:
    limits = Limits(body=1_000, uploads=(("/import", 5_000),))
    form = {**SAME, "Content-Type": "application/x-www-form-urlencoded"}
    with client(limits=limits) as browser:
        assert browser.post("/", content=b"a" * 1_000, headers=form).status_code == 200
        assert browser.post("/", content=b"a" * 1_001, headers=form).status_code == 413
        assert browser.post("/", content=iter([b"a" * 600] * 2), headers=form).status_code == 413
        assert browser.post("/", content=iter([b"a" * 400] * 2), headers=form).text.startswith("POST 800 ")
        assert browser.post("/import", content=b"a" * 5_000, headers=form).status_code == 200
        assert browser.post("/import", content=b"a" * 5_001, headers=form).status_code == 413
        for said in ("-1", "1e3", "+5", "9" * 40):
            assert browser.post("/", content=b"", headers={**form, "Content-Length": said}).status_code == 413


def test_who_asks_without_end_has_to_wait_and_the_x_card_does_not() -> None:
    limits = Limits(acting=Rate(burst=3, a_second=0))
    mine, hers = {**SAME, "Cookie": "rollbook=mine"}, {**SAME, "Cookie": "rollbook=hers"}
    with client(limits=limits) as browser:
        assert [browser.post("/", headers=mine).status_code for _ in range(4)] == [200, 200, 200, 429]
        assert browser.post("/", headers=hers).status_code == 200
        assert browser.get("/", headers=mine).status_code == 200
        assert browser.post("/", headers=mine).headers["retry-after"] == "5"
        assert {browser.post("/c/sherwood/x-card", headers=mine).status_code for _ in range(9)} == {200}


def test_cookies_that_are_made_up_do_not_help_to_ask_without_end() -> None:
    limits = Limits(acting=Rate(burst=5, a_second=0))
    with client(limits=limits) as browser:
        made_up = [{**SAME, "Cookie": f"rollbook={n}"} for n in range(8)]
        assert [browser.post("/", headers=each).status_code for each in made_up] == [200] * 5 + [429] * 3
        assert browser.post("/c/sherwood/x-card", headers=SAME).status_code == 429
        assert browser.post("/", headers={**SAME, "Cookie": "rollbook=mine"}).status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("203.0.113.9", "203.0.113.10", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.9", "203.0.113.9", True),
    ],
)
def test_strangers_of_one_address_are_counted_together(one: str, other: str, is_one: bool) -> None:
    limits = Limits(acting=Rate(burst=1, a_second=0))
    guards = app(Door(limits=limits))
    found = []
    for address in (one, other):
        browser = TestClient(guards, base_url=HOST, client=(address, 5000))
        found.append(browser.post("/", headers=SAME).status_code)
    assert found == [200, 429 if is_one else 200]


def test_a_body_that_says_in_two_ways_how_long_it_is_ends_the_connection() -> None:
    with client() as browser:
        answer = browser.post(
            "/", content=b"a=b", headers={**SAME, "Transfer-Encoding": "chunked", "Content-Length": "3"}
        )
        assert answer.status_code == 400 and answer.headers["connection"] == "close"


def test_web_sockets_are_not_spoken() -> None:
    with client() as browser, pytest.raises(WebSocketDisconnect), browser.websocket_connect("/"):
        pass


# Behind a proxy.


@pytest.mark.parametrize(
    ("address", "proxies", "headers", "expected"),
    [
        ("127.0.0.1", (), {}, "127.0.0.1 http True"),
        ("::1", (), {}, "::1 http True"),
        ("192.168.1.7", (), {}, "192.168.1.7 http False"),
        # Nobody was named as a proxy, so what it says is not believed, and it is not this computer that asks.
        ("127.0.0.1", (), {"X-Forwarded-For": "127.0.0.1"}, "127.0.0.1 http False"),
        ("127.0.0.1", (), {"Via": "1.1 somewhere"}, "127.0.0.1 http False"),
        ("192.168.1.7", ("127.0.0.1",), {"X-Forwarded-For": "127.0.0.1"}, "192.168.1.7 http False"),
        ("192.168.1.7", ("127.0.0.1",), {"X-Forwarded-Proto": "https"}, "192.168.1.7 http False"),
        # What Caddy sends, and nginx with the lines of the page.
        (
            "127.0.0.1",
            ("127.0.0.1",),
            {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "table.example"},
            "203.0.113.9 https False",
        ),
        ("127.0.0.1", ("127.0.0.1",), {"X-Forwarded-For": "127.0.0.1, 203.0.113.9"}, "203.0.113.9 http False"),
        (
            "10.0.0.2",
            ("10.0.0.0/8",),
            {"X-Forwarded-For": "127.0.0.1, 203.0.113.9, 10.0.0.3"},
            "203.0.113.9 http False",
        ),
        ("127.0.0.1", ("127.0.0.1",), {"X-Forwarded-For": "127.0.0.1"}, "127.0.0.1 http False"),
        ("127.0.0.1", ("127.0.0.1",), {"X-Forwarded-For": "nonsense"}, " http False"),
        ("127.0.0.1", ("127.0.0.1",), {"X-Forwarded-For": "127.0.0.1, nonsense"}, " http False"),
        ("127.0.0.1", ("127.0.0.1",), {"X-Forwarded-For": "[2001:db8::7]:4711"}, "2001:db8::7 http False"),
        ("127.0.0.1", ("127.0.0.1",), {"X-Forwarded-For": "::ffff:203.0.113.9"}, "203.0.113.9 http False"),
        ("127.0.0.1", ("127.0.0.1",), {"X-Forwarded-Proto": "gopher"}, " http False"),
    ],
)
def test_what_a_proxy_says_is_believed_of_named_proxies_only(
    address: str, proxies: tuple[str, ...], headers: dict[str, str], expected: str
) -> None:
    with client(proxies=proxies, address=address) as browser:
        assert browser.get("/", headers=headers).text == f"GET 0 {expected}"


def test_who_asks_by_the_address_that_others_know_this_computer_by_is_this_computer() -> None:
    hosts = frozenset({"192.168.1.5"})
    for address, is_here in (("192.168.1.5", True), ("192.168.1.7", False)):
        with client(address=address, base="http://192.168.1.5:8765", hosts=hosts) as browser:
            assert browser.get("/").text.endswith(str(is_here))


def test_behind_a_proxy_forms_of_the_address_outside_are_ours() -> None:
    door = {"proxies": ("127.0.0.1",), "hosts": frozenset({"table.example"})}
    sent = {
        "Host": "table.example",
        "X-Forwarded-For": "203.0.113.9",
        "X-Forwarded-Proto": "https",
        "Cookie": "rollbook=x",
    }
    with client(**door) as browser:
        answer = browser.post("/", headers={**sent, "Origin": "https://table.example"})
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"].startswith("max-age=")
        assert browser.post("/", headers={**sent, "Origin": "http://table.example"}).status_code == 403


def test_a_proxy_that_is_no_address_is_refused() -> None:
    with pytest.raises(RollbookError, match="no address of a proxy"):
        proxies_from(["caddy"])
