"""The list of campaigns, each with what one sits there as."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs
from starlette.responses import Response

from rollbook.adapters.imports import importers
from rollbook.adapters.web.pages.responses import redirect, render
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.state.lookup import slug

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import RequestContext
    from rollbook.adapters.web.seats.identity import Identity

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


def show_campaigns(context: RequestContext) -> Response:
    """All campaigns of the store for the host; for others theirs, or the table itself if it is the only one."""
    if context.seated.is_host:
        return show_lobby(context)
    identities = context.services.sessions.identities(context.request.http, context.services.who_sits)
    if len(identities) == 1:
        return redirect(f"/c/{identities[0].campaign}")
    rows = tuple(_row(context, identity.campaign, identity) for identity in identities)
    return render(context, "lobby/campaigns.html", campaigns=rows, origins=(), fault="", typed={})


def show_lobby(context: RequestContext, code: int = 200, /, *, fault: str = "") -> Response:
    """The host's lobby, with what was wrong with a file."""
    typed = {name: str(context.request.form.get(name, "")) for name in ("name", "origin")}
    origins = (OWN_FORMAT, *importers())
    return render(
        context, "lobby/campaigns.html", code, campaigns=tuple(_all(context)), origins=origins, fault=fault, typed=typed
    )


def _all(context: RequestContext) -> Iterator[CampaignRow]:
    for name in context.view.book.campaigns():
        yield _row(context, name, None)


def _row(context: RequestContext, name: CampaignId, identity: Identity | None) -> CampaignRow:
    """A campaign; where somebody else than the host asks, with their seat, and nothing that the table does not know."""
    seat = "" if identity is None else f"{identity.seat}, {ROLES[identity.role]}"
    try:
        campaign = context.view.worker.glance(name)
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
        fault=campaign.session.damage if identity is None else "",
    )
