"""Who connects and does not ask takes no place from who does: connections are closed in time, and few for each address."""

from __future__ import annotations

import asyncio
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from rollbook.adapters.web.serving.listening import bound
from rollbook.adapters.web.serving.open_connections import LONGEST_HEAD
from tests.support.clean_environment import ROOT
from tests.support.narrow_server import PARSERS, Narrow, narrow
from tests.support.streams import Reader
from tests.support.web import SHERWOOD, StoreFiles, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs limits of resources")
FILES = 256
SECONDS = 1.0
OTHER = "127.0.0.2"


@pytest.fixture(params=PARSERS)
def server(request: pytest.FixtureRequest, sherwood: StoreFiles) -> Iterator[Narrow]:
    with narrow(sherwood, open_files=FILES, seconds=SECONDS, parser=request.param) as found:
        yield found


def connected(server: Narrow, address: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(address, 0))


def head(server: Narrow, path: str = f"/c/{SHERWOOD}/act", *more: str, method: str = "GET") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Cookie: {server.cookie}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


FORM = (*("Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin"), "Content-Length: 1000")


def status(connection: socket.socket) -> bytes:
    """The status of the next answer, after which all of it has come."""
    got = b""
    while b"\r\n\r\n" not in got:
        piece = connection.recv(65_536)
        assert piece, got
        got += piece
    length = int(got.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
    while len(got.partition(b"\r\n\r\n")[2]) < length:
        got += connection.recv(65_536)
    return got.split()[1]


def is_closed(connection: socket.socket, within: float) -> bool:
    """Whether the server closes a connection in so many seconds, whatever it says before."""
    end = time.monotonic() + within
    while (left := end - time.monotonic()) > 0:
        if select.select([connection], [], [], left)[0]:
            try:
                if not connection.recv(65_536):
                    return True
            except ConnectionError:
                return True
    return False


def test_half_open_connections_of_one_address_lock_nobody_out(server: Narrow) -> None:
    with ExitStack() as opened:
        half = [opened.enter_context(connected(server)) for _ in range(FILES * 3 // 2)]
        for each in half:
            try:
                each.sendall(b"GET / HTTP/1.1\r\nHost:")
            except ConnectionError:
                continue  # others came after it
        for address in (OTHER, "127.0.0.1"):
            began = time.monotonic()
            with connected(server, address) as another:
                another.sendall(head(server))
                assert status(another) == b"200"
            assert time.monotonic() - began < SECONDS * 3, address
        assert all(is_closed(each, SECONDS * 3) for each in half)
    assert server.stop() == ""


def test_heads_that_come_byte_by_byte_without_end_lock_nobody_out(server: Narrow) -> None:
    """Each connection that is closed is opened once more, for as long as three heads may take."""
    end, answered = time.monotonic() + 3 * SECONDS, 0
    half: list[socket.socket] = []
    while time.monotonic() < end:
        half = [each for each in half if not is_closed(each, 0.0001)][-FILES:]
        half += [connected(server) for _ in range(20)]
        for each in half:
            try:
                each.sendall(b"G")
            except ConnectionError:
                continue
        with connected(server, OTHER) as another:
            another.sendall(head(server))
            answered += status(another) == b"200"
    for each in half:
        each.close()
    assert answered > 3
    assert server.stop() == ""


WAYS_TO_STOP = {
    "nothing is sent": (b"", b""),
    "in the first line": (b"", b"GET / HT"),
    "in the headers": (b"", b"GET / HTTP/1.1\r\nHost: "),
    "in the second head": (b"whole", b"GET / HTTP/1.1\r\nHost: "),
    "in a body": (b"", b"form"),
    "in a body that nobody reads": (b"", b"unread"),
}


@pytest.mark.parametrize("way", WAYS_TO_STOP)
def test_a_connection_that_stops_in_the_midst_of_a_request_is_closed(server: Narrow, way: str) -> None:
    before, sent = WAYS_TO_STOP[way]
    begun = {b"form": f"/c/{SHERWOOD}/say", b"unread": "/c/no-such-campaign/say"}
    with connected(server) as connection:
        if before:
            connection.sendall(head(server))
            assert status(connection) == b"200"
        connection.sendall(head(server, begun[sent], *FORM, method="POST") if sent in begun else sent)
        end = time.monotonic() + 4 * SECONDS
        while not is_closed(connection, SECONDS / 5):  # and trickles on
            assert time.monotonic() < end
            if sent:
                try:
                    connection.sendall(b"a")
                except ConnectionError:
                    break


def test_who_asks_and_listens_stays_connected(server: Narrow) -> None:
    reader = Reader(f"http://127.0.0.1:{server.port}", server.cookie)
    with reader.listening(f"/c/{SHERWOOD}/stream?after=0.") as bells, connected(server) as idle:
        assert bells.bell()
        idle.sendall(head(server))
        assert status(idle) == b"200"
        assert not is_closed(idle, SECONDS * 2.5)
        idle.sendall(head(server, f"/c/{SHERWOOD}/live?after=0."))
        assert status(idle) == b"200"
        assert reader.post(f"/c/{SHERWOOD}/say", line="note Still here")[0] == 303
        assert bells.bell()


@pytest.mark.parametrize(("proxy", "most"), [("", FILES // 4), ("127.0.0.1", FILES // 2)])
def test_an_address_has_so_many_connections_and_a_proxy_is_none(sherwood: StoreFiles, proxy: str, most: int) -> None:
    with narrow(sherwood, open_files=FILES, seconds=10, proxy=proxy) as server, ExitStack() as opened:
        made = [opened.enter_context(connected(server)) for _ in range(FILES // 2)]
        until(lambda: sum(not is_closed(each, 0.001) for each in made) <= most)
        time.sleep(0.3)
        assert sum(not is_closed(each, 0.001) for each in made) == most


@pytest.mark.parametrize("parser", PARSERS)
def test_a_head_without_end_ends_its_connection(sherwood: StoreFiles, parser: str) -> None:
    with narrow(sherwood, open_files=FILES, seconds=30, parser=parser) as server, connected(server) as connection:
        sent = 0
        with suppress(ConnectionError):
            connection.sendall(b"GET / HTTP/1.1\r\n")
            while sent < 100 * LONGEST_HEAD:
                connection.sendall(b"x: " + b"y" * 4_000 + b"\r\n")
                sent += 4_005
        assert sent < 100 * LONGEST_HEAD
        with connected(server) as another:
            another.sendall(head(server))
            assert status(another) == b"200"


@pytest.mark.parametrize("path", ["/", "/nowhere", f"/c/{SHERWOOD}/say"])
def test_a_body_of_two_lengths_is_answered_and_nothing_after_it_is_read(server: Narrow, path: str) -> None:
    both = ("Content-Type: application/x-www-form-urlencoded", "Content-Length: 5", "Transfer-Encoding: chunked")
    with connected(server) as connection:
        connection.sendall(head(server, path, *both, "Sec-Fetch-Site: same-origin", method="POST") + b"0\r\n\r\n")
        connection.sendall(head(server))
        assert status(connection) == b"400"
        assert is_closed(connection, 2)


RAISED = """
import resource
from rollbook.adapters.web.serving.listening import MOST, raised
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
assert raised() == min(hard if hard > 0 else MOST, MOST) == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
"""


def test_small_answers_are_sent_at_once_in_asyncios_own_loop() -> None:
    """Without TCP_NODELAY the second write of an answer waits some 40 ms for the acknowledgement of the first."""

    async def accepted() -> int:
        made: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        class Asked(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                here = transport.get_extra_info("socket")
                made.set_result(here.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

        listening = bound("127.0.0.1", 0)
        server = await asyncio.get_running_loop().create_server(Asked, sock=listening)
        _, writer = await asyncio.open_connection(*listening.getsockname())
        found = await made
        writer.close()
        server.close()
        return found

    assert asyncio.run(accepted())


def test_as_many_files_may_be_open_as_the_system_allows() -> None:
    subprocess.run([sys.executable, "-c", RAISED], cwd=ROOT, check=True, timeout=60)
