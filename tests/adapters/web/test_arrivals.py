"""A connection gets to the home of the campaign that its first line asks for; what asks for another is sent there next time."""

from __future__ import annotations

import asyncio
import selectors
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from rollbook.adapters.web.serving import arrivals
from rollbook.adapters.web.serving.arrivals import ANY, SAID, Arrivals, Homes, asked_first, sign_of
from rollbook.adapters.web.serving.listening import bound
from rollbook.adapters.web.serving.processes import AtHome, Share
from tests.support.web import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="passes descriptors to processes")


# What is asked for first.


@pytest.mark.parametrize(
    ("head", "asked"),
    [
        (b"GET /c/sherwood/log?after=1 HTTP/1.1\r\n", ("sherwood", 0)),
        (b"GET /c/sherwood HTTP/1.1\r\n", ("sherwood", 0)),
        (b"POST /c/sherwood~2/say HTTP/1.1\r\n", ("sherwood", 0)),
        (b"GET /c/sher%77ood HTTP/1.1\r\n", ("sherwood", 0)),
        (b"GET /c/b%C3%A4r/log HTTP/1.0\r\n", ("bär", 0)),
        (b"GET /api/v1/campaigns/sherwood/events HTTP/1.1\r\n", ("sherwood", 0)),
        (b"GET /api/v1/campaigns HTTP/1.1\r\n", ("", 0)),
        (b"GET /c/sherwood/preview/a.b?x=1&tried=3 HTTP/1.1\r\n", ("sherwood", 3)),
        (b"GET /c/sherwood?tried=999 HTTP/1.1\r\n", ("sherwood", 0)),
        (b"GET /c/sherwood?tried=-1 HTTP/1.1\r\n", ("sherwood", 0)),
        (b"GET /import/a.b?tried=1 HTTP/1.1\r\n", ("", 1)),
        (b"GET /campaigns/c/sherwood HTTP/1.1\r\n", ("", 0)),
        (b"GET http://127.0.0.1/c/sherwood HTTP/1.1\r\n", ("", 0)),
        (b"\r\nGET /c/sherwood HTTP/1.1\r\n", ("", 0)),
        (b"\x16\x03\x01\x02\x00", ("", 0)),
    ],
)
def test_the_first_line_says_campaign_and_tries(head: bytes, asked: tuple[str, int]) -> None:
    assert asked_first(head) == asked


def test_campaigns_are_shared_out_evenly_and_keep_their_process(monkeypatch: pytest.MonkeyPatch) -> None:
    homes = Homes(3)
    first = {name: homes.of(name) for name in "abcdef"}
    assert sorted(first.values()) == [0, 0, 1, 1, 2, 2]
    assert {name: homes.of(name) for name in "fedcba"} == first
    monkeypatch.setattr(arrivals, "MOST_HOMES", 6)
    homes.of("g")
    assert "f" not in homes._known and len(homes._known) == 6, "the one that was asked for longest ago is forgotten"


# Connections that have come.


class Door:
    """What accepts connections and passes them to two channels, in this process."""

    def __init__(self) -> None:
        self.listening = bound("127.0.0.1", 0)
        pairs = [socket.socketpair() for _ in range(2)]
        self.channels: list[socket.socket | None] = [ours for ours, _ in pairs]
        self.shares = [Share(number, 2, theirs) for number, (_, theirs) in enumerate(pairs)]
        for ours, theirs in pairs:
            ours.settimeout(0)
            theirs.settimeout(0)
        self.selector = selectors.DefaultSelector()
        self.arrivals = Arrivals(self.listening, self.selector, 2, self.channels.__getitem__)
        self._pairs = pairs
        self.arrivals.look(is_open=True)

    def come(self, said: bytes = b"") -> socket.socket:
        """A new connection."""
        made = socket.create_connection(self.listening.getsockname(), timeout=5)
        made.sendall(said)
        return made

    def turn(self, times: int = 3) -> int:
        """Handle what has come; return the number of events."""
        events = 0
        for _ in range(times):
            found = self.selector.select(0.02)
            events += len(found)
            for key, _ in found:
                key.data()
        return events

    def close(self) -> None:
        """Close everything."""
        self.arrivals.close()
        self.selector.close()
        for pair in self._pairs:
            for each in pair:
                each.close()


