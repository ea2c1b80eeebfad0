"""Checks that every request passes before its page: hosts, origins, limits; and the headers that every answer gets.

All of it is one layer of plain ASGI around the application, which knows no page: a list of checks, made in order. A
request that is turned away gets a page that says why, and reaches no handler. The real client and scheme are settled
before the first check, and the headers are added to every answer.
"""

import re
from functools import lru_cache
from urllib.parse import unquote_to_bytes, urlsplit

import attrs
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollbook.adapters.web.guards.asked import Asked, Check, Network, Refusal, Refuse, as_seen, is_of_api
from rollbook.adapters.web.guards.headers import OURS, OURS_HTTPS, with_ours
from rollbook.adapters.web.guards.limits import Bodies, BrowserOf, Limits, Rates, Streams
from rollbook.application.ports.deadline import command_deadline
from rollbook.application.ports.seat_tokens import MARK
from rollbook.domain.base.records import Record

SAFE = ("GET", "HEAD")
METHODS = (*SAFE, "POST")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
JSON = ("application/json",)
IN_ADDRESS = re.compile(rf"(?:^|[&;])access_token=|{re.escape(MARK)}[\w-]{{16}}".encode())
"""Of an address: the parameter of RFC 6750, or a token under any other name."""
LONGEST_PATH, LONGEST_QUERY = 1_000, 8_000
ANY_HOST = "*"


@attrs.frozen(kw_only=True)
class Door(Record):
    """The names that the table answers to (``hosts``, without ports), the trusted proxies, and the limits."""

    hosts: frozenset[str] = frozenset(("127.0.0.1", "localhost", "::1"))
    proxies: tuple[Network, ...] = ()
    limits: Limits = attrs.field(factory=Limits)


