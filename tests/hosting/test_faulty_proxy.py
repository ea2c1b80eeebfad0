"""The proxy of the tests does what it says it does."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.support.faulty_proxy import FaultyProxy


@pytest.fixture
def echo() -> Iterator[int]:
    """A port that says everything again."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve(one: socket.socket) -> None:
        try:
            while data := one.recv(1000):
                one.sendall(data)
        except OSError:
            pass

    def take() -> None:
        try:
            while True:
                threading.Thread(target=serve, args=[server.accept()[0]], daemon=True).start()
        except OSError:
            pass

    threading.Thread(target=take, daemon=True).start()
    yield server.getsockname()[1]
    server.close()


@pytest.fixture
def proxy(echo: int) -> Iterator[FaultyProxy]:
    with FaultyProxy(echo) as made:
        yield made


def connected(proxy: FaultyProxy) -> socket.socket:
    return socket.create_connection(("127.0.0.1", proxy.port), timeout=1)


def says(one: socket.socket, words: bytes) -> bytes:
    one.sendall(words)
    return one.recv(1000)


def test_it_passes_on_what_is_said(proxy: FaultyProxy) -> None:
    with connected(proxy) as one:
        assert says(one, b"hello") == b"hello"


def test_it_delays(proxy: FaultyProxy) -> None:
    with connected(proxy) as one:
        proxy.seconds = 0.1
        began = time.monotonic()
        assert says(one, b"hello") == b"hello"
        assert time.monotonic() - began >= 0.2


def test_it_cuts(proxy: FaultyProxy) -> None:
    with connected(proxy) as one:
        says(one, b"hello")
        proxy.cut()
        with pytest.raises(ConnectionResetError):
            says(one, b"hello")


def test_it_swallows_an_answer_and_cuts(proxy: FaultyProxy) -> None:
    with connected(proxy) as one:
        proxy.swallows = True
        with pytest.raises(ConnectionResetError):
            says(one, b"hello")
        assert proxy.cuts == 1
    proxy.heal()
    with connected(proxy) as another:
        assert says(another, b"hello") == b"hello"


def test_what_is_half_open_stays_open_and_says_nothing_and_a_new_connection_does(proxy: FaultyProxy) -> None:
    with connected(proxy) as one, connected(proxy) as another:
        says(one, b"hello")
        proxy.half_open()
        with pytest.raises(TimeoutError):
            says(one, b"hello")
        with connected(proxy) as third:
            assert says(third, b"hello") == b"hello"
        another.close()


def test_it_is_silent_until_it_is_healed(proxy: FaultyProxy) -> None:
    proxy.is_silent = True
    with connected(proxy) as one, pytest.raises(TimeoutError):
        says(one, b"hello")
    proxy.heal()
    with connected(proxy) as another:
        assert says(another, b"hello") == b"hello"
