"""Browsers to measure with, as small as they can be: each listens to a stream and asks for what is new when the bell rings."""

from __future__ import annotations

import asyncio
import gc
import re
import time
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from html import unescape
from urllib.parse import quote, urlencode

import attrs

HOST = "127.0.0.1"
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
CURSOR = re.compile(rb'name="?after"? value="?([^">]*)')
LOADED = re.compile(rb'hx-get="([^"]+)" hx-trigger="load"')
FOLLOWED = re.compile(rb'data-follow="([^"]+)"')
PACKED = "Accept-Encoding: gzip"
PATIENCE = 30


@contextmanager
def uninterrupted() -> Iterator[None]:
    """No garbage is looked for meanwhile: all tabs share this process, and would all wait while its memory is gone through."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@attrs.define
class Connection:
    """A connection that is kept: one question after another."""

    port: int
    cookie: str = ""
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection(HOST, self.port)

    async def ask(self, path: str, form: dict[str, str] | None = None, *more: str) -> bytes:
        """The body of an answer. Raises AssertionError for a fault of the server."""
        is_kept = self._reader is not None
        if self._reader is None or self._reader.at_eof():  # a server hangs up on who is silent for some seconds
            await self.open()
        try:
            return await self._answer(path, form, more)
        except (ConnectionError, asyncio.IncompleteReadError):
            if not is_kept:
                raise
            await self.open()  # it hung up just now; browsers ask once more, too
            return await self._answer(path, form, more)

    async def _answer(self, path: str, form: dict[str, str] | None, more: tuple[str, ...]) -> bytes:
        assert self._reader is not None
        assert self._writer is not None
        body = urlencode(form).encode() if form else b""
        lines = [f"{'POST' if form else 'GET'} {path} HTTP/1.1", f"Host: {HOST}:{self.port}", "HX-Request: true", *more]
        lines += [f"Cookie: {self.cookie}"]
        if form:
            lines += [
                f"Origin: http://{HOST}:{self.port}",
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
            ]
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = await self._reader.readuntil(b"\r\n\r\n")
        assert head[9:10] in (b"2", b"3"), head.decode() + (await self._reader.read(2_000)).decode()
        length = LENGTH.search(head)
        return await self._reader.readexactly(int(length[1])) if length else b""

    def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()


@attrs.define
class Listener:
    """A tab: ``seen`` is called with the moment at which it had what is new, with all panels that its page shows."""

    port: int
    campaign: str
    cookie: str
    seen: Callable[[float], None]
    after: str = ""
    _panels: str = ""
    _shown: str = ""
    _asking: Connection | None = None
    _task: asyncio.Task[None] | None = None
    _writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Load the page, and the sheet that it opens with, and listen."""
        self._asking = Connection(self.port, self.cookie)
        page = await self._asking.ask(f"/c/{self.campaign}")
        found = CURSOR.search(page)
        assert found, page[:500]
        self.after = found[1].decode()
        sheets = [await self._asking.ask(unescape(each.decode())) for each in LOADED.findall(page)]
        followed = FOLLOWED.findall(b" ".join((page, *sheets)))
        self._panels = "".join(f"&with={quote(unescape(each.decode()), safe='/')}" for each in followed)
        reader, self._writer = await asyncio.open_connection(HOST, self.port)
        path = f"/c/{self.campaign}/stream?after={self.after}"
        self._writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nCookie: {self.cookie}\r\n\r\n".encode())
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        self._task = asyncio.create_task(self._listen(reader))

    def show(self, panel: str, address: str) -> None:
        """Have another content in the panel of the forms from now on: that of this address."""
        at = f"/c/{self.campaign}/{panel}"
        kept = [each for each in self._panels.split("&with=") if each and not each.startswith(at)]
        self._panels, self._shown = "".join(f"&with={each}" for each in kept), f"&with={quote(address, safe='/')}"

    async def act(self, path: str, form: dict[str, str]) -> None:
        """Send a form of the page, whose answer is its panel, with what is new as well."""
        assert self._asking is not None
        answer = await self._asking.ask(path, form, PACKED, f"Read-On: after={self.after}{self._panels}")
        found = CURSOR.search(zlib.decompress(answer, wbits=31))
        assert found, "the answer has what is new"
        self.after = found[1].decode()
        self.seen(time.perf_counter())

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        assert self._asking is not None
        while line := await reader.readline():
            if not line.startswith(b"id: ") or (cursor := line[4:].decode().strip()) == self.after:
                continue
            asked = f"after={self.after}{self._panels}{self._shown}"
            await self._asking.ask(f"/c/{self.campaign}/live?{asked}", None, PACKED)
            self.after = cursor
            self.seen(time.perf_counter())

    def close(self) -> None:
        """Close the tab."""
        if self._task is not None:
            self._task.cancel()
        if self._writer is not None:
            self._writer.close()
        if self._asking is not None:
            self._asking.close()


@attrs.define
class Crowd:
    """Many tabs at one table."""

    tabs: list[Listener] = attrs.field(factory=list)
    _seen: list[float] = attrs.field(factory=list)
    _all: asyncio.Event = attrs.field(factory=asyncio.Event)

    async def open(self, port: int, campaign: str, cookies: list[str]) -> None:
        """Open a tab for each cookie."""
        for cookie in cookies:
            tab = Listener(port, campaign, cookie, self._note)
            await tab.open()
            self.tabs.append(tab)

    def _note(self, moment: float) -> None:
        self._seen.append(moment)
        if len(self._seen) >= len(self.tabs):
            self._all.set()

    async def after(self, act: Awaitable[object]) -> list[float]:
        """For each tab, the seconds between the beginning of an act and the answer with what it made."""
        self._seen.clear()
        self._all.clear()
        began = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(act, self._all.wait())
        return [moment - began for moment in self._seen]

    def close(self) -> None:
        """Close all tabs."""
        for tab in self.tabs:
            tab.close()