class Guards:
    """The application behind all checks. ``browser`` tells browsers with a seat from strangers."""

    def __init__(self, app: ASGIApp, door: Door, refuse: Refuse, browser: BrowserOf = lambda _: "") -> None:
        self._app = app
        self._proxies = door.proxies
        self._refuse = refuse
        self._bodies = Bodies(door.limits)
        self._streams = Streams(door.limits, browser)
        self._checks: tuple[Check, ...] = (
            length_of_body,
            way_of_asking,
            no_token_in_address,
            one_of(door.hosts),
            origin,
            kind_of_form,
            Rates(door.limits, browser).check,
            self._streams.check,
            self._bodies.check,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            with command_deadline():
                await self._answer(Asked(as_seen(scope, self._proxies)), receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._app(scope, receive, send)

    async def _answer(self, asked: Asked, receive: Receive, send: Send) -> None:
        scope, ours = asked.scope, OURS_HTTPS if asked.scope["scheme"] == "https" else OURS

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = with_ours(message["headers"], ours)
            await send(message)

        refusal = next(filter(None, (check(asked) for check in self._checks)), None)
        if refusal is not None:
            page = self._refuse(scope, refusal.status, refusal.said, refusal.instead)
            page.headers.update(dict(refusal.headers))
            await page(scope, receive, with_headers)
        elif self._streams.is_one(asked):
            with self._streams.counted(asked):
                await self._app(scope, self._bodies.bounded(asked, receive), with_headers)
        else:
            await self._app(scope, self._bodies.bounded(asked, receive), with_headers)


def length_of_body(asked: Asked) -> Refusal | None:
    """Refuse a body with two lengths: readers disagree about where the next request begins (RFC 9112, 6.1)."""
    if not (b"transfer-encoding" in asked.headers and b"content-length" in asked.headers):
        return None
    said, instead = "That says in two ways how long it is.", "Say it in one."
    return Refusal(400, said, instead, (("Connection", "close"),))


def way_of_asking(asked: Asked) -> Refusal | None:
    """Refuse requests that no browser makes here: other methods, overlong addresses, addresses that are no text."""
    if asked.method not in METHODS:
        said, instead = "Nothing here can be asked for in that way.", "Pages are asked for with GET and POST."
        return Refusal(405, said, instead, (("Allow", ", ".join(METHODS)),))
    if len(asked.path) > LONGEST_PATH or len(asked.scope.get("query_string", b"")) > LONGEST_QUERY:
        return Refusal(414, "That address is too long.", "Go back to the table and try a shorter one.")
    if not asked.path.isprintable() or "\ufffd" in asked.path:
        return Refusal(404, "There is no such page.", "Go back to the table.")
    return None


def no_token_in_address(asked: Asked) -> Refusal | None:
    """Refuse a token in an address, which histories and logs keep."""
    said = asked.path.encode(errors="replace"), unquote_to_bytes(asked.scope.get("query_string", b""))
    if not any(map(IN_ADDRESS.search, said)):
        return None
    sentence = "A token does not belong in an address, where others may read it."
    return Refusal(400, sentence, "Revoke it, and send the next one as Authorization: Bearer TOKEN.")


def one_of(hosts: frozenset[str]) -> Check:
    """Refuse hosts that the table does not go by, so that no other name can be pointed at this computer."""
    known = frozenset(host.casefold() for host in hosts)

    def host(asked: Asked) -> Refusal | None:
        said = [value for name, value in asked.scope["headers"] if name == b"host"]
        if len(said) == 1 and (ANY_HOST in known or host_of(f"//{said[0].decode('latin-1')}")[0] in known):
            return None
        instead = "Use the address that rollbook serve printed, or name this host with --host."
        return Refusal(421, "The table does not go by that name.", instead)

    return host


def origin(asked: Asked) -> Refusal | None:
    """Refuse forms of other sites, forms with a cookie but no origin, and pages embedded in other sites."""
    if _is_own(asked):
        return None
    said = "That was sent from another site, so nothing was done."
    return Refusal(403, said, "Open the table itself and do it there.")


def _is_own(asked: Asked) -> bool:
    site, source = asked.said(b"sec-fetch-site"), asked.said(b"origin")
    if asked.method in SAFE:  # a link from elsewhere leads here; pictures, frames and scripts of other sites do not
        return site != "cross-site" or asked.said(b"sec-fetch-mode") == "navigate"
    if site is not None and site not in ("same-origin", "none"):
        return False
    if source is not None:
        scheme, host = asked.scope["scheme"], asked.said(b"host") or ""
        return host_of(source) == host_of(f"{scheme}://{host}") and source.casefold().startswith(f"{scheme}://")
    return site is not None or b"cookie" not in asked.headers


PORTS = {"http": 80, "https": 443}


@lru_cache(1_024)
def host_of(address: str) -> tuple[str, int]:
    """The host and port of an address, 0 for a port neither given nor known; ("", 0) if it is no address."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "", 0
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return "", 0
    return host, port if port is not None else PORTS.get(parts.scheme, 0)


def kind_of_form(asked: Asked) -> Refusal | None:
    """Refuse a POST whose body is not a form as browsers send one, or for the HTTP API no JSON."""
    is_json = is_of_api(asked.scope)
    if asked.method != "POST" or _is_of_kind(asked, JSON if is_json else FORMS):
        return None
    if is_json:
        return Refusal(415, "That is no JSON.", "Send the body as application/json, in UTF-8.")
    return Refusal(415, "That is not a form of ours.", "Fill in the form on the page, in Unicode (UTF-8).")


def _is_of_kind(asked: Asked, kinds: tuple[str, ...]) -> bool:
    """True if a body is of one of these kinds in UTF-8, or there is none. In others bytes may be no text."""
    kind = asked.said(b"content-type")
    if not kind:
        return asked.said(b"content-length") in (None, "0") and b"transfer-encoding" not in asked.headers
    name, *rest = (part.strip().casefold() for part in kind.split(";"))
    sets = [part.partition("=")[2].strip('"') for part in rest if part.partition("=")[0].strip() == "charset"]
    return name in kinds and all(each == "utf-8" for each in sets) and b"content-encoding" not in asked.headers
