"""Words of the table while nobody plays: open the session, make a character, invite; and the receipt of a closed one."""

from __future__ import annotations

import attrs
from starlette.responses import Response

from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.corrections.pages import requests_for
from rollbook.adapters.web.corrections.pending import NewcomerRequest
from rollbook.adapters.web.pages.page import SEATED, RequestContext, redirect, render
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind, Role
from rollbook.domain.state.campaign_state import CampaignState, Session

JOIN, BRING_IN = "join", "bring-in"


@attrs.frozen(kw_only=True)
class Welcome(Record):
    """The words to one seat. ``has_steps``: nobody plays and no fight is on, or this player has no character.

    ``asked`` are the characters that wait for the GM, ``players`` the players' seats, ``receipt`` that of the session
    that was closed, "" while one is open. ``can_bring_in``: the game has characters that are ready. ``has_actors``: there is
    somebody for whom the requester may act.
    """

    session: Session | None
    has_steps: bool
    asked: tuple[NewcomerRequest, ...]
    players: int
    can_bring_in: bool
    has_actors: bool
    receipt: str

    @property
    def is_open(self) -> bool:
        return self.session is not None and self.session.is_open


def show_welcome(context: RequestContext) -> Response:
    """The panel, or an empty element that goes on following the table."""
    return render(context, "welcome/panel.html", welcome=welcome_to(context))


def open_session(context: RequestContext) -> Response:
    """Open the session, and show the table as it is then."""
    try:
        seat, command = context.seated.acts_as, context.request.sent("command")
        context.view.campaign.do("open-session", seat=seat, command=command)
    finally:
        context.view.follow()
    return redirect(context.request.here)


def welcome_to(context: RequestContext) -> Welcome:
    """The words of the table to the requester, as of now."""
    edition, identity = context.view.edition, context.seated
    state = edition.state
    verbs = edition.session.rulebook.verbs(state)
    is_closed = state.session is not None and not state.session.is_open
    return Welcome(
        session=state.session,
        has_steps=JOIN in verbs and _has_steps(state, None if identity.is_gm else identity.seat, identity.role),
        asked=tuple(each for each in requests_for(context) if isinstance(each, NewcomerRequest)),
        players=sum(seat.present and seat.role is Role.PLAYER for seat in state.seats.values()),
        can_bring_in=BRING_IN in verbs,
        has_actors=identity.role in SEATED and bool(seat_context_of(context).own),
        receipt=_receipt(context) if is_closed else "",
    )


def _has_steps(state: CampaignState, seat: str | None, role: Role) -> bool:
    """True for a GM while no player character is in play and no fight is on, and for a player who has no character."""
    here = [who for who in state.characters.values() if who.present]
    if seat is None:
        return state.encounter is None and not any(who.kind is CharacterKind.PLAYER_CHARACTER for who in here)
    return role is Role.PLAYER and not any(who.seat == seat for who in here)


def _receipt(context: RequestContext) -> str:
    try:
        return str(context.view.campaign.receipt())
    except RollbookError:
        return ""
