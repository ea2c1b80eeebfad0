"""Who asks: the seat that a request comes from, found from its cookie each time."""

from __future__ import annotations

import secrets
from typing import Protocol

import attrs
from starlette.requests import HTTPConnection
from starlette.responses import Response

from domain.events import Role
from domain.identifiers import CampaignId
from domain.records import Record

TABLE = ""
"""The audience that sees what the whole table was told: spectators, and the room's screen."""


@attrs.frozen(kw_only=True)
class Asker(Record):
    """A seat of a campaign. The host, who runs the server, has no campaign of their own ("") and is the GM of each of them."""

    campaign: CampaignId = ""
    seat: str = ""
    role: Role

    @property
    def is_gm(self) -> bool:
        return self.role is Role.GM

    @property
    def is_host(self) -> bool:
        """Whether it may do what concerns the whole store: the lobby, new campaigns, backups."""
        return self.is_gm and not self.campaign

    @property
    def audience(self) -> str | None:
        """Whose edition it sees: None for the GM, a player's seat, "" for the table."""
        return None if self.is_gm else self.seat if self.role is Role.PLAYER else TABLE

    @property
    def acts_as(self) -> str | None:
        """The ``seat`` to give to ``Campaign.play``, ``say`` and corrections: None is the GM."""
        return None if self.is_gm else self.seat


class Seating(Protocol):
    """Who sits where. Asked in the server's own thread at every request, so it answers from memory."""

    def asker(self, request: HTTPConnection, campaign: CampaignId) -> Asker | None:
        """Who asks for something of a campaign ("": of the whole store), None for a stranger."""

    def host_link(self) -> str:
        """The path by which the host comes in, once: ``/join/…``."""

    def seat_at(self, token: str, response: Response) -> bool:
        """Let the one who shows a token sit down, by a cookie in this response. Whether there is such a token."""


COOKIE = "rollbook"


@attrs.define
class SeatsInMemory(Seating):
    """Seats that are gone when the server stops."""

    _links: dict[str, Asker] = attrs.field(factory=dict)
    _cookies: dict[str, Asker] = attrs.field(factory=dict)

    def link_for(self, asker: Asker) -> str:
        """The path by which somebody comes in."""
        token = secrets.token_urlsafe(24)
        self._links[token] = asker
        return f"/join/{token}"

    def cookie_for(self, asker: Asker) -> str:
        """The value of a cookie by which somebody is known from now on."""
        value = secrets.token_urlsafe(24)
        self._cookies[value] = asker
        return value

    def asker(self, request: HTTPConnection, campaign: CampaignId) -> Asker | None:
        found = self._cookies.get(request.cookies.get(COOKIE, ""))
        return found if found and found.campaign in ("", campaign) else None

    def host_link(self) -> str:
        return self.link_for(Asker(role=Role.GM))

    def seat_at(self, token: str, response: Response) -> bool:
        asker = self._links.get(token)
        if asker is not None:
            response.set_cookie(COOKIE, self.cookie_for(asker), httponly=True, samesite="lax")
        return asker is not None
