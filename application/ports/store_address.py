"""Addresses of stores: a file on this computer, or a PostgreSQL server that several computers share.

The address of a server may hold a password, so it is never printed as given, only by ``shown``.
"""

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

SCHEMES = ("postgresql://", "postgres://")
SECRET = frozenset(("password", "sslpassword", "passfile", "sslkey"))
"""Parameters of an address that are never shown."""
UNREADABLE = "postgresql://…"
"""Shown for an address that cannot be read."""
DEFAULTS = {"user": "PGUSER", "host": "PGHOST", "port": "PGPORT", "dbname": "PGDATABASE"}
"""libpq's variables for the parts that an address leaves out."""


def is_server(text: object) -> bool:
    """True if this names a PostgreSQL server and not a file."""
    return isinstance(text, ServerAddress) or (isinstance(text, str) and text.startswith(SCHEMES))


class ServerAddress(NamedTuple):
    """The address of a PostgreSQL store as it was given; ``str`` of it may be shown."""

    given: str

    def __str__(self) -> str:
        return shown(self.given)

    def __repr__(self) -> str:
        return f"ServerAddress({shown(self.given)!r})"


Place = Path | ServerAddress
"""Place of a store."""


def shown(address: str) -> str:
    """An address without its password and keys, completed from libpq's variables."""
    try:
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query))
    except ValueError:
        return UNREADABLE
    user, _, hosts = parts.netloc.rpartition("@")
    host, _, port = hosts.rpartition(":") if hosts.rpartition(":")[2].isdigit() else (hosts, "", "")
    if ":" in host.rpartition("]")[2].rpartition(",")[2] or "@" in parts.path + parts.query + parts.fragment:
        return UNREADABLE  # a password with a slash in it would stand where the server or the database is
    said = {"user": unquote(user.partition(":")[0]), "host": unquote(host), "port": port}
    said["dbname"] = unquote(parts.path.lstrip("/"))
    for name, variable in DEFAULTS.items():
        said[name] = said[name] or query.pop(name, "") or os.environ.get(variable, "")
    rest = {name: value for name, value in query.items() if name not in SECRET}
    return "".join(
        (
            "postgresql://",
            quote(said["user"]) + "@" if said["user"] else "",
            quote(said["host"], safe=",:[]"),
            f":{said['port']}" if said["port"] else "",
            f"/{quote(said['dbname'])}" if said["dbname"] else "",
            f"?{urlencode(rest)}" if rest else "",
        )
    )