@pytest.fixture
def door() -> Iterator[Door]:
    made = Door()
    yield made
    made.close()


def taken(share: Share) -> list[bytes]:
    """What is to be read on the connections that were passed."""
    found = []
    for connection in share.connections():
        with connection:
            found.append(connection.recv(4096))
    return found


def test_a_connection_is_passed_with_all_that_has_come_to_the_process_of_its_campaign(door: Door) -> None:
    asked = b"GET /c/a HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /c/b HTTP/1.1\r\n\r\n"
    with door.come(asked[0]), door.come(asked[1]), door.come(asked[0]):
        door.turn(6)
        assert [taken(share) for share in door.shares] == [[asked[0], asked[0]], [asked[1]]]
    assert not door.shares[0].is_elsewhere("/c/a/log") and not door.shares[0].is_elsewhere("/c/a~1")
    assert door.shares[0].is_elsewhere("/c/b") and not door.shares[0].is_elsewhere("/host")


def test_one_that_is_sent_on_gets_to_the_next_process_which_is_not_its_home(door: Door) -> None:
    with door.come(b"GET /c/a/preview/x.y?tried=1 HTTP/1.1\r\n\r\n"):
        door.turn()
        assert taken(door.shares[0]) == [] != taken(door.shares[1])
    assert door.shares[1].is_elsewhere("/c/a")


def test_half_a_first_line_is_waited_for_without_haste(door: Door) -> None:
    with door.come(b"GET /c/sher") as client:
        door.turn()
        assert door.turn(5) == 0, "what has come and is not enough wakes nobody"
        client.sendall(b"wood HTTP/1.1\r\n")
        door.turn()
        door.arrivals.look(is_open=True)
        assert taken(door.shares[0]) == [b"GET /c/sherwood HTTP/1.1\r\n"]
    assert not door.shares[0].is_elsewhere("/c/sherwood") and door.shares[0].is_elsewhere("/c/sher")


