"""The list of campaigns, each with what one sits there as."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs
from starlette.responses import Response

from rollbook.adapters.imports import importers
from rollbook.domain.actions import slug
from rollbook.domain.base.counted import counted
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import Visit
    from rollbook.adapters.web.seats.identity import Identity
    from rollbook.adapters.web.seats.sessions import Sessions

OWN_FORMAT = "rollbook"
ROLES = {Role.GM: "game master", Role.PLAYER: "player", Role.SPECTATOR: "spectator"}


@attrs.frozen(kw_only=True)
class CampaignRow(Record):
    """A campaign as the lobby shows it. ``fault`` is why it cannot be opened, "" if it can.

    ``here`` is what it is called in this store, "" where that follows from its name.
    """

    id: CampaignId
    name: str
    here: str = ""
    game: str = ""
    amount: str = ""
    seat: str = ""
    fault: str = ""


def show_campaigns(visit: Visit) -> Response:
    """All campaigns of the store for the host; for others theirs, or the table itself if it is the only one."""
    if visit.seated.is_host:
        return show_lobby(visit)
    sessions: Sessions = visit.request.app.state.sessions
    identities = sessions.identities(visit.request, visit.request.app.state.who_sits)
    if len(identities) == 1:
        return visit.redirect(f"/c/{identities[0].campaign}")
    rows = tuple(_row(visit, identity.campaign, identity) for identity in identities)
    return visit.page("lobby/campaigns.html", campaigns=rows, origins=(), fault="", typed={})


def show_lobby(visit: Visit, code: int = 200, /, *, fault: str = "") -> Response:
    """The host's lobby, with what was wrong with a file."""
    typed = {name: str(visit.form.get(name, "")) for name in ("name", "origin")}
    origins = (OWN_FORMAT, *importers())
    return visit.page(
        "lobby/campaigns.html", code, campaigns=tuple(_all(visit)), origins=origins, fault=fault, typed=typed
    )


def _all(visit: Visit) -> Iterator[CampaignRow]:
    for name in visit.book.campaigns():
        yield _row(visit, name, None)


def _row(visit: Visit, name: CampaignId, identity: Identity | None) -> CampaignRow:
    """A campaign; where somebody else than the host asks, with their seat, and nothing that the table does not know."""
    seat = "" if identity is None else f"{identity.seat}, {ROLES[identity.role]}"
    try:
        campaign = visit.glance(name)
    except RollbookError as fault:
        return CampaignRow(
            id=name, name=name, seat=seat, fault=str(fault) if identity is None else "It cannot be opened."
        )
    state, sessions = campaign.state, campaign.state.session.number if campaign.state.session else 0
    return CampaignRow(
        id=name,
        name=state.name,
        here="" if slug(state.name) == name else name,
        game=f"{state.ruleset} {state.version}".strip(),
        amount=counted(sessions, "session"),
        seat=seat,
        fault=campaign.damage if identity is None else "",
    )
