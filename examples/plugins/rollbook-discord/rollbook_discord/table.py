"""A table as a seat sees it, over rollbook's HTTP API (docs/http-api.md), and the settings that say whose seat is whose."""

from __future__ import annotations

import os
import tomllib
from asyncio import sleep
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout

SILENCE = ClientTimeout(total=None, sock_read=120)
"""A stream says that it is there more often than that."""


class Refusal(Exception):
    """A no, in a sentence for the person who asked."""


@dataclass(frozen=True)
class Settings:
    """Addresses, ids, and tokens: the ``bot``'s, a spectator's for the ``thread``, and those of seats by Discord user."""

    table: str
    guild: int
    channel: int
    tokens: Mapping[str, str] = field(repr=False)

    @classmethod
    def read(cls, path: Path) -> Settings:
        """The settings in a TOML file. Raises Refusal if others can read tokens there, or on their way to the server."""
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        server, tokens = urlsplit(said["server"]), said["tokens"]
        if (
            os.name == "posix"
            and path.stat().st_mode & 0o077
            and not all(each.startswith("$") for each in tokens.values())
        ):
            raise Refusal(f"Others can read the tokens in {path}: chmod 600 it, or name variables with them ($NAME).")
        if server.scheme != "https" and server.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise Refusal("The server is neither at https:// nor on this computer: tokens would travel openly.")
        found = {who: os.environ.get(each[1:], "") if each[:1] == "$" else each for who, each in tokens.items()}
        if missing := [tokens[who] for who in found if not found[who]]:
            raise Refusal(f"A token is missing: {', '.join(missing)}.")
        table = f"{said['server'].rstrip('/')}/api/v1/campaigns/{said['campaign']}"
        return cls(table, said["guild"], said["channel"], found)


@dataclass(frozen=True)
class Table:
    """Questions and commands of one seat. Its token goes with each as a header, and nowhere else."""

    http: ClientSession = field(repr=False)
    address: str
    token: str = field(repr=False)

    async def ask(self, path: str, body: object = None, command: str = "") -> Any:
        """The answer to a question, or to what a ``body`` asks to be done, once for each ``command``. Raises Refusal."""
        headers = {"Authorization": f"Bearer {self.token}"} | ({"Idempotency-Key": command} if command else {})
        method, address = "POST" if body else "GET", self.address + path
        try:
            async with self.http.request(method, address, json=body, headers=headers, allow_redirects=False) as answer:
                said = await answer.json(content_type=None)
        except (ClientError, TimeoutError, ValueError):
            raise Refusal("The table does not answer. Try again in a moment.") from None
        if answer.status >= 300:
            raise Refusal(said.get("detail", "The table is elsewhere."))
        return said

    async def undoing(self, action: int) -> Any:
        """The preview of an undo, once it is made. Raises Refusal."""
        found = await self.ask("/previews", {"kind": "undo", "action": action})
        while "page" not in found:
            await sleep(1)
            found = await self.ask(f"/previews/{found['preview']}")
        if found["page"] is None:
            raise Refusal(f"First a die has to be known: {found['needed']}")
        return found

    async def bells(self, after: str) -> AsyncIterator[None]:
        """Something for each time that there is news after a cursor, until the stream ends. Raises Refusal."""
        headers, address = {"Authorization": f"Bearer {self.token}"}, f"{self.address}/events?after={after}"
        try:
            async with self.http.get(address, headers=headers, timeout=SILENCE, allow_redirects=False) as stream:
                async for line in stream.content:
                    if line.startswith(b"event: bell"):
                        yield
        except (ClientError, TimeoutError):
            raise Refusal("The stream of bells was cut off.") from None