@pytest.mark.parametrize("said", [b"", b"GET /c/sher"])
def test_who_says_nothing_is_passed_to_somebody(door: Door, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    with door.come(said) as client:
        door.turn()
        monkeypatch.setattr(arrivals, "SILENT_FOR", 0)
        door.arrivals.look(is_open=True)
        (connection,) = [each for share in door.shares for each in share.connections()]
        with connection:
            client.sendall(b"x")
            until(lambda: connection.recv(99, socket.MSG_PEEK) == said + b"x")
    assert door.shares[0].is_elsewhere("/c/sher") and door.shares[1].is_elsewhere("/c/sher")


def test_who_goes_before_they_ask_is_let_go(door: Door) -> None:
    door.come().close()
    door.turn()
    assert len(door.selector.get_map()) == 1 and door.arrivals._waiting == {}


@pytest.mark.parametrize("is_late", [False, True])
def test_a_process_that_takes_nothing_for_now_is_waited_for(
    door: Door, monkeypatch: pytest.MonkeyPatch, is_late: bool
) -> None:
    asked = b"GET /c/a HTTP/1.1\r\n\r\n"
    channel = door.channels[0]
    assert channel is not None
    filled = 0
    with suppress(BlockingIOError):
        while True:
            filled += channel.send(SAID.pack(ANY))
    with door.come(asked):
        door.turn()
        door.arrivals.look(is_open=True)
        assert taken(door.shares[1]) == []
        if is_late:
            monkeypatch.setattr(arrivals, "SILENT_FOR", 0)
            door.arrivals.look(is_open=True)
            assert taken(door.shares[1]) == [asked], "but not for long"
            return
        while filled:
            filled -= len(door.shares[0].channel.recv(filled))
        door.arrivals.look(is_open=True)
        assert taken(door.shares[0]) == [asked]


def test_the_next_process_takes_what_one_that_is_gone_would(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    door.channels[0] = None
    with door.come(b"GET /c/a HTTP/1.1\r\n\r\n"):
        door.turn()
        assert len(taken(door.shares[1])) == 1
    assert door.shares[1].is_elsewhere("/c/a"), "it is at home where it was, or comes back there"
    door.channels[1] = None
    with door.come(b"GET /c/a HTTP/1.1\r\n\r\n") as client:
        door.turn()
        assert len(door.arrivals._waiting) == 1, "one of them may be back at once"
        monkeypatch.setattr(arrivals, "SILENT_FOR", 0)
        door.arrivals.look(is_open=True)
        assert len(door.arrivals._waiting) == 1, "however late it is"
        door.arrivals.close()
        with pytest.raises(ConnectionResetError):
            client.recv(1)


def test_nobody_is_taken_once_the_door_is_closed(door: Door) -> None:
    with door.come(b"GET /c/a HTTP/1.1\r\n\r\n"):
        door.turn()
        door.arrivals.look(is_open=False)
        assert len(taken(door.shares[0])) == 1
    assert door.listening.fileno() < 0 and not door.selector.get_map()


def test_the_homes_of_a_process_are_bounded(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollbook.adapters.web.serving.processes.MOST_HOMES", 2)
    share = door.shares[0]
    for name in "abc":
        share._note_home(sign_of(name))
    assert [share.is_elsewhere(f"/c/{name}") for name in "abc"] == [True, False, False]


def test_a_process_whose_channel_ends_gets_no_more(door: Door) -> None:
    channel = door.channels[0]
    assert channel is not None
    channel.close()
    with pytest.raises(EOFError):
        next(door.shares[0].connections())
    door.shares[0].begin()  # nobody hears it


# Campaigns of other processes.

CACHED = Response("the log", headers={"ETag": "1"})


def answered(share: Share, path: str, query: bytes = b"", method: str = "GET") -> tuple[int, dict[bytes, bytes]]:
    """Status and headers of an application's cached answer, as a process sends it."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await CACHED(scope, receive, send)

    async def send(message: Message) -> None:
        sent.append(message)

    scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "raw_path": path.encode()}
    scope |= {"query_string": query, "headers": [(b"host", b"[")]}
    asyncio.run(AtHome(app, share)(scope, None, send))  # type: ignore[arg-type]  # nothing is received
    return sent[0]["status"], dict(sent[0]["headers"])


def test_a_connection_that_asks_for_anothers_campaign_is_closed_and_cached_answers_stay_as_they_are(door: Door) -> None:
    share = door.shares[0]
    share._note_home(sign_of("a"))
    status, headers = answered(share, "/c/b/log")
    assert (status, headers[b"connection"], headers[b"etag"]) == (200, b"close", b"1")
    assert all(b"connection" not in answered(share, path)[1] for path in ("/c/a/log", "/", "/c/a/stream"))


@pytest.mark.parametrize("path", ["/c/b/stream", "/api/v1/campaigns/b/events", "/c/%62/stream"])
def test_a_stream_of_anothers_campaign_is_sent_there_once(door: Door, path: str) -> None:
    share = door.shares[1]
    status, headers = answered(share, path, b"after=a%26b")
    assert (status, headers[b"connection"]) == (307, b"close")
    assert headers[b"location"].decode() == f"{path}?after=a%26b&tried=2"
    assert asked_first(b"GET " + headers[b"location"] + b" HTTP/1.1") == ("b", 2), "that is home, if there are two"
    assert answered(share, path, b"tried=2")[0] == 200, "its home is gone: it is better than none"
    assert answered(share, path, method="POST")[0] == 200
