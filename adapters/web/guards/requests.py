"""What every request passes before a page is asked for: hosts, origins, limits; and the headers that every answer gets.

Each guard is plain ASGI middleware and knows no page. A request that is turned away gets a page that says why, and reaches no
handler. The order matters: who is asking and through which address is settled first, the headers are put on whatever comes back.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

import attrs
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.web.guards.forwarded import Forwarded, Network
from adapters.web.guards.limits import Bodies, Limits, Rates, Refuse, Streams
from domain.records import Record

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer browsers send "Origin: null", and forms would be refused
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FOR_HTTPS = {"Strict-Transport-Security": "max-age=31536000"}
PRIVATE = "no-store"
"""What caches are told of every answer that says nothing else: pages are somebody's own."""
OURS = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}
OURS_HTTPS = {**OURS, **{name.lower().encode(): value.encode() for name, value in FOR_HTTPS.items()}}
NOT_KEPT = ((b"cache-control", PRIVATE.encode()),)
SAFE = ("GET", "HEAD")
METHODS = (*SAFE, "POST")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
LONGEST_PATH, LONGEST_QUERY = 1_000, 8_000
ANY_HOST = "*"


@attrs.frozen(kw_only=True)
class Door(Record):
    """By which names the table may be asked for (``hosts``, without ports), which proxies are trusted, and what is too much."""

    hosts: frozenset[str] = frozenset(("127.0.0.1", "localhost", "::1"))
    proxies: tuple[Network, ...] = ()
    limits: Limits = attrs.field(factory=Limits)


def guarded(app: ASGIApp, door: Door, refuse: Refuse, cookies: Iterable[str] = ()) -> ASGIApp:
    """The same application behind all guards. ``cookies`` are the names of those by which browsers are told apart."""
    names = tuple(cookies)
    inner: ASGIApp = Bodies(app, door.limits, refuse)
    inner = Streams(inner, door.limits, refuse, names)
    inner = Rates(inner, door.limits, refuse, names)
    inner = Forms(inner, refuse)
    inner = Origins(inner, refuse)
    inner = Hosts(inner, door.hosts, refuse)
    inner = Requests(inner, refuse)
    return Forwarded(AnswerHeaders(inner), door.proxies)


class AnswerHeaders:
    """Every answer carries the headers that keep a browser from doing what no page of ours asks for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = self._with_ours(message["headers"], is_https=scope["scheme"] == "https")
            await send(message)

        await self._app(scope, receive, with_headers)

    def _with_ours(self, said: Iterable[tuple[bytes, bytes]], *, is_https: bool) -> list[tuple[bytes, bytes]]:
        """The headers of an answer with those of all answers. It is done for hundreds at once, so on the bytes themselves."""
        ours = OURS_HTTPS if is_https else OURS
        kept = [(name, value) for name, value in said if name.lower() not in ours]
        is_cached = any(name.lower() == b"cache-control" for name, _ in kept)
        return [*kept, *ours.items(), *(() if is_cached else NOT_KEPT)]


class Requests:
    """Requests that no browser sends here are turned away: other methods, overlong addresses, undecodable text, web sockets."""

    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] == "http" and (answer := self._fault(scope)):
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _fault(self, scope: Scope) -> Response | None:
        if scope["method"] not in METHODS:
            answer = self._refuse(
                scope, 405, "Nothing here can be asked for in that way.", "Pages are asked for with GET and POST."
            )
            answer.headers["Allow"] = ", ".join(METHODS)
            return answer
        path = scope["path"]
        if len(path) > LONGEST_PATH or len(scope.get("query_string", b"")) > LONGEST_QUERY:
            return self._refuse(scope, 414, "That address is too long.", "Go back to the table and try a shorter one.")
        if not path.isprintable() or "\ufffd" in path:
            return self._refuse(scope, 404, "There is no such page.", "Go back to the table.")
        return None


class Hosts:
    """Only the names that the table goes by are answered, so that no other name can be pointed at this computer."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], refuse: Refuse) -> None:
        self._app = app
        self._hosts = frozenset(host.casefold() for host in hosts)
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._is_ours(Headers(scope=scope)):
            said = "The table does not go by that name."
            answer = self._refuse(
                scope, 421, said, "Use the address that rollbook serve printed, or name this host with --host."
            )
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_ours(self, headers: Headers) -> bool:
        said = headers.getlist("host")
        return len(said) == 1 and (ANY_HOST in self._hosts or host_of(f"//{said[0]}")[0] in self._hosts)


class Origins:
    """What changes anything comes from a page of ours: another site's form is refused, and so is what says nothing of itself."""

    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_own(scope):
            answer = self._refuse(
                scope,
                403,
                "That was sent from another site, so nothing was done.",
                "Open the table itself and do it there.",
            )
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _is_own(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if scope["method"] in SAFE:  # a link from elsewhere leads here; pictures, frames and scripts of other sites do not
        return site != "cross-site" or headers.get("sec-fetch-mode") == "navigate"
    if site is not None and site not in ("same-origin", "none"):
        return False
    if origin is not None:
        return _is_same(origin, scope["scheme"], headers["host"])
    return site is not None or "cookie" not in headers


def _is_same(origin: str, scheme: str, host: str) -> bool:
    return host_of(origin) == host_of(f"{scheme}://{host}") and origin.casefold().startswith(f"{scheme}://")


PORTS = {"http": 80, "https": 443}


@lru_cache(1_024)
def host_of(address: str) -> tuple[str, int]:
    """The host of an address and its port, 0 where none is said or known; ("", 0) for what is no address."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "", 0
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return "", 0
    return host, port if port is not None else PORTS.get(parts.scheme, 0)


class Forms:
    """A form comes as browsers send one; anything else is not read."""

    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST" and not _is_form(Headers(scope=scope)):
            answer = self._refuse(
                scope, 415, "That is not a form of ours.", "Fill in the form on the page, in Unicode (UTF-8)."
            )
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _is_form(headers: Headers) -> bool:
    """Whether a body is a form in UTF-8, or there is none. Other encodings can hold bytes that cannot be decoded."""
    kind = headers.get("content-type", "")
    if not kind:
        return headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    name, *rest = (part.strip().casefold() for part in kind.split(";"))
    sets = [part.partition("=")[2].strip('"') for part in rest if part.partition("=")[0].strip() == "charset"]
    return name in FORMS and all(each == "utf-8" for each in sets) and "content-encoding" not in headers
