"""A TCP proxy that does to connections what networks do: it delays, cuts, swallows answers, and leaves them half open."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Self

AT_ONCE = 1 << 16
NO_LINGER = struct.pack("ii", 1, 0)
"""A socket that is closed with this resets its connection."""


class _Pair:
    """One connection: the two sockets that the proxy holds, and whether anything is still passed between them."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.near, self.far = near, far
        self.is_half_open = False

    def cut(self) -> None:
        for writer in (self.near, self.far):
            sock = writer.get_extra_info("socket")
            if sock is not None:
                with suppress(OSError):  # it is closed already
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
            writer.transport.abort()


class FaultyProxy:
    """Proxy from ``port`` to another port of this computer, in a thread of its own, until it is told otherwise.

    ``seconds`` is for how long everything waits here before it is passed on. While ``swallows`` is set, questions are passed on,
    and at the first byte of an answer the connection is cut: who asked cannot know how it ended. While ``is_silent`` is set,
    connections are taken and nothing is passed on. ``questions`` counts what was asked through it.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._pairs: set[_Pair] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self.seconds = 0.0
        self.swallows = False
        self.is_silent = False
        self.cuts = 0
        self.questions = 0
        self.port = 0
        self._then: tuple[int, Callable[[], object]] = (0, lambda: None)

    def start(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(timeout=10)
        return self

    async def _listen(self) -> int:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", self.port)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def at_question(self, nth: int, then: Callable[[], object]) -> None:
        """Do something, such as ``cut``, when so many more questions have come, before the last of them is passed on."""
        self._then = (self.questions + nth, then)

    def cut(self) -> None:
        """Reset every connection that there is."""
        self._at_once(lambda: [pair.cut() for pair in tuple(self._pairs)])

    def half_open(self) -> None:
        """Leave every connection that there is open, and pass nothing on between its ends any more."""
        self._at_once(lambda: [setattr(pair, "is_half_open", True) for pair in self._pairs])

    def refuse(self) -> None:
        """Reset every connection, and listen no more until all is healed."""
        self._at_once(lambda: (self._server.close(), [pair.cut() for pair in tuple(self._pairs)]))

    def lead_to(self, target: int) -> None:
        """Pass new connections on to another port."""
        self._target = target

    def heal(self) -> None:
        """Pass everything on again. What is half open stays so."""
        self.seconds, self.swallows, self.is_silent = 0.0, False, False
        self._then = (0, self._then[1])
        if not self._server.is_serving():
            asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(timeout=10)

    def stop(self) -> None:
        """Cut everything, and listen no more."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        taken = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in taken:
            task.cancel()
        await asyncio.gather(*taken, return_exceptions=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _at_once(self, do: Callable[[], object]) -> None:
        if threading.current_thread() is self._thread:
            do()
            return
        done = threading.Event()
        self._loop.call_soon_threadsafe(lambda: (do(), done.set()))
        done.wait(timeout=10)

    async def _take(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        try:
            answers, far = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            near.transport.abort()
            return
        pair = _Pair(near, far)
        pair.is_half_open = self.is_silent
        self._pairs.add(pair)
        try:
            await asyncio.gather(self._pump(pair, reader, far), self._pump(pair, answers, near, is_answer=True))
        except asyncio.CancelledError:  # the proxy stops
            pass
        finally:
            self._pairs.discard(pair)
            pair.cut()

    def _count(self) -> None:
        self.questions += 1
        nth, then = self._then
        if self.questions == nth:
            then()

    async def _pump(
        self, pair: _Pair, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, is_answer: bool = False
    ) -> None:
        try:
            while data := await source.read(AT_ONCE):
                if not is_answer:
                    self._count()
                if self.seconds:
                    await asyncio.sleep(self.seconds)
                if pair.is_half_open or self.is_silent:
                    pair.is_half_open = True
                    continue
                if is_answer and self.swallows:
                    self.cuts += 1
                    pair.cut()
                    return
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        if pair.is_half_open:
            return
        sink.close()
