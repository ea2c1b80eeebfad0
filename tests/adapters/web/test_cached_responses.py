"""A kept answer is byte for byte what its page answers, is given to nobody else, and passes the same guards."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from starlette.responses import Response
from starlette.types import Scope

from rollbook.adapters.web.guards.limits import Buckets, Rate
from rollbook.adapters.web.live.response_cache import CachedResponse
from rollbook.adapters.web.serving.app import WebTable
from tests.support.streams import Reader
from tests.support.web import GM, MIRA, SPECTATOR, Running, reader

LIVE = "/c/sherwood/live?after=0."


def request(who: Reader, *more: str, path: str = LIVE, host: str = "") -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host or who.address[7:]}", f"Cookie: {who.cookie}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


@contextmanager
def connected(served: Running) -> Iterator[socket.socket]:
    port = int(served.address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield connection


def answer(connection: socket.socket) -> bytes:
    """The next answer, without its date."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += connection.recv(1)
    length = int(re.search(rb"content-length: (\d+)", got)[1])  # type: ignore[index]
    while len(got.partition(b"\r\n\r\n")[2]) < length:
        got += connection.recv(length)
    return re.sub(rb"date: [^\r]*", b"date", got)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose kept answers were given, by the cookie."""
    seen: list[str] = []
    give = WebTable._given

    def noted(self: WebTable, scope: Scope, kept: CachedResponse) -> Response:
        seen.append(next(value.decode() for name, value in scope["headers"] if name == b"cookie"))
        return give(self, scope, kept)

    monkeypatch.setattr(WebTable, "_given", noted)
    return seen


@pytest.mark.parametrize("more", [(), ("Accept-Encoding: gzip",), ("HX-Request: true", "Connection: keep-alive")])
def test_a_kept_answer_is_byte_for_byte_that_of_its_page(
    served: Running, given: list[str], more: tuple[str, ...]
) -> None:
    mira = reader(served, MIRA)
    asked = request(mira, *more)
    with mira.listening("/c/sherwood/stream?after=0.") as bells, connected(served) as connection:
        assert bells.bell()
        connection.sendall(asked)
        first = answer(connection)
        assert not given
        connection.sendall(asked)
        assert answer(connection) == first
        connection.sendall(asked + asked)
        assert [answer(connection), answer(connection)] == [first, first]
        connection.sendall(asked[:11])
        connection.sendall(asked[11:])
        assert answer(connection) == first
        assert given == [mira.cookie] * 4
        assert first.startswith(b"HTTP/1.1 200 OK\r\ndate\r\n") and b"content-security-policy" in first


def test_what_is_kept_for_one_is_given_to_nobody_else(served: Running, given: list[str]) -> None:
    mira, gm, room = (reader(served, identity) for identity in (MIRA, GM, SPECTATOR))
    with mira.listening("/c/sherwood/stream?after=0.") as bells, connected(served) as connection:
        assert bells.bell()
        for who in (mira, mira, gm, room, Reader(served.address, "rollbook=nobody")):
            connection.sendall(request(who))
            answer(connection)
        assert given == [mira.cookie]


def test_a_link_that_is_revoked_gets_nothing_that_is_kept(served: Running, given: list[str]) -> None:
    mira = reader(served, MIRA)
    links = served.app.sessions.links
    (hers,) = [link for link in links.taken(mira.cookie.partition("=")[2]) if link.seat == "Mira"]
    with mira.listening("/c/sherwood/stream?after=0.") as bells, connected(served) as connection:
        assert bells.bell()
        for _ in range(2):
            connection.sendall(request(mira))
            assert answer(connection).startswith(b"HTTP/1.1 200")
        links.revoke(hers.number)
        connection.sendall(request(mira))
        assert answer(connection).startswith(b"HTTP/1.1 401")
        assert given == [mira.cookie]


def test_kept_answers_pass_the_guards_and_each_request_counts_once(served: Running, given: list[str]) -> None:
    mira = reader(served, MIRA)
    rates = next(
        check.__self__
        for check in served.app._guards._checks
        if hasattr(check, "__self__") and hasattr(check.__self__, "_of_browser")
    )
    with mira.listening("/c/sherwood/stream?after=0.") as bells, connected(served) as connection:
        assert bells.bell()
        connection.sendall(request(mira))
        answer(connection)
        connection.sendall(request(mira, host="elsewhere.example"))
        assert answer(connection).startswith(b"HTTP/1.1 421")
        rates._of_browser["GET"] = Buckets(Rate(burst=3, a_second=0.0))
        for status in (b"200", b"200", b"200", b"429"):
            connection.sendall(request(mira))
            said = answer(connection)
            assert said.startswith(b"HTTP/1.1 " + status)
        assert b"retry-after: 5" in said
        assert given == [mira.cookie] * 3
