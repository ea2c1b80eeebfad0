"""Links to seats, and the browsers that took one.

A link is a secret that the GM gives to a player. Of its token, and of the cookie that a browser gets for it, only
digests are kept, so that the stored data lets nobody sit down. The rights of a seat are not kept here: the history has
them, at each request.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from secrets import token_urlsafe
from typing import Protocol

import attrs

from rollbook.application.ports.seat_tokens import SeatToken, SeatTokens
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.records import Record

DAY = 24 * 60 * 60 * 1_000_000
"""A day in microseconds."""
HOST_LINK_LASTS = DAY
"""A link to everything in the store is taken within a day of being printed, or not at all."""
BROWSER_LASTS = 30
"""Days after which a browser that did not come back has to be given a link again."""
_TOKEN_BYTES, _LONGEST_SECRET = 24, 100


@attrs.frozen(kw_only=True)
class SeatLink(Record):
    """A link to a seat of a campaign, to the whole store, or to the host's page.

    One to the whole store, as its GM, has no ``campaign`` and no ``seat`` (""); one to the host's page has the name of a host
    as its ``seat``.
    ``identity`` is that of the campaign, so that another one of the same name is not meant. Times are microseconds since 1970,
    UTC; 0 stands for never. After ``until`` it cannot be taken any more. ``by`` is the token of a program that comes by it,
    None for a browser.
    """

    number: int
    campaign: CampaignId
    identity: str
    seat: str
    made: int
    until: int = 0
    used: int = 0
    revoked: int = 0
    by: SeatToken | None = None

    @property
    def is_good(self) -> bool:
        """True if a browser that has taken it may use the seat."""
        return not self.revoked

    @property
    def is_hosts(self) -> bool:
        """True if it opens every campaign of the store, as GM."""
        return not self.campaign and not self.seat

    @property
    def is_of_hosts_page(self) -> bool:
        """True if it opens the host's page, from any computer, and no campaign."""
        return not self.campaign and bool(self.seat)

    def leads_to(self, campaign: CampaignId, identity: str) -> bool:
        """True if it is a link to a seat of this campaign and no other."""
        return self.campaign == campaign and self.identity == identity


class SeatLinks(SeatTokens, Protocol):
    """Links, browsers and tokens of one store. Raises RollbookError if they cannot be read or written."""

    @property
    def is_far(self) -> bool:
        """True if an answer comes over a network, so that nothing else should wait for it."""

    def make(self, campaign: CampaignId, identity: str, seat: str) -> tuple[SeatLink, str]:
        """A new link to a seat of a campaign, and its token, which is returned here and never again."""

    def make_hosts(self) -> tuple[SeatLink, str]:
        """A new link to everything in the store, and its token. It can be taken for a day."""

    def make_for_hosts_page(self, name: str) -> tuple[SeatLink, str]:
        """A new link to the host's page for somebody of that name, and its token. It is good until it is revoked."""

    def find(self, token: str) -> SeatLink | None:
        """The link with that token, revoked or not; None if there never was one."""

    def take(self, token: str, cookie: str) -> str:
        """Give a browser (its cookie, "" for none) the seat of a link. Returns its new cookie; the old one ends.

        Raises NotFound if there is no such link, Refused if it was revoked or has ended.
        """

    def taken(self, cookie: str) -> tuple[SeatLink, ...]:
        """The links that a browser has taken, the last one first; those that were revoked meanwhile are among them.

        In place of a cookie it takes a token, which has its one link, until the token ends.
        """

    def taken_by(self, cookies: Collection[str]) -> Mapping[str, tuple[SeatLink, ...]]:
        """The links that each of many browsers has taken, see ``taken``; one that has none may be missing."""

    def leave(self, cookie: str) -> None:
        """Give up all seats of a browser."""

    def of(self, campaign: CampaignId, identity: str) -> tuple[SeatLink, ...]:
        """All links to seats of a campaign, the oldest first; with "" for both the links of hosts."""

    def revoke(self, number: int) -> None:
        """End a link. The browser that took it loses the seat at its next request, whichever program answers that."""

    def forget(self, campaign: CampaignId) -> None:
        """Remove all that is known of the links of a campaign by its name, because it was deleted."""

    def note_addresses(self, addresses: tuple[str, ...]) -> None:
        """Note where the table is served ("http://192.168.1.5:8765"), the best for others first."""

    def addresses(self) -> tuple[str, ...]:
        """Addresses at which the table was last served."""

    def close(self) -> None:
        """Close files and connections."""


def new_secret() -> str:
    """A token or cookie: 192 random bits, in characters that a URL can hold."""
    return token_urlsafe(_TOKEN_BYTES)


def digest(secret: str) -> bytes:
    """The digest that is kept of a token or cookie. It cannot be guessed, because a secret is random and long."""
    return sha256(b"rollbook/web/1\0" + secret.encode(errors="replace")).digest()


def may_be_secret(text: str) -> bool:
    """True if a text that came from outside can be a token or cookie at all."""
    return 0 < len(text) <= _LONGEST_SECRET and text.isascii()


def check_good(link: SeatLink | None, now: int) -> SeatLink:
    """The link, if it can be taken now. Raises NotFound if there is none, Refused if it cannot be taken any more."""
    if link is None:
        raise NotFound("There is no such link. Perhaps its end is missing: ask your GM to send it again.")
    if link.revoked:
        raise Refused("This link was revoked. Ask your GM for a new one.")
    if 0 < link.until <= now:
        raise Refused("This link is too old; it was good for a day. Make a new one: rollbook seat-link")
    return link
