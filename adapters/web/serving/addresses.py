"""Where the table is served: the address to listen at, the names it goes by, and the addresses that links begin with."""

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Self
from urllib.parse import urlsplit

import attrs

from rollbook.adapters.web.guards.asked import proxies_from
from rollbook.adapters.web.guards.requests import Door
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.records import Record

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened at
HERE = ("127.0.0.1", "::1")


@attrs.frozen(kw_only=True)
class Place(Record):
    """``host`` is listened at; ``outside`` are the names by which others reach it, ``public`` a whole URL of a proxy, or ""."""

    host: str
    outside: tuple[str, ...] = ()
    public: str = ""
    door: Door

    @classmethod
    def named(cls, host: str, *, lan: bool = False, public: str = "", proxies: Sequence[str] = ()) -> Self:
        """The place that somebody names. Raises RollbookError for what is no address, NotFound without a network."""
        outside = (_own_address(), *_own_names()) if lan or host in EVERYWHERE else (host,)
        names = {*Door().hosts, *outside, *((_name_in(public),) if public else ())}
        trusted = proxies_from(proxies or (HERE if public else ()))
        return cls(
            host=host,
            outside=tuple(name for name in outside if not _is_loopback(name)),
            public=public.rstrip("/"),
            door=Door(hosts=frozenset(names), proxies=trusted),
        )

    def addresses(self, port: int) -> tuple[str, ...]:
        """What links begin with, the best for others first; the last one is for this computer."""
        others = (self.public, *(f"http://{_in_url(name)}:{port}" for name in self.outside[:1]))
        own = "127.0.0.1" if self.host in (*EVERYWHERE, "localhost") else self.host
        return (*dict.fromkeys(filter(None, (*others, f"http://{_in_url(own)}:{port}"))),)


def _name_in(public: str) -> str:
    try:
        parts = urlsplit(public)
        name = parts.hostname or ""
    except ValueError:
        parts, name = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not name or parts.path.strip("/") or parts.query or "@" in parts.netloc:
        raise RollbookError(
            f"{public!r} is not how a table can be reached. Write it so: --public https://table.example"
        )
    return name


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _in_url(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def _own_names() -> tuple[str, ...]:
    """What this computer is called in the house network."""
    name = socket.gethostname().partition(".")[0].casefold()
    return (name, f"{name}.local") if name else ()


def _own_address() -> str:
    """The address under which this computer can be reached in its network. Raises NotFound if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # sends nothing, and says by which address it would be sent
        except OSError as fault:
            raise NotFound("This computer is in no network, so --lan helps nobody. Leave it out.") from fault
        name: str = asked.getsockname()[0]
        return name
