"""Odd requests to the table on the web: every path, method, header, cookie, body and form with every odd value.

What a guard or a page refuses has changed no byte of the store, and no answer is an error that nobody expected. The requests
go to the application as bytes, so that no client puts them right before.
"""

from __future__ import annotations

import html
import logging
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from urllib.parse import quote, quote_from_bytes, urlencode

import attrs
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message

from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits, Rate
from rollbook.adapters.web.serving.app import WebTable, create_app
from tests.attacks.attempts import RAW, Attempts
from tests.attacks.hostile import NUMBERS, TEXTS, mutated, text
from tests.support.campaigns import book_with
from tests.support.example_sessions import played_example
from tests.support.web import GM, MIRA, SHERWOOD, SPECTATOR, StoreFiles, cookie, cookie_name, copied

FRESH_EVERY = 500
"""After so many requests everything begins again with the campaign as it was played."""
WIDE = Limits(
    reading=Rate(burst=1e9, a_second=1e9), acting=Rate(burst=1e9, a_second=1e9), x_cards=Rate(burst=1e9, a_second=1e9)
)
HOSTS = (
    "127.0.0.1:7655",
    "localhost:7655",
    "[::1]:7655",
    "evil.example",
    "",
    "127.0.0.1:7655, evil.example",
    "\xff",
    "a b",
)
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "GE T", "get", "X" * 300)
SITES = ("same-origin", "none", "cross-site", "same-site", "odd", "\xff")
ORIGINS = ("http://127.0.0.1:7655", "null", "http://evil.example", "https://127.0.0.1:7655", "", "http://[", "\xff")
KINDS = (
    *(
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "application/json",
    ),
    *(
        "multipart/form-data; boundary=x; charset=unicode_escape",
        "multipart/form-data; boundary=" + "y" * 300,
        "text/plain",
    ),
    *("application/x-www-form-urlencoded; charset=utf-16", "APPLICATION/X-WWW-FORM-URLENCODED", "", ";", "\xff/\xff"),
)
HEADERS = (
    *("hx-request", "accept-encoding", "accept", "if-none-match", "range", "last-event-id", "x-forwarded-for", "forwarded"),
    *("x-forwarded-proto", "x-http-method-override", "referer", "user-agent", "content-encoding", "transfer-encoding"),
    *("hx-target", "hx-current-url", "hx-prompt", "hx-boosted", "upgrade", "expect", "te", "authorization"),
)  # fmt: skip
NAMES = (
    *("line", "command", "reason", "why", "seat", "name", "number", "at", "after", "before", "search", "where", "adjust"),
    *("dice", "how", "amount", "target", "who", "text", "role", "secret", "faces", "head", "token", "link", "ruleset"),
    *("file", "to", "q", "by", "kept", "origin"),
)  # fmt: skip
FIELD = re.compile(
    r"""<(?:input|select|textarea|button)[^>]*?\sname=["']([^"']+)["'][^>]*?(?:value=["']([^"']*)["'])?[^>]*>"""
)
FORM = re.compile(r"""<form[^>]*?action=["']([^"']+)["']""")


@attrs.frozen
class Answered:
    """What came back: the status, the headers, and the body as text."""

    status: int
    headers: dict[str, str]
    body: str


@attrs.define
class Target:
    """A running application with its store, and cookies of everybody who sits there."""

    app: WebTable
    files: StoreFiles
    client: TestClient
    cookies: tuple[str, ...]
    looking: tuple[sqlite3.Connection, ...]
    faults: list[logging.LogRecord]
    fields: list[tuple[str, str]]
    actions: list[str]

    def version(self) -> list[int]:
        """Another one as soon as anybody has changed the store, or the links to its seats."""
        return [look.execute("PRAGMA data_version").fetchone()[0] for look in self.looking]

    def ask(self, asked: Asked) -> Answered:
        """Send a request. What the server would log as a fault is raised."""
        self.faults.clear()
        assert self.client.portal is not None
        answer = self.client.portal.call(answered, self.app, asked)
        if self.faults:
            fault = self.faults[0]
            raise RuntimeError(fault.getMessage()) from (fault.exc_info[1] if fault.exc_info else None)
        return answer


@attrs.frozen
class Asked:
    """A request, as the server would get it."""

    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: list[bytes]

    @property
    def scope(self) -> dict[str, object]:
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": self.path,
            "raw_path": quote(self.path, errors="replace").encode(),
            "query_string": self.query,
            "root_path": "",
            "headers": self.headers,
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 7655),
            "state": {},
        }


async def answered(app: ASGIApp, asked: Asked) -> Answered:
    """What an application answers; once all was sent, the browser has gone."""
    waiting = list(asked.body)
    said: list[Message] = []

    async def receive() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        said.append(message)

    await app(asked.scope, receive, send)
    start = next(message for message in said if message["type"] == "http.response.start")
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
    body = b"".join(message.get("body", b"") for message in said if message["type"] == "http.response.body")
    return Answered(start["status"], headers, body.decode(errors="replace"))


