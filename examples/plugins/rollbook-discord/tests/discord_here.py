"""Discord as far as the bot meets it, on this computer: a gateway that plays interactions, and what the bot answers to them.

The payloads beside it have the shapes of Discord's own, as its documentation for version 10 has them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Any

import discord
import pytest
import yarl
from aiohttp import WSMsgType, web

PAYLOADS = json.loads((Path(__file__).parent / "payloads.json").read_text())
COMMAND, COMPONENT, AUTOCOMPLETE = 2, 3, 4
TEXT, NUMBER = 3, 4
EPHEMERAL = 64
DEFERRED = 5


def payload(name: str, /, **more: Any) -> Any:
    """A payload of its own, with some fields of its ``d`` or of itself."""
    made = deepcopy(PAYLOADS[name])
    made.get("d", made).update(more)
    return made


class Discord:
    """What was asked of Discord: ``said`` are requests (method, path, body), ``shown`` the answers by interaction."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, Any]] = []
        self.shown: dict[str, list[Any]] = {}
        self.deferred: dict[str, Any] = {}
        self.commands: list[Any] = []
        self.thread: list[str] = []
        self.refused: int | None = None
        """The number of messages after which one is refused, once."""
        self.socket: web.WebSocketResponse | None = None
        self._ids, self._sequence = count(10_000), count(2)
        self._address = ""

    @asynccontextmanager
    async def served(self, patch: pytest.MonkeyPatch) -> AsyncIterator[None]:
        """Serve it here, and have discord.py ask it."""
        app = web.Application()
        app.router.add_get("/gateway/", self.gateway)
        app.router.add_route("*", "/api/v10/{path:.*}", self.answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self._address = f"127.0.0.1:{runner.addresses[0][1]}"
        patch.setattr(discord.http.Route, "BASE", f"http://{self._address}/api/v10")
        patch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"ws://{self._address}/gateway/"))
        yield
        await runner.cleanup()

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "t": None, "s": None, "d": {"heartbeat_interval": 41_250}})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            said = json.loads(message.data)
            if said["op"] == 1:
                await socket.send_json({"op": 11, "t": None, "s": None, "d": None})
            elif said["op"] == 2:
                where = f"ws://{self._address}/gateway/"
                await socket.send_json(payload("ready", user=PAYLOADS["user"], resume_gateway_url=where))
                self.socket = socket
        return socket

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.json() if request.can_read_body else None
        path = request.match_info["path"]
        self.said.append((request.method, str(request.rel_url), body))
        made = json.dumps(self._answer(request.method, path.split("/"), body)).encode()
        return web.Response(body=made, headers={"Content-Type": "application/json"})

    def _answer(self, method: str, path: list[str], body: Any) -> Any:
        match method, path:
            case "GET", ["users", "@me"]:
                return PAYLOADS["user"]
            case "GET", ["oauth2", "applications", "@me"]:
                return PAYLOADS["application"]
            case "PUT", ["applications", _, "guilds", guild, "commands"]:
                self.commands = body
                more = {"application_id": "901", "guild_id": guild, "version": "1"}
                return [{**each, **more, "id": str(next(self._ids))} for each in body]
            case "GET", ["channels", "300"]:
                return PAYLOADS["channel"]
            case "POST", ["channels", "300", "threads"]:
                return payload("thread", name=body["name"])
            case "POST", ["channels", "400", "messages"]:
                if self.refused == len(self.thread):
                    self.refused = None
                    raise web.HTTPForbidden
                self.thread.append(body["content"])
                return self._message(body, "400")
            case "POST", ["interactions", id_, _, "callback"]:
                self.deferred[id_] = body
                return {"interaction": {"id": id_, "type": 2}}
            case "PATCH", ["webhooks", "901", token, "messages", "@original"]:
                self.shown.setdefault(token.removeprefix("token-"), []).append(body)
                return self._message(body, "300", f"7{token.removeprefix('token-')}")
        raise web.HTTPNotFound

    def _message(self, body: Any, channel: str, id_: str = "") -> Any:
        shown = {name: body[name] for name in ("content", "components") if body.get(name)}
        return payload("message", id=id_ or str(next(self._ids)), channel_id=channel, author=PAYLOADS["user"], **shown)

    # What people do.

    async def command(self, user: int, name: str, id_: str = "", **options: str | int) -> str:
        """Somebody types a command. Returns what they are shown; it must be shown to nobody else."""
        given = [
            {"name": key, "type": NUMBER if isinstance(at, int) else TEXT, "value": at} for key, at in options.items()
        ]
        id_ = id_ or str(next(self._ids))
        known = len(self.shown.get(id_, []))
        await self._interact(
            id_, user, COMMAND, {"id": "1", "name": name, "type": 1, "guild_id": "200", "options": given}
        )
        await until(lambda: len(self.shown.get(id_, [])) > known)
        assert self.deferred[id_] == {"type": DEFERRED, "data": {"flags": EPHEMERAL}}
        self.last = id_
        return str(self.shown[id_][-1]["content"])

    def buttons(self) -> dict[str, str]:
        """The buttons under the last answer: their ids by their labels."""
        rows = self.shown[self.last][-1].get("components") or []
        return {each["label"]: each["custom_id"] for row in rows for each in row["components"]}

    async def press(self, user: int, label: str) -> str:
        """Somebody presses a button under the last answer. Returns what it became."""
        asked, shown, button = self.last, self.shown[self.last], self.buttons()[label]
        known = len(shown)
        message = self._message(shown[-1], "300", f"7{asked}")
        data = {"id": 2, "component_type": 2, "custom_id": button}
        await self._interact(str(next(self._ids)), user, COMPONENT, data, message=message)
        await until(lambda: len(shown) > known)
        return str(shown[-1]["content"])

    async def suggestions(self, user: int, name: str, option: str, typed: str) -> list[Any]:
        """What Discord suggests while somebody types."""
        id_, options = str(next(self._ids)), [{"name": option, "type": TEXT, "value": typed, "focused": True}]
        data = {"id": "1", "name": name, "type": 1, "guild_id": "200", "options": options}
        await self._interact(id_, user, AUTOCOMPLETE, data)
        await until(lambda: id_ in self.deferred)
        return list(self.deferred[id_]["data"]["choices"])

    async def _interact(self, id_: str, user: int, kind: int, data: Any, **more: Any) -> None:
        await until(lambda: self.socket is not None)
        fields = {
            "id": id_,
            "token": f"token-{id_}",
            "type": kind,
            "data": data,
            "channel": PAYLOADS["channel"],
            **more,
        }
        made = payload("interaction", **fields)
        made["d"]["member"]["user"]["id"], made["s"] = str(user), next(self._sequence)
        assert self.socket is not None
        await self.socket.send_json(made)


async def until(is_so: Callable[[], object], seconds: float = 15) -> None:
    """Wait for something."""
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110 - nobody says when a bot has answered
            await asyncio.sleep(0.02)
