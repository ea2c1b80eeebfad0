"""Reads from a request what its answer depends on: the campaign, the audience, the address and how the reader takes it."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.types import Scope

from rollbook.adapters.web.live.hub import Audience
from rollbook.adapters.web.seats.identity import Identity
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.events import Role

WITH = "with"
"""The parameter of a query that names the address of a panel, once for each."""
CARRIES = f"{WITH}=".encode()
"""What stands in a query that asks for panels."""


class Question(NamedTuple):
    """What an answer depends on that is made for everybody who sees the same; ``seat`` is whose page it is, if it names them."""

    campaign: CampaignId
    audience: Audience
    role: Role
    path: str
    query: bytes
    is_fragment: bool
    seat: str = ""


def campaign_in(path: str) -> CampaignId:
    """The campaign that a path is about, "" if it is about none."""
    parts = path.split("/", 3)
    return parts[2] if len(parts) > 2 and parts[1] == "c" else ""


def question_of(scope: Scope, campaign: CampaignId, identity: Identity) -> Question:
    """What the answer of a shared page depends on. One that carries panels is made for a seat, and not for its whole audience."""
    is_fragment = any(name == b"hx-request" for name, _ in scope["headers"])
    query: bytes = scope["query_string"]
    seat = seat_of(identity) if CARRIES in query else ""
    return Question(campaign, identity.audience, identity.role, scope["path"], query, is_fragment, seat)


def seat_of(identity: Identity) -> str:
    """Whose page it is: the host is nobody's seat."""
    return f"{identity.campaign}/{identity.seat}"


def reads_compressed(scope: Scope) -> bool:
    """Whether who asks can read compressed bytes."""
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])


def is_of_browser(request: Request) -> bool:
    """Whether a browser asks for a whole page, to show it: not a script of ours, and no form that was sent."""
    is_html = "text/html" in request.headers.get("accept", "")
    return request.method == "GET" and is_html and "hx-request" not in request.headers
