"""The GM's page of seats, with links and their QR codes: making, listing and revoking them."""

import re
from collections.abc import Iterator

import segno
from markupsafe import Markup
from starlette.responses import Response

from rollbook.adapters.web.pages.moments import when
from rollbook.adapters.web.pages.page import RequestContext, redirect, render, render_form
from rollbook.application.lines.verb_line import find_seat
from rollbook.application.playing.request import seat_as_stored
from rollbook.application.ports.seat_links import SeatLink, SeatLinks
from rollbook.domain.base.errors import NotFound, Refused, RollbookError, not_found
from rollbook.domain.events import Role
from rollbook.domain.state.campaign_state import Seat

ROLES = {
    Role.PLAYER: "player",
    Role.SPECTATOR: "spectator, who only watches; a screen for the room is one too",
    Role.GM: "game master",
}
LEAST_REACH = ("127.0.0.1", "localhost", "[::1]")


def _links(context: RequestContext) -> SeatLinks:
    return context.services.sessions.links


def _own(context: RequestContext) -> tuple[SeatLink, ...]:
    state = context.view.campaign.state
    return _links(context).of(context.view.campaign.id, state.identity)


def _rows(context: RequestContext) -> Iterator[tuple[Seat, str, list[SeatLink]]]:
    """Each seat with its role in words and its links, the newest first."""
    links = _own(context)
    for seat in context.view.campaign.state.seats.values():
        own = [link for link in reversed(links) if link.seat == seat.name]
        yield seat, ROLES[seat.role].partition(",")[0], own


def show(context: RequestContext, fault: RollbookError | None = None, **values: object) -> Response:
    """Show all seats with their links; with a ``fault``, ``about`` names the form that it belongs to."""
    usual = {"name": "", "role": Role.PLAYER.value, "new": None, "about": ""}
    roles = {role.value: said for role, said in ROLES.items()}
    shown = {"page_name": "GM", "seats": list(_rows(context)), "roles": roles, "when": when, **usual, **values}
    return render_form(context, "gm/seats.html", fault, **shown)


def make_seat(context: RequestContext) -> Response:
    """Make a new seat and the first link to it."""
    name, role = context.request.sent("name").strip(), context.request.sent("role")
    try:
        campaign = context.view.campaign
        campaign.do("take-seat", {"seat": name, "role": role}, seat=context.seated.acts_as)
        name = find_seat(campaign.state, name)
    except RollbookError as fault:
        return show(context, fault, name=name, role=role, about="new")
    context.view.follow()
    return show(context, new=_new_link(context, name))


SEPARATORS = re.compile(r"[,;\n]+")


def invite(context: RequestContext) -> Response:
    """Make seats for players of these names, and a new link for every player's seat, all on one page."""
    names = [name.strip() for name in SEPARATORS.split(context.request.sent("names")) if name.strip()]
    campaign, fault = context.view.campaign, None
    for name in dict.fromkeys(names):
        known = campaign.state.seats.get(seat_as_stored(campaign.state, name))
        if known is not None and known.present:
            continue
        try:
            role = Role.PLAYER if known is None else known.role
            campaign.do("take-seat", {"seat": name, "role": role.value}, seat=context.seated.acts_as)
        except RollbookError as reason:
            fault = reason
            break
    context.view.follow()
    if fault is not None:
        return show(context, fault, name=name, about="new")
    invited = [seat for seat in campaign.state.seats.values() if seat.present and seat.role is not Role.GM]
    if not invited:
        return show(context, Refused("Nobody is invited yet. Say who plays."), about="new")
    made = [_new_link(context, seat.name) for seat in invited]
    return render(context, "gm/invitations.html", made=made, page_name="GM", table=campaign.state.name)


def make_link(context: RequestContext) -> Response:
    """Make another link to a seat."""
    seat = _named(context)
    if not seat.present:
        raise Refused(f"{seat.shown} has left the table, so a link would lead nowhere. Give the seat back first.")
    return show(context, new=_new_link(context, seat.name))


def _named(context: RequestContext) -> Seat:
    """The seat that a form names. Raises NotFound."""
    seats, name = context.view.campaign.state.seats, context.request.sent("seat")
    if name not in seats:
        raise not_found("seat", name[:80], context.view.campaign.state.people)
    return seats[name]


def _new_link(context: RequestContext, seat: str) -> dict[str, object]:
    """Make a link, which is shown this once, with its QR code; ``is_far`` if other computers can reach it."""
    campaign = context.view.campaign
    _, token = _links(context).make(campaign.id, campaign.state.identity, seat)
    here = f"{context.request.http.url.scheme}://{context.request.http.url.netloc}"
    best = (_links(context).addresses() or (here,))[0]
    address = f"{best}/join/{token}"
    code = segno.make_qr(address, error="m").svg_inline(
        border=2, light="#fff", dark="#000", svgclass="qr", omitsize=True
    )
    is_far = not best.partition("://")[2].startswith(LEAST_REACH)
    drawn = Markup(code)  # noqa: S704 - drawn by segno from a random link
    return {"seat": context.view.person(seat), "address": address, "code": drawn, "is_far": is_far}


def revoke(context: RequestContext) -> Response:
    """End a link."""
    number = context.request.sent("link")
    if number not in {str(link.number) for link in _own(context)}:
        raise NotFound("There is no such link to a seat of this campaign. Load the page again.")
    _links(context).revoke(int(number))
    return redirect(f"{context.request.here}/gm/seats")


def sit(context: RequestContext) -> Response:
    """Have a seat leave the table, or come back; its links stay, and lead nowhere meanwhile."""
    seat = _named(context)
    verb, more = ("leave-seat", {}) if seat.present else ("take-seat", {"role": seat.role.value})
    try:
        context.view.campaign.do(verb, {"seat": seat.name, **more}, seat=context.seated.acts_as)
    except RollbookError as fault:
        return show(context, fault, about="seat")
    return redirect(f"{context.request.here}/gm/seats")
