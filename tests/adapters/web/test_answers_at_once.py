"""What is ready is sent at once, and is byte for byte what any other way to the same answer gives, with the same guards."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from starlette.types import Scope

from rollbook.adapters.web.guards.buckets import Buckets, Rate
from rollbook.adapters.web.guards.requests import AtOnce
from rollbook.adapters.web.serving import connections
from rollbook.adapters.web.serving.app import WebTable
from tests.support.streams import Reader
from tests.support.web import GM, MIRA, SPECTATOR, Running, cookie, cookie_name, until

LIVE = "/c/sherwood/live?after=0."


def reader(served: Running, identity) -> Reader:
    return Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, identity)}")


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
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each piece that came over a connection was answered at once."""
    seen: list[bool] = []
    received, asked = connections.TableConnection._is_answered, WebTable.at_once

    def come(self: connections.TableConnection, data: bytes) -> bool:
        seen.append(False)
        return received(self, data)

    def noted(self: WebTable, scope: Scope) -> AtOnce | None:
        ready = asked(self, scope)
        seen[-1] = ready is not None
        return ready

    monkeypatch.setattr(connections.TableConnection, "_is_answered", come)
    monkeypatch.setattr(WebTable, "at_once", noted)
    return seen


@pytest.mark.parametrize("more", [(), ("Accept-Encoding: gzip",), ("HX-Request: true", "Connection: keep-alive")])
def test_an_answer_at_once_is_byte_for_byte_that_of_any_other_way(
    served: Running, at_once: list[bool], more: tuple[str, ...]
) -> None:
    mira = reader(served, MIRA)
    asked = request(mira, *more)
    with mira.listening("/c/sherwood/stream?after=0.") as bells, connected(served) as connection:
        assert bells.bell()
        connection.sendall(asked)
        first = answer(connection)
        at_once.clear()
        connection.sendall(asked)
        assert answer(connection) == first
        connection.sendall(request(mira, *more, "TE: trailers"))
        assert answer(connection) == first
        connection.sendall(asked + asked)
        assert [answer(connection), answer(connection)] == [first, first]
        connection.sendall(asked)
        assert answer(connection) == first
        assert at_once == [True, False, False, True]
        assert first.startswith(b"HTTP/1.1 200 OK\r\ndate\r\n") and b"content-security-policy" in first


def test_what_is_kept_for_one_is_at_once_for_nobody_else(served: Running, at_once: list[bool]) -> None:
    mira, gm, room = (reader(served, identity) for identity in (MIRA, GM, SPECTATOR))
    with mira.listening("/c/sherwood/stream?after=0.") as bells, connected(served) as connection:
        assert bells.bell()
        for _ in range(2):
            connection.sendall(request(mira))
            answer(connection)
        assert at_once[-1]
        for other in (gm, room, Reader(served.address, "rollbook=nobody")):
            connection.sendall(request(other))
            answer(connection)
            assert not at_once[-1]


def test_a_link_that_is_revoked_gets_nothing_at_once(served: Running, at_once: list[bool]) -> None:
    mira = reader(served, MIRA)
    links = served.app.sessions.links
    (hers,) = [link for link in links.taken(mira.cookie.partition("=")[2]) if link.seat == "Mira"]
    with mira.listening("/c/sherwood/stream?after=0.") as bells, connected(served) as connection:
        assert bells.bell()
        for _ in range(2):
            connection.sendall(request(mira))
            assert answer(connection).startswith(b"HTTP/1.1 200")
        assert at_once[-1]
        links.revoke(hers.number)
        connection.sendall(request(mira))
        assert answer(connection).startswith(b"HTTP/1.1 401")
        assert not at_once[-1]


def test_the_guards_turn_away_at_once_and_count_each_request_once(served: Running, at_once: list[bool]) -> None:
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
        assert at_once[-1]
        rates._of_browser["GET"] = Buckets(Rate(burst=3, a_second=0.0))
        connection.sendall(request(mira))
        assert answer(connection).startswith(b"HTTP/1.1 200")
        assert at_once[-1]
        for status in (b"200", b"200", b"429"):
            connection.sendall(request(mira))
            said = answer(connection)
            assert said.startswith(b"HTTP/1.1 " + status)
            assert at_once[-1]
        assert b"retry-after: 5" in said


def test_a_request_that_comes_in_pieces_is_read_to_its_end(served: Running, at_once: list[bool]) -> None:
    mira = reader(served, MIRA)
    with mira.listening("/c/sherwood/stream?after=0.") as bells, connected(served) as connection:
        assert bells.bell()
        asked = request(mira)
        connection.sendall(asked)
        whole = answer(connection)
        at_once.clear()
        connection.sendall(asked[:11])
        until(lambda: at_once == [False])
        connection.sendall(asked[11:])
        assert answer(connection) == whole
        assert at_once == [False, False]
