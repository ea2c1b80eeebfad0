"""The list of campaigns, each with what one sits there as; to sit down by a link, and to get up again."""

import attrs
from starlette.responses import Response

from rollbook.adapters.imports import importers
from rollbook.adapters.web.pages.page import RequestContext, redirect, render, render_form
from rollbook.adapters.web.seats.identity import Identity
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.state.lookup import slug

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


def show_lobby(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """The host's lobby, with what was wrong with a file."""
    typed = {name: context.request.sent(name) for name in ("name", "origin")}
    rows = [_row(context, name, None) for name in context.view.book.campaigns()]
    origins = (OWN_FORMAT, *importers())
    return render_form(context, "lobby/campaigns.html", fault, campaigns=rows, origins=origins, typed=typed)


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


async def ask(context: RequestContext) -> Response:
    """The button. To look at the link takes no seat, so a chat's preview of it harms nothing."""
    link = context.services.sessions.look_at(context.request.path["token"])
    return render(context, "lobby/join.html", token=context.request.path["token"], link=link)


async def sit_down(context: RequestContext) -> Response:
    """Take the seat."""
    response = redirect("/")
    link = context.services.sessions.sit_down(context.request.http, context.request.path["token"], response)
    response.headers["Location"] = f"/c/{link.campaign}" if link.campaign else "/"
    return response


async def get_up(context: RequestContext) -> Response:
    """Give up all seats in this browser."""
    response = render(context, "lobby/left.html")
    context.services.sessions.leave(context.request.http, response)
    return response
