"""Signing in and identities: the links that a browser has taken, and the current seats in the history."""

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from functools import partial

from starlette.requests import HTTPConnection
from starlette.responses import Response

from rollbook.adapters.web.guards.asked import bearer_of, is_near, is_of_api
from rollbook.adapters.web.guards.limits import REMEMBERED, cookies_of, is_x_card
from rollbook.adapters.web.seats.requester import Identity, Seated
from rollbook.application.history.timeline_marker import campaign_of, is_timeline
from rollbook.application.ports.clock import microseconds
from rollbook.application.ports.deadline import carried
from rollbook.application.ports.seat_links import BROWSER_LASTS, SeatLink, SeatLinks, check_good
from rollbook.application.ports.seat_tokens import is_token
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.events import Role

HTTP, HTTPS = "rollbook", "__Host-rollbook"
"""Prefixes of cookie names; browsers accept the second over HTTPS only, and from no other host name of ours."""
HOST = Identity(role=Role.GM)
QUIET, KNOWN = 10.0, 600.0
"""Seconds after an X-card without look-ups, and most seconds since a browser's last: a seat may be lost so late."""
ELSEWHERE = (
    "The host's link is good on the computer that rollbook runs on, and on no other. Take a seat by a link of its own, or the "
    "host's page: rollbook host init NAME"
)
UNKNOWN_HERE = (
    "No good token of a seat at this table came along: send one as Authorization: Bearer TOKEN. It may have ended."
)
NO_SEAT = "You have no seat at this table yet. Ask the GM for your link, and open it in this browser."


