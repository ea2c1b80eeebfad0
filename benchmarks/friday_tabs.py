"""Those who play a night: one who acts at each table, and tabs that follow it and come back after a fault."""

from __future__ import annotations

import asyncio
import re
import ssl
import time
from collections.abc import Callable, Sequence
from urllib.parse import quote, urlencode

import attrs

from benchmarks.proxies import NAME

HOST = "127.0.0.1"
PATIENCE = 10.0
"""Seconds for which an answer is waited for."""
AGAIN = 0.25
"""Seconds until a tab comes back, or a command is sent again."""
MARK = re.compile(r"E\d+-\d+")
CURSOR = re.compile(r'id="cursor" name="after" value="([^"]*)"')
LAST_CHUNK = b"0\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_IN_CHUNKS = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_FAULTS = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError)


@attrs.frozen
class Way:
    """The way to the proxy: its port, and what its certificate is checked by, if it has one."""

    port: int
    trust: ssl.SSLContext | None = None

    @property
    def site(self) -> str:
        """The address of the tables."""
        return f"{'https' if self.trust else 'http'}://{NAME}"

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect."""
        name = NAME if self.trust else None
        return await asyncio.open_connection(HOST, self.port, limit=2**22, ssl=self.trust, server_hostname=name)


@attrs.define
class Line:
    """A connection to the proxy that is kept as long as it is good."""

    way: Way
    cookie: str
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Status and text of an answer; 0 if none came."""
        try:
            async with asyncio.timeout(PATIENCE):
                head = await self.begin(path, form)
                assert self._reader is not None
                return int(head[9:12]), (await _body(self._reader, head)).decode(errors="replace")
        except _FAULTS as fault:
            self.close()
            return 0, type(fault).__name__

    async def begin(self, path: str, form: dict[str, str] | None = None) -> bytes:
        """Ask, and read the head of the answer."""
        if self._reader is None or self._writer is None or self._reader.at_eof():
            self._reader, self._writer = await self.way.open()
        body = urlencode(form).encode() if form else b""
        lines = [f"{'POST' if form else 'GET'} {path} HTTP/1.1", f"Host: {NAME}", "HX-Request: true"]
        lines += [f"Cookie: {self.cookie}", f"Origin: {self.way.site}", "Sec-Fetch-Site: same-origin"]
        lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"] if form else []
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        return await self._reader.readuntil(b"\r\n\r\n")

    async def bell(self) -> bool:
        """Wait until a stream says something new. False if it ended: a proxy keeps the connection, and sends the last chunk."""
        assert self._reader is not None
        while (line := await self._reader.readline()) and line != LAST_CHUNK:
            if line.startswith(b"id: "):
                return True
        return False

    def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def _body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    if length := _LENGTH.search(head):
        return await reader.readexactly(int(length[1]))
    found = b""
    while _IN_CHUNKS.search(head):
        size = int((await reader.readline()).partition(b";")[0], 16)
        found += (await reader.readexactly(size + 2))[:size]
        if not size:
            break
    return found


@attrs.define
class Tab:
    """A browser that shows a table: ``seen`` is the moment at which it first had each mark."""

    way: Way
    campaign: str
    cookie: str
    seen: dict[str, float] = attrs.field(factory=dict)
    cut: int = 0
    after: str = ""

    async def follow(self) -> None:
        """Show the table, listen, and come back whenever the stream ends."""
        asking, stream = Line(self.way, self.cookie), Line(self.way, self.cookie)
        try:
            while True:
                if not self.after:
                    await self.look(asking, f"/c/{self.campaign}")
                await self._listen(asking, stream)
                self.cut += 1
                stream.close()
                await asyncio.sleep(AGAIN)
        finally:
            asking.close()
            stream.close()

    async def _listen(self, asking: Line, stream: Line) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                head = await stream.begin(f"/c/{self.campaign}/stream?after={quote(self.after)}")
            if b" 200 " not in head[:20]:
                return
            while await self.catch_up(asking) and await stream.bell():
                pass
        except _FAULTS:
            return

    async def catch_up(self, asking: Line) -> bool:
        """Ask for what is new. False if no node answers."""
        return await self.look(asking, f"/c/{self.campaign}/live?after={quote(self.after)}")

    async def look(self, asking: Line, path: str) -> bool:
        """Read an answer, and note the marks in it."""
        status, text = await asking.ask(path)
        cursor, now = CURSOR.search(text), time.perf_counter()
        if status != 200 or cursor is None:
            return False
        self.after = cursor[1]
        for mark in MARK.findall(text):
            self.seen.setdefault(mark, now)
        return True


@attrs.define
class Act:
    """A command: when it was first sent and when acknowledged (0: never), and how often it was sent."""

    mark: str
    campaign: str
    sent: float
    acknowledged: float = 0.0
    tries: int = 0


@attrs.define
class Table:
    """A campaign with one who acts every so many seconds, and its tabs."""

    number: int
    way: Way
    campaign: str
    cookies: Sequence[str]
    tabs: list[Tab] = attrs.field(factory=list)
    acts: list[Act] = attrs.field(factory=list)
    answers: list[str] = attrs.field(factory=list)

    async def play(self, is_over: Callable[[], bool], every: float) -> None:
        """Act until all is over, and finish the act that is under way."""
        line = Line(self.way, self.cookies[0])
        await asyncio.sleep(every * (self.number % 40) / 40)
        due = time.perf_counter()
        while not is_over():
            act = Act(f"E{self.number:03d}-{len(self.acts):05d}", self.campaign, time.perf_counter())
            self.acts.append(act)
            await self._carry_out(line, act)
            due += every
            await asyncio.sleep(max(due - time.perf_counter(), 0))
        line.close()

    async def _carry_out(self, line: Line, act: Act) -> None:
        """Send a command under its id until it is acknowledged."""
        is_note = len(self.acts) % 2
        form = {"line": f"note {act.mark}" if is_note else f"roll 1d20 --purpose {act.mark}", "command": act.mark}
        while time.perf_counter() - act.sent < 6 * PATIENCE:
            act.tries += 1
            status, text = await line.ask(f"/c/{self.campaign}/say", form)
            if 200 <= status < 400:
                act.acknowledged = time.perf_counter()
                return
            self.answers.append(f"{status} {' '.join(re.sub('<[^>]+>', ' ', text).split())[:90]}")
            await asyncio.sleep(AGAIN)

    def open_tabs(self) -> list[asyncio.Task[None]]:
        """Begin to show the table in a tab for each cookie."""
        self.tabs = [Tab(self.way, self.campaign, cookie) for cookie in self.cookies]
        return [asyncio.create_task(tab.follow()) for tab in self.tabs]

    def missing(self) -> list[str]:
        """Acknowledged acts that a tab does not have."""
        return [
            f"{act.mark} at tab {place}"
            for place, tab in enumerate(self.tabs, 1)
            for act in self.acts
            if act.acknowledged and act.mark not in tab.seen
        ]
