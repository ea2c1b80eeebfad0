"""The tokens of the requester's seat, and for the GM those of all seats."""

from collections.abc import Iterator

from starlette.responses import Response

from rollbook.adapters.web.pages.moments import when
from rollbook.adapters.web.pages.page import RequestContext, redirect, render_form
from rollbook.application.keeping.tokens import (
    MOST_DAYS,
    USUAL_DAYS,
    WantedToken,
    new_token,
    revoke_token,
    scopes_in,
    scopes_of,
)
from rollbook.application.ports.clock import microseconds
from rollbook.application.ports.seat_links import DAY, SeatLink
from rollbook.application.ports.seat_tokens import Scope, SeatToken
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.events import Role

SCOPES = {
    Scope.READ: "read the log, sheets, odds and how things stand",
    Scope.ACT: "take actions",
    Scope.CORRECT: "preview corrections, and make them",
    Scope.EXPORT: "take the campaign with it in a file, as this seat may see it",
}


def show(context: RequestContext, fault: RollbookError | None = None, **values: object) -> Response:
    """Show the tokens, and the form of a new one; ``made`` is the text of one that was made just now."""
    campaign, now = context.view.campaign, microseconds()
    usual: dict[str, object] = {"made": "", "called": ""}
    typed = {"name": context.request.sent("name"), "days": context.request.sent("days", str(USUAL_DAYS))}
    picked = context.request.form.getlist("scope") or [Scope.READ]
    return render_form(
        context,
        "tokens/page.html",
        fault,
        campaign_name=context.view.name,
        page_name="GM" if context.seated.is_gm else "Record",
        tokens=[(each, each.is_good(now)) for each in reversed(list(_own(context)))],
        seats=list(_seats(context)),
        scopes={scope: SCOPES[scope] for scope in scopes_of(context.seated.role)},
        picked=picked,
        typed=typed,
        most_days=MOST_DAYS,
        is_timeline=campaign.session.timeline is not None,
        when=when,
        day=lambda day: when(day * DAY).partition(" ")[0],
        **{**usual, **values},
    )


def _own(context: RequestContext) -> Iterator[SeatToken]:
    """The tokens that the requester may see: their own seat's, and for the GM all of the campaign."""
    campaign, identity = context.view.campaign, context.seated
    tokens = context.services.sessions.links.tokens_of(campaign.id, campaign.state.identity)
    yield from (each for each in tokens if identity.is_gm or each.seat == identity.seat)


def _seats(context: RequestContext) -> Iterator[SeatName]:
    """The seats for which the requester may make a token: their own, and for the host any GM's."""
    identity = context.seated
    if not identity.is_host:
        yield identity.seat
        return
    seats = context.view.campaign.state.seats.values()
    yield from (seat.name for seat in seats if seat.role is Role.GM and seat.present)


def make(context: RequestContext) -> Response:
    """Make a token, which is shown this once."""
    sessions, days = context.services.sessions, context.request.sent("days").strip()
    try:
        wanted = WantedToken(
            name=context.request.sent("name").strip(),
            scopes=scopes_in([str(scope) for scope in context.request.form.getlist("scope")]),
            days=int(days) if days.isascii() and days.isdecimal() and len(days) < 6 else 0,
        )
        seat, link = _for_whom(context)
        made, token = new_token(sessions.links, context.view.campaign, seat, wanted, link)
    except RollbookError as fault:
        return show(context, fault)
    return show(context, made=token, called=made.name)


def _for_whom(context: RequestContext) -> tuple[SeatName, SeatLink | None]:
    """The seat of a new token, and the link that it hangs on: the one by which its owner sits here."""
    identity, campaign = context.seated, context.request.campaign_id
    if not identity.is_host:
        return identity.seat, context.services.sessions.link(context.request.http, campaign)
    seat, seats = context.request.sent("seat"), list(_seats(context))
    if seat not in seats:
        raise Refused("A token is a seat's. Make a seat for a game master first.")
    return seat, None


def revoke(context: RequestContext) -> Response:
    """End a token."""
    number, identity = context.request.sent("token"), context.seated
    wanted = int(number) if number.isascii() and number.isdecimal() and len(number) < 16 else 0
    seat = None if identity.is_gm else identity.seat
    revoke_token(context.services.sessions.links, context.view.campaign, wanted, seat)
    return redirect(f"{context.request.here}/tokens")