class Noted(logging.Handler):
    """Keeps what is logged as a fault."""

    def __init__(self, records: list[logging.LogRecord]) -> None:
        super().__init__(logging.ERROR)
        self._records = records

    def emit(self, record: logging.LogRecord) -> None:
        self._records.append(record)


@contextmanager
def target(played: StoreFiles) -> Iterator[Target]:
    """An application on a copy of a store, whose threads may still close their files when it is over."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        files = copied(played, Path(folder))
        app = create_app(files.store, files.seeds, Door(limits=WIDE))
        faults: list[logging.LogRecord] = []
        handler = Noted(faults)
        log = logging.getLogger("rollbook.web")
        log.addHandler(handler)
        try:
            with TestClient(app, base_url="http://127.0.0.1:7655") as client:
                cookies = taken(app)
                paths = (files.store, *files.seeds.glob("*.seats.db"))
                looking = tuple(sqlite3.connect(f"file:{path}?mode=ro", uri=True) for path in paths)
                yield Target(app, files, client, cookies, looking, faults, [], [])
                for look in looking:
                    look.close()
        finally:
            log.removeHandler(handler)


def taken(app: WebTable) -> tuple[str, ...]:
    """Cookies of the GM, a player and a spectator."""
    return tuple(f"{cookie_name(app)}={cookie(app, identity)}" for identity in (GM, MIRA, SPECTATOR))


class Requests:
    """Makes one odd request after the other: most are nearly right, so that they come far."""

    def __init__(self, chance: Random, at: Target) -> None:
        self._chance = chance
        self._at = at

    def value(self) -> str:
        """What is written into a path or a field."""
        chance = self._chance.random()
        if chance < 0.3:
            return self._chance.choice(
                (SHERWOOD, "robin", "Mira", "Ana", "1", "12", "last", "note x", "attack", "roll 1d20")
            )
        if chance < 0.5:
            return self._chance.choice(NUMBERS)
        if chance < 0.7:
            return self._chance.choice(TEXTS)
        return mutated(
            self._chance, self._chance.choice(("sherwood", "robin attack guard longbow ! 14 4", "note hello", "12"))
        )

    def request(self) -> Asked:
        """One request."""
        pages = self._at.app.pages
        (page,) = self._chance.choices(pages, [8 if each.path.startswith("/c/") else 1 for each in pages])
        path = re.sub(r"\{(\w+)(?::path)?\}", lambda found: self._part(found[1]), page.path)
        method = page.method
        if self._at.actions and self._chance.random() < 0.3:
            path, method = self._chance.choice(self._at.actions), "POST"
        if self._chance.random() < 0.05:
            path = "/" + mutated(self._chance, path.removeprefix("/"))
        if self._chance.random() < 0.1:
            method = self._chance.choice(METHODS)
        body = self._body() if method == "POST" or self._chance.random() < 0.05 else ([b""], "")
        headers = [*self._headers(), *([(b"content-type", body[1].encode("latin-1"))] if body[1] else [])]
        length = str(sum(map(len, body[0]))) if self._chance.random() < 0.95 else self._chance.choice(NUMBERS)[:50]
        headers += [(b"content-length", length.encode())] if method == "POST" else []
        return Asked(method, path, self._query(), headers, body[0])

    def _part(self, name: str) -> str:
        if name == "campaign" and self._chance.random() < 0.95:
            return self._chance.choice((*[SHERWOOD] * 12, f"{SHERWOOD}~1", "nowhere"))
        return self.value().replace("/", "%2F") or "x"

    def _query(self) -> bytes:
        if self._chance.random() < 0.5:
            return b""
        return self._pairs() if self._chance.random() < 0.8 else quote_from_bytes(self._chance.randbytes(40)).encode()

    def _pairs(self) -> bytes:
        known = self._at.fields or [(name, "") for name in NAMES]
        chosen = self._chance.sample(known, min(len(known), self._chance.randint(0, 6)))
        pairs = [(name, value if self._chance.random() < 0.5 else self.value()) for name, value in chosen]
        pairs += [(self._chance.choice(NAMES), self.value()) for _ in range(self._chance.choice((0, 1, 2)))]
        return urlencode(pairs, errors="replace").encode()

    def _body(self) -> tuple[list[bytes], str]:
        """The pieces of a body, and of which kind it says it is."""
        chance = self._chance.random()
        if chance < 0.65:
            return [self._pairs()], KINDS[0]
        if chance < 0.85:
            return [self._parts()], KINDS[1]
        kind = self._chance.choice(KINDS)
        pieces = self._chance.choice(
            ([b""], [self._chance.randbytes(200)], [b"a=" + b"x" * 150_000] * 2, [b"%ff=%00&%&=&&"])
        )
        return pieces, kind

    def _parts(self) -> bytes:
        """A body of several parts, some of them files, some of them broken."""
        parts = []
        for _ in range(self._chance.choice((0, 1, 3, 40))):
            name, value = self._chance.choice(NAMES), text(self._chance).encode(errors="replace")[:2_000]
            file = self._chance.choice(("", '; filename="a.jsonl"', '; filename="../../x"', "; filename*=utf-8''%ff"))
            odd = self._chance.choice(
                (b"", b"", b"", b"Content-Type: text/plain; charset=utf-7\r\n", b"\xff\xff: \x00\r\n")
            )
            parts.append(
                f'--x\r\nContent-Disposition: form-data; name="{name}"{file}\r\n'.encode()
                + odd
                + b"\r\n"
                + value
                + b"\r\n"
            )
        whole = b"".join(parts) + b"--x--\r\n"
        return whole if self._chance.random() < 0.7 else whole[: self._chance.randint(0, len(whole))]

    def _headers(self) -> list[tuple[bytes, bytes]]:
        said = {"host": "127.0.0.1:7655", "sec-fetch-site": "same-origin", "origin": "http://127.0.0.1:7655"}
        for name, odd in (("host", HOSTS), ("sec-fetch-site", SITES), ("origin", ORIGINS)):
            if self._chance.random() < 0.04:
                said[name] = self._chance.choice(odd)
            elif self._chance.random() < 0.04:
                del said[name]
        if self._chance.random() < 0.93:
            name = self._at.cookies[0].partition("=")[0]
            odd_cookies = (
                f"{name}={'x' * 9_000}",
                f"{name}=\xff",
                "=;=;",
                f'{name}="; a=b',
                f"{name}=; {self._at.cookies[1]}",
            )
            good = (*self._at.cookies, self._at.cookies[0], self._at.cookies[0])
            said["cookie"] = self._chance.choice(good if self._chance.random() < 0.94 else odd_cookies)
        for name in self._chance.sample(HEADERS, self._chance.choice((0, 0, 1, 3))):
            said[name] = self._chance.choice(
                ("true", "gzip", "1", "", "bytes=0-1", "127.0.0.1", "\xff" * 20, "x" * 3_000)
            )
        return [(name.encode(), value.encode("latin-1", errors="replace")) for name, value in said.items()]


def look_for_forms(at: Target, body: str) -> None:
    """Remember the fields and actions of the forms on a page: the next requests use them."""
    for name, value in FIELD.findall(body):
        pair = html.unescape(name), html.unescape(value)
        if pair not in at.fields and len(at.fields) < 400:
            at.fields.append(pair)
    for action in FORM.findall(body):
        path = html.unescape(action).partition("?")[0]
        if path not in at.actions and len(at.actions) < 400:
            at.actions.append(path)


def check(at: Target, attempts: Attempts, asked: Asked) -> None:
    """Send a request, and note what it did that it must not."""
    case = f"{asked.method} {asked.path[:150]} ? {asked.query[:150]!r} {asked.headers} {asked.body[0][:300]!r}"
    before = at.version()
    answers: list[Answered] = []
    if not attempts.attempt(case, lambda: answers.append(at.ask(asked))):
        return
    (answer,) = answers
    changed = at.version() != before
    if "set-cookie" in answer.headers:  # somebody has left, or sits elsewhere
        at.cookies = taken(at.app)
    if answer.status >= 400:
        attempts.refused += 1
    if answer.status >= 500:
        attempts.note(f"status {answer.status}", case)
    if changed and (answer.status >= 400 or asked.method != "POST"):
        attempts.note(f"{asked.method} with status {answer.status} changed the store", case)
    words = re.sub(r"SQLite|, sqlite\.", "", answer.body)  # which is a format to export to
    if answer.status >= 400 and (raw := RAW.search(words)):
        attempts.note(f"raw words: {raw}", case)
    if "content-security-policy" not in answer.headers:
        attempts.note("an answer without its headers", case)
    if answer.status == 200 and answer.headers.get("content-type", "").startswith("text/html"):
        look_for_forms(at, answer.body)


def attack(rounds: int, seed: int, attempts: Attempts) -> None:
    """Send so many odd requests."""
    chance = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        with redirect_stdout(StringIO()):
            campaign = played_example("sherwood", Path(folder))
        book_with(campaign).close()
        played = StoreFiles(Path(folder) / "sherwood.db", Path(folder) / "seeds")
        for first in range(0, rounds, FRESH_EVERY):
            with target(played) as at:
                requests = Requests(chance, at)
                for _ in range(min(FRESH_EVERY, rounds - first)):
                    check(at, attempts, requests.request())
