"""A bell that is sent past its stream's task is byte for byte the one that the task sends, and nobody loses one by it."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from operator import attrgetter

import pytest

from rollbook.adapters.web.serving import connections
from rollbook.adapters.web.serving.connections import TableConnection
from tests.support.streams import Reader
from tests.support.web import GM, MIRA, SHERWOOD, Running, cookie, cookie_name, until

STREAM = "/c/sherwood/stream"
SMALL = 4_096


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each bell went out at once."""
    seen: list[bool] = []
    send = TableConnection.send_at_once

    def noted(self: TableConnection, piece: bytes) -> bool:
        seen.append(send(self, piece))
        return seen[-1]

    monkeypatch.setattr(TableConnection, "send_at_once", noted)
    return seen


def reader(served: Running, identity) -> Reader:
    return Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, identity)}")


def say(who: Reader, text: str) -> None:
    assert who.post("/c/sherwood/say", line=f"note {text}")[0] == 303


@contextmanager
def listening(who: Reader, version: str = "1.1") -> Iterator[socket.socket]:
    port = int(who.address.rpartition(":")[2])
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", port))
        lines = [f"GET {STREAM} HTTP/{version}", f"Host: {who.address[7:]}", f"Cookie: {who.cookie}", "", ""]
        connection.sendall("\r\n".join(lines).encode())
        yield connection


def a_bell(connection: socket.socket, end: bytes) -> bytes:
    """What comes until a bell has been heard, with no cursor in it."""
    got = b""
    while not got.endswith(b"\ndata:\n\n" + end):
        got += connection.recv(1)
    return re.sub(rb"id: \S+", b"id", got)


def test_a_bell_at_once_is_byte_for_byte_that_of_its_task(
    served: Running, sent: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    gm = reader(served, GM)
    with listening(reader(served, MIRA)) as stream:
        a_bell(stream, b"\r\n")
        say(gm, "One")
        at_once = a_bell(stream, b"\r\n")
        until(lambda: sent == [True])
        monkeypatch.setattr(TableConnection, "send_at_once", lambda *_: False)
        say(gm, "Two")
        assert a_bell(stream, b"\r\n") == at_once
        assert re.fullmatch(rb"[0-9a-f]+\r\nevent: bell\nid\ndata:\n\n\r\n", at_once)


def test_a_stream_without_chunks_is_rung_by_its_task(served: Running, sent: list[bool]) -> None:
    gm = reader(served, GM)
    with listening(reader(served, MIRA), "1.0") as stream:
        a_bell(stream, b"")
        say(gm, "One")
        assert a_bell(stream, b"") == b"event: bell\nid\ndata:\n\n"
        assert sent == [False]


def test_who_does_not_read_for_a_while_hears_the_last_bell_and_every_chunk_is_whole(
    served: Running, sent: list[bool]
) -> None:
    hub, loop = served.app.hub, served.app._loop
    assert loop is not None
    with listening(reader(served, MIRA)) as stream:
        until(lambda: hub.cursor(SHERWOOD, "Mira"))
        count = 0
        while all(sent) and count < 200_000:
            cursors = [f"{number}.{'x' * 500}" for number in range(count, count + 1_000)]
            count += len(cursors)
            loop.call_soon_threadsafe(lambda told=cursors: [hub.tell(SHERWOOD, "Mira", each) for each in told])
            until(lambda last=cursors[-1]: hub.cursor(SHERWOOD, "Mira") == last)
        assert sent[0] and not sent[-1]
        answer = HTTPResponse(stream)
        answer.begin()
        heard = []
        while not heard or heard[-1] != count - 1:
            line = answer.readline()
            heard += [int(number) for number in re.findall(rb"^id: (\d+)\.x{500}$", line)]
        assert heard == sorted(set(heard))


def test_a_server_whose_connections_are_not_as_they_are_known_serves_all_the_same(
    served: Running, sent: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "NEEDED", attrgetter("what_a_later_server_does_not_have"))
    monkeypatch.setattr(TableConnection, "_is_answered", lambda *_: pytest.fail("that is left to uvicorn"))
    gm, mira = reader(served, GM), reader(served, MIRA)
    with mira.listening(STREAM) as bells:
        before = bells.bell()
        say(gm, "One")
        after = bells.bell()
        assert before and after and after != before
        assert not sent
        status, html = mira.get(f"/c/sherwood/live?after={before}")
        assert status == 200 and after in html