class Sessions:
    """Identities of browsers, found at every request. ``store`` is its identity: cookies of two stores do not clash."""

    def __init__(self, links: SeatLinks, store: str) -> None:
        self.links = links
        self.cookies = f"{HTTPS}-{store[:8]}", f"{HTTP}-{store[:8]}"
        """The names of the cookies that tell browsers apart, for HTTPS and HTTP."""
        self._looked_up: dict[str, tuple[SeatLink, ...]] = {}
        self._known: OrderedDict[str, tuple[tuple[SeatLink, ...], float]] = OrderedDict()
        self._quiet_until = 0.0
        self.who_sits: dict[CampaignId, Seated] = {}
        """The known seats of campaigns."""

    def go_on_with(self, links: SeatLinks) -> SeatLinks:
        """Replace the links, and return those before. Browsers keep their cookies."""
        before, self.links = self.links, links
        self._looked_up.clear()
        return before

    def _cookie(self, request: HTTPConnection) -> str:
        """The cookie that tells a browser apart, or for the HTTP API the token of a program, and never the other."""
        said = (
            bearer_of(request.scope)
            if is_of_api(request.scope)
            else cookies_of(request.scope).get(self._name(request), "")
        )
        return said if is_token(said) == is_of_api(request.scope) else ""

    def _name(self, request: HTTPConnection) -> str:
        secure, plain = self.cookies
        return secure if request.scope["scheme"] == "https" else plain

    async def know(self, request: HTTPConnection) -> None:
        """Look up the links of a browser before its identity is needed: in a thread of its own, if the links are far.

        For an X-card, and a moment after one, no known browser is looked up: so nothing on the store's server then
        tells of one browser, although the page that it loads next is the first.
        """
        cookie, now = self._cookie(request), time.monotonic()
        if not self.links.is_far or not cookie:
            return
        if is_x_card(request.scope):
            self._quiet_until = now + QUIET
        if cookie in self._known and now < min(self._quiet_until, self._known[cookie][1] + KNOWN):
            return
        taken = await asyncio.to_thread(carried(partial(self.links.taken, cookie)))
        self._known.pop(cookie, None)
        if taken:  # made-up cookies are not remembered: they would take the place of others
            self._known[cookie] = taken, now
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    async def look_again(self, campaign: CampaignId) -> None:
        """Look up the links of known browsers at a campaign, or at any (""), because one may have lost its seat.

        Near links are read at each request anyway. Raises RollbookError, and changes nothing, if they cannot be read.
        """
        if not self.links.is_far:
            return
        cookies = [
            cookie
            for cookie, (links, _) in self._known.items()
            if not campaign or any(link.campaign == campaign for link in links)
        ]
        found = await asyncio.to_thread(self.links.taken_by, cookies)
        now = time.monotonic()
        self._known.update({cookie: (found.get(cookie, ()), now) for cookie in cookies if cookie in self._known})

    def browser(self, request: HTTPConnection, campaign: CampaignId) -> str:
        """The cookie of a browser that has a seat at a campaign, or at any (""); "" for a stranger.

        A good link to a campaign whose seats are unknown yet counts as a seat. If links are far, a browser that this
        server has not met since it started is a stranger until it was looked up.
        """
        cookie = self._cookie(request)
        for link in self._of_cookie(cookie, campaign) if cookie else ():
            if self._may_sit(link, campaign, request):
                return cookie
        return ""

    def leading(self, request: HTTPConnection, campaign: CampaignId) -> tuple[CampaignId, ...]:
        """The campaigns of a browser's links, whose seats must be known before its identity is asked for."""
        links = self._links(request, campaign)
        return tuple(dict.fromkeys(link.campaign for link in links if link.is_good and link.campaign))

    def identity(self, request: HTTPConnection, campaign: CampaignId) -> Identity | None:
        """The identity of a request to a campaign, or to the store (""): by the last link taken that leads there."""
        identities = (self._by(link, campaign, request) for link in self._links(request, campaign))
        return next((identity for identity in identities if identity is not None), None)

    def identities(self, request: HTTPConnection) -> tuple[Identity, ...]:
        """The identities of a browser, one for each campaign; the host first, then the seat that was taken last."""
        found: dict[CampaignId, Identity] = {}
        for link in self._links(request, ""):
            identity = self._by(link, "", request)
            if identity is not None:
                found.setdefault(identity.campaign, identity)
        return tuple(found.values())

    def link(self, request: HTTPConnection, campaign: CampaignId) -> SeatLink | None:
        """The link by which a request has its identity at a campaign."""
        links = self._links(request, campaign)
        return next((link for link in links if self._by(link, campaign, request) is not None), None)

    def why_not(self, request: HTTPConnection, campaign: CampaignId) -> str:
        """The reason why a browser or a program has no seat, in a sentence for its user."""
        if is_of_api(request.scope):
            return UNKNOWN_HERE
        links = self._links(request, campaign)
        return next((_why_not(link) for link in links if self._by(link, campaign, request) is None), NO_SEAT)

    def _links(self, request: HTTPConnection, campaign: CampaignId) -> list[SeatLink]:
        """The links of a browser that may lead to a campaign; "" for the store, where the host's come first."""
        return self._of_cookie(self._cookie(request), campaign)

    def _of_cookie(self, cookie: str, campaign: CampaignId) -> list[SeatLink]:
        links = self._taken(cookie)
        if not campaign:
            return sorted(links, key=lambda link: (not link.is_hosts, not link.is_of_hosts_page))
        return [link for link in links if link.is_hosts or link.campaign == campaign_of(campaign)]

    def _taken(self, cookie: str) -> tuple[SeatLink, ...]:
        """The links that a browser has taken, looked up once for all requests in one pass of the event loop.

        After a bell all tabs ask at once, with the same few cookies. A revoked link ends with the next pass.
        """
        if self.links.is_far:
            return self._known.get(cookie, ((), 0.0))[0]
        found = self._looked_up.get(cookie)
        if found is None:
            found = self.links.taken(cookie)
            with suppress(RuntimeError):  # no loop runs: nothing is kept
                asyncio.get_running_loop().call_soon(self._looked_up.clear)
                self._looked_up[cookie] = found
        return found

    def look_at(self, token: str) -> SeatLink:
        """The link of a token. Raises NotFound, or Refused with the reason why it cannot be taken."""
        return check_good(self.links.find(token), microseconds())

    def sit_down(self, request: HTTPConnection, token: str, response: Response) -> SeatLink:
        """Give a browser the seat of a link. Raises NotFound, or Refused with the reason."""
        if self.look_at(token).is_hosts and not is_near(request.scope):
            raise Refused(ELSEWHERE)
        cookie = self.links.take(token, self._cookie(request))
        is_secure = request.url.scheme == "https"
        name, age = self._name(request), BROWSER_LASTS * 24 * 60 * 60
        response.set_cookie(name, cookie, max_age=age, httponly=True, secure=is_secure, samesite="lax")
        link = self.links.find(token)
        assert link is not None
        return link

    def leave(self, request: HTTPConnection, response: Response) -> None:
        """Give up all seats of a browser."""
        self.links.leave(self._cookie(request))
        response.delete_cookie(self._name(request), httponly=True, secure=request.url.scheme == "https", samesite="lax")

    def _by(self, link: SeatLink, campaign: CampaignId, request: HTTPConnection) -> Identity | None:
        """The identity that a link gives, None if it leads nowhere any more. On timelines only the GM has a seat."""
        if not link.is_good or (link.by is not None and not link.by.is_good(microseconds())):
            return None
        if link.is_hosts:
            return HOST if is_near(request.scope) else None
        if link.is_of_hosts_page:
            return None if campaign else Identity(seat=link.seat, role=Role.GM, has_page_alone=True)
        seated = self.who_sits.get(link.campaign)
        seat = seated.seats.get(link.seat) if seated and link.leads_to(link.campaign, seated.identity) else None
        if seat is None or not seat.present or (is_timeline(campaign) and seat.role is not Role.GM):
            return None
        scopes = None if link.by is None else link.by.scopes
        return Identity(campaign=campaign or link.campaign, seat=seat.name, role=seat.role, scopes=scopes)

    def _may_sit(self, link: SeatLink, campaign: CampaignId, request: HTTPConnection) -> bool:
        if link.campaign and link.campaign not in self.who_sits:
            return link.is_good
        return self._by(link, campaign, request) is not None

    def host_link(self) -> str:
        """The path of a new link for the one who runs the server."""
        return f"/join/{self.links.make_hosts()[1]}"


def _why_not(link: SeatLink) -> str:
    if link.is_hosts and link.is_good:
        return ELSEWHERE
    if link.is_of_hosts_page and link.is_good:
        return "A host sees no table. Take a seat by a link of its own."
    if not link.is_good:
        return f"The link to the seat of {link.seat or 'the host'} was revoked. Ask the GM for a new one."
    return f"{link.seat} has no seat at this table any more. Ask the GM."
