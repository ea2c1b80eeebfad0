"""Bells as they go over a connection: whole chunks, none where a reader knows none, and the last one for who reads late."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse

from tests.support.streams import Reader
from tests.support.web import GM, MIRA, SHERWOOD, Running, reader, until

STREAM = "/c/sherwood/stream"
SMALL = 4_096


def say(who: Reader, text: str) -> None:
    assert who.post("/c/sherwood/say", line=f"note {text}")[0] == 303


@contextmanager
def listening(who: Reader, version: str = "1.1", *, after: str = "") -> Iterator[socket.socket]:
    port = int(who.address.rpartition(":")[2])
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", port))
        lines = [
            f"GET {STREAM}?after={after} HTTP/{version}",
            f"Host: {who.address[7:]}",
            f"Cookie: {who.cookie}",
            "",
            "",
        ]
        connection.sendall("\r\n".join(lines).encode())
        yield connection


def a_bell(connection: socket.socket, end: bytes) -> bytes:
    """What comes until a bell has been heard, with no cursor in it."""
    got = b""
    while not (got.endswith(b"\n\n" + end) and b"\ndata: " in got):
        got += connection.recv(1)
    return re.sub(rb"(id|data): \S+", rb"\1", got)


def test_a_bell_is_one_chunk(served: Running) -> None:
    gm = reader(served, GM)
    with listening(reader(served, MIRA)) as stream:
        a_bell(stream, b"\r\n")
        say(gm, "One")
        assert re.fullmatch(rb"[0-9a-f]+\r\nevent: bell\nid\ndata\n\n\r\n", a_bell(stream, b"\r\n"))


def test_who_knows_no_chunks_hears_one_bell_and_comes_back_for_the_next(served: Running) -> None:
    gm, mira = reader(served, GM), reader(served, MIRA)
    heard = []
    for text in ("One", "Two"):
        with listening(mira, "1.0", after=heard[-1] if heard else "") as stream:
            if heard:
                say(gm, text)
            answer = HTTPResponse(stream)
            answer.begin()
            assert answer.getheader("transfer-encoding") is None
            body = answer.read()
            (cursor,) = re.findall(rb"^retry: 2000\n\nevent: bell\nid: (\S+)\ndata: \1\n\n$", body)
            heard.append(cursor.decode())
    assert heard[0] != heard[1]


def test_who_does_not_read_for_a_while_hears_the_last_bell_and_every_chunk_is_whole(served: Running) -> None:
    hub, loop = served.app.hub, served.app._loop
    assert loop is not None
    with listening(reader(served, MIRA)) as stream:
        until(lambda: hub.cursor(SHERWOOD, "Mira"))
        last = 3_000
        for number in range(last + 1):
            cursor = f"{number}.{'x' * 500}"
            loop.call_soon_threadsafe(hub.tell, SHERWOOD, "Mira", cursor)
            until(lambda told=cursor: hub.cursor(SHERWOOD, "Mira") == told)
        answer = HTTPResponse(stream)
        answer.begin()
        heard: list[int] = []
        while not heard or heard[-1] != last:
            heard += [int(number) for number in re.findall(rb"^id: (\d+)\.x{500}$", answer.readline())]
        assert heard == sorted(set(heard))
