"""The HTTP API in tests: tokens of seats, clients that come with one, and bodies that a program may send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from httpx2 import Response
from starlette.testclient import TestClient

from rollbook.adapters.web.serving.app import WebTable
from rollbook.application.campaign import Campaign
from rollbook.application.keeping.tokens import WantedToken, new_token, scopes_of
from rollbook.application.ports.seat_tokens import Scope
from tests.support.streams import Reader
from tests.support.web import SHERWOOD, Clients, Running, StoreFiles

API = "/api/v1"
AT = f"{API}/campaigns/{SHERWOOD}"


def token_of(app: WebTable, campaign: Campaign, seat: str, *scopes: Scope, days: int = 30) -> str:
    """A new token of a seat, with all scopes that its role may have if none are named."""
    role = campaign.state.seats[seat].role
    wanted = WantedToken(name="a program", scopes=frozenset(scopes or scopes_of(role)), days=days)
    return new_token(app.sessions.links, campaign, seat, wanted)[1]


def bearer(app: WebTable, campaign: Campaign, seat: str, *scopes: Scope) -> str:
    """The header of a new token."""
    return f"Bearer {token_of(app, campaign, seat, *scopes)}"


@attrs.define
class Program:
    """A program with a token, which asks the application without a network. It has no cookie."""

    client: TestClient
    token: str

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, **headers: str) -> Response:
        """The answer to a question."""
        return self.client.get(path, headers={**self._headers, **headers}, follow_redirects=False)

    def post(self, path: str, body: Any = None, **headers: str) -> Response:
        """The answer to a body in JSON; a name of a header has ``_`` for ``-``."""
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(path, json=body or {}, headers={**self._headers, **said}, follow_redirects=False)

    def previewed(self, **correction: Any) -> Response:
        """The preview of a correction, once it is made."""
        answer = self.post(f"{AT}/previews", correction)
        while answer.status_code == 202:
            answer = self.get(answer.headers["location"])
        return answer

    def applied(self, preview: str, **body: str) -> Response:
        """The answer to applying a preview."""
        return self.post(f"{AT}/previews/{preview}/apply", body)


def program(clients: Clients, files: StoreFiles, seat: str, *scopes: Scope, days: int = 30) -> Program:
    """A program with a new token of a seat of the Sherwood campaign."""
    with files.book() as book:
        campaign = book.campaign(SHERWOOD)
        if seat not in campaign.state.seats:
            campaign.do("take-seat", {"seat": seat, "role": "spectator"})
        token = token_of(clients.app, campaign, seat, *scopes, days=days)
    return Program(with_token(clients), token)


def listening_program(served: Running, campaign: Campaign, seat: str, *scopes: Scope) -> tuple[Reader, str]:
    """A program that can listen to a real server, and its token."""
    token = token_of(served.app, campaign, seat, *scopes)
    return Reader(served.address, "", token=token), token


def with_token(clients: Clients) -> TestClient:
    """A client as a program is: without a cookie, and from no site."""
    client = clients.as_(None)
    for name in ("Origin", "Sec-Fetch-Site"):
        del client.headers[name]
    return client


BODIES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "act": (
        {},
        {"verb": "attack", "params": {"attacker": "robin", "target": "guard"}},
        {"verb": "attack", "params": {"attacker": "robin", "target": "black-douglas"}},
        {"verb": "attack", "params": {"attacker": "robin", "target": "guard"}, "dice": [14, 3], "command": "one"},
        {"verb": "attack", "params": {"attacker": "robin", "target": "guard"}, "dice": [14, 3], "command": "one"},
        {"verb": "bet", "params": {"who": "robin", "dice": 2}},
        {"verb": "note", "params": {"text": "well", "about": "black-douglas"}},
        {"verb": "note", "params": {"text": "well", "about": ["robin"]}, "secret": True},
        {"verb": "note", "params": {"text": "#5"}, "seat": "tom"},
        {"verb": "nonsense"},
    ),
    "preview": (
        {},
        *({"kind": kind, "action": action} for kind in ("undo", "redo") for action in (1, 5, 9, 12, 14)),
        {"kind": "amend", "action": 9, "params": {"target": "black-douglas"}},
        {"kind": "amend", "action": 9, "params": {"weapon": "sword"}},
        {"kind": "undo-correction"},
        {"kind": "adjust", "action": 9, "who": "guard", "what": "hp", "by": "-1"},
    ),
    "correct": ({}, {"reason": "so"}),
    "export": ({},),
}
"""Bodies for each endpoint that takes something, at a table with secrets."""
