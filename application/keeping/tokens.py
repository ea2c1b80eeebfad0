"""Making tokens of seats for programs: what one may be made for, and for how long."""

from __future__ import annotations

from collections.abc import Collection

import attrs

from rollbook.application.campaign import Campaign
from rollbook.application.ports.clock import microseconds
from rollbook.application.ports.seat_links import DAY, SeatLink, SeatLinks
from rollbook.application.ports.seat_tokens import Scope, SeatToken
from rollbook.domain.base.errors import NotFound, Refused, not_found
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.rules.value_checks import check_name

USUAL_DAYS, MOST_DAYS = 90, 366
MOST_OF_A_SEAT = 10
"""Most good tokens of one seat: each may ask as often as a browser."""


@attrs.frozen(kw_only=True)
class WantedToken(Record):
    """A token to be made: what its owner calls it, its scopes, and the days for which it is good."""

    name: str
    scopes: frozenset[Scope]
    days: int = USUAL_DAYS


def scopes_of(role: Role) -> tuple[Scope, ...]:
    """The scopes that a token of a seat in this role may have: a spectator looks on."""
    return (Scope.READ,) if role is Role.SPECTATOR else tuple(Scope)


def scopes_in(names: Collection[str]) -> frozenset[Scope]:
    """The scopes of these names. Raises NotFound for a name that none has."""
    for name in names:
        if name not in tuple(Scope):
            raise not_found("scope", name[:80], tuple(Scope))
    return frozenset(map(Scope, names))


def new_token(
    links: SeatLinks, campaign: Campaign, seat: SeatName, wanted: WantedToken, link: SeatLink | None = None
) -> tuple[SeatToken, str]:
    """A token for a seat, and its text. It hangs on a ``link`` of the seat; without one it gets a link of its own.

    Raises NotFound for an unknown seat, Refused for what cannot be had.
    """
    _check(campaign, seat, wanted)
    state, now = campaign.state, microseconds()
    good = [each for each in links.tokens_of(campaign.id, state.identity) if each.seat == seat and each.is_good(now)]
    if len(good) >= MOST_OF_A_SEAT:
        called = campaign.state.seats[seat].shown
        raise Refused(f"{called} has {len(good)} tokens, and no more are given to one seat. Revoke one first.")
    if link is None:
        link, _ = links.make(campaign.id, state.identity, seat)
    return links.make_token(link.number, wanted.name, wanted.scopes, now + wanted.days * DAY)


def _check(campaign: Campaign, seat: SeatName, wanted: WantedToken) -> None:
    if campaign.session.timeline is not None:
        raise Refused(f"{campaign.id} is a timeline; tokens are for seats of the campaign itself.")
    known = campaign.state.seats.get(seat)
    if known is None:
        raise not_found("seat", seat[:80], campaign.state.people)
    if not known.present:
        raise Refused(f"{known.shown} has left the table, so a token would be of no use.")
    if not wanted.name:
        raise Refused("Say what the token is for: by that name the list has it.")
    check_name(wanted.name, what="A token's name")
    if not wanted.scopes:
        raise Refused("Say what the token may be used for: read, act, correct or export.")
    too_much = wanted.scopes.difference(scopes_of(known.role))
    if too_much:
        raise Refused(f"A {known.role.value} may only read, so a token of {seat} may not {min(too_much)}.")
    if not 1 <= wanted.days <= MOST_DAYS:
        raise Refused(f"A token is good for 1 to {MOST_DAYS} days.")


def revoke_token(links: SeatLinks, campaign: Campaign, number: int, seat: SeatName | None = None) -> SeatToken:
    """End a token of a campaign, or only one of a ``seat``. Raises NotFound if there is none of that number."""
    tokens = links.tokens_of(campaign.id, campaign.state.identity)
    found = next((each for each in tokens if each.number == number and seat in (None, each.seat)), None)
    if found is None:
        raise NotFound("There is no such token of a seat of this campaign.")
    links.revoke_token(number)
    return found
