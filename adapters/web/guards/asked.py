"""A request as the guards see it: the client and the scheme, also behind a reverse proxy.

The headers of a proxy (``X-Forwarded-For``, ``X-Forwarded-Proto``) are trusted only from addresses that were named as
proxies. From other addresses they are removed, and the request counts as one from another computer.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import attrs
from starlette.responses import Response
from starlette.types import Scope

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

NEAR = "rollbook.near"
"""Key of a scope: True if the request came from this computer."""
SAID_BY_PROXIES = frozenset(
    (
        b"forwarded",
        b"via",
        b"x-real-ip",
        b"x-forwarded-for",
        b"x-forwarded-proto",
        b"x-forwarded-host",
        b"x-forwarded-port",
    )
)


def proxies_from(named: Iterable[str]) -> tuple[Network, ...]:
    """The networks of named proxies ("127.0.0.1", "10.0.0.0/8"). Raises RollbookError for a bad address."""
    try:
        return tuple(ip_network(name.strip(), strict=False) for name in named)
    except ValueError as error:
        raise RollbookError(
            f"That is no address of a proxy ({error}): give one such as 127.0.0.1 or 10.0.0.0/8."
        ) from None


def as_seen(scope: Scope, proxies: Sequence[Network]) -> Scope:
    """The scope with the real client and scheme, and with ``NEAR``."""
    headers = scope["headers"]
    said = [header for header in headers if header[0] in SAID_BY_PROXIES]
    client = scope.get("client")
    direct = _address(client[0]) if client else None
    if not said:
        return {**scope, NEAR: _is_this_computer(direct, scope)}
    rest = [header for header in headers if header[0] not in SAID_BY_PROXIES]
    if not _is_proxy(direct, proxies):
        return {**scope, "headers": rest, NEAR: False}
    real = _real_client(said, proxies)
    scheme = _last(said, b"x-forwarded-proto")
    return {
        **scope,
        "headers": rest,
        "scheme": scheme if scheme in ("http", "https") else scope["scheme"],
        "client": (str(real), 0) if real else None,
        NEAR: False,  # a tunnel may end at the proxy, and all clients then come from its computer
    }


def _is_proxy(address: Address | None, proxies: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in proxies)


def _real_client(said: list[tuple[bytes, bytes]], proxies: Sequence[Network]) -> Address | None:
    """The last address that is not a proxy's: a client can forge those before it. The first, if all are proxies'."""
    chain = b",".join(value for name, value in said if name == b"x-forwarded-for").decode("latin-1").split(",")
    address = None
    for text in reversed(chain):
        address = _address(text.strip())
        if address is None or not _is_proxy(address, proxies):
            return address
    return address


API = "/api/v1"
"""The beginning of the addresses of the HTTP API, to which programs come with a token and never with a cookie."""


def is_of_api(scope: Scope) -> bool:
    """True if a request is for the HTTP API."""
    return str(scope["path"]).startswith(f"{API}/")


def bearer_of(scope: Scope) -> str:
    """The token that a request brings, "" if it brings none. Of several none counts."""
    said = [value for name, value in scope["headers"] if name == b"authorization"]
    kind, _, token = said[0].decode("latin-1").partition(" ") if len(said) == 1 else ("", "", "")
    return token.strip() if kind.casefold() == "bearer" else ""


def is_near(scope: Scope) -> bool:
    """True if a request came from this computer, without headers of a proxy."""
    return bool(scope.get(NEAR, False))


def _is_this_computer(client: Address | None, scope: Scope) -> bool:
    """True if a direct request comes from this computer: by loopback, or by its own address in a network."""
    server = scope.get("server")
    return client is not None and (client.is_loopback or (server is not None and client == _address(server[0])))


def is_proxy(host: str, proxies: Sequence[Network]) -> bool:
    """True if a connection comes from an address that was named as a proxy."""
    return bool(proxies) and _is_proxy(_address(host), proxies)


@lru_cache(1_024)
def household(host: str) -> str:
    """The unit that is counted as one address: an IPv4 address, or the /64 of an IPv6 one, which is one household's."""
    address = _address(host)
    return str(IPv6Network((address, 64), strict=False)) if isinstance(address, IPv6Address) else str(address or host)


@lru_cache(1_024)
def _address(text: str) -> Address | None:
    """An address, also with a port or in brackets; an IPv4-mapped IPv6 address becomes IPv4. None if it is none."""
    host = text.partition("]")[0].removeprefix("[") if text.startswith("[") else text
    if host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def _last(said: list[tuple[bytes, bytes]], wanted: bytes) -> str:
    values = [value for name, value in said if name == wanted]
    return values[-1].decode("latin-1").rpartition(",")[2].strip().casefold() if values else ""


class Asked:
    """One HTTP request. Its headers are read once; of two with one name the first counts."""

    __slots__ = ("headers", "method", "path", "scope")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers: dict[bytes, bytes] = dict(scope["headers"][::-1])

    def said(self, name: bytes) -> str | None:
        """A header, by its name in lower case; None if it was not sent."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


@attrs.frozen
class Refusal(Record):
    """An answer to a request that is turned away: status, reason, advice, and extra headers."""

    status: int
    said: str
    instead: str
    headers: tuple[tuple[str, str], ...] = ()


Check = Callable[[Asked], Refusal | None]
"""A check of a request: None if it passes."""

Refuse = Callable[[Scope, int, str, str], Response]
"""Makes the page for a request (its scope) that is turned away, from status, reason and advice."""
