"""A campaign that is open in a desk's thread: whole for the GM and for commands, and as each audience may see it."""

from __future__ import annotations

from hashlib import sha256

from adapters.campaign import Campaign
from adapters.exports.edition import Edition
from adapters.seen import without_hidden_names
from adapters.web.askers import Asker
from domain.errors import RollbookError


class WarmCampaign:
    """One campaign. An ``audience`` is None for the GM, a player's seat, or "" for the table."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._editions: dict[str, tuple[str, Campaign]] = {}
        self._projected = ""
        self.follow()

    def follow(self) -> None:
        """Take in what was stored since, by whomever."""
        head = self.campaign.refresh()
        if head.hash != self._projected:
            self.campaign.project()
            self._projected = head.hash

    def edition(self, audience: str | None) -> Campaign:
        """The campaign as an audience may see it; of the GM's numbers only the GM's edition has any."""
        if audience is None:
            return self.campaign
        at, edition = self._editions.get(audience, ("", self.campaign))
        if at != self.campaign.head.hash:
            edition = Edition(self.campaign, audience)
            self._editions[audience] = (self.campaign.head.hash, edition)
        return edition

    def cursor(self, audience: str | None) -> str:
        """Up to where an audience has read: another one whenever something has changed for it, and only then."""
        edition = self.edition(audience)
        if audience is None:
            return f"{edition.head.entry}.{edition.head.hash[:16]}"
        lines = edition.read_model.log(edition.id, everything=True)
        digest = sha256(repr([line._replace(at=0) for line in lines]).encode()).hexdigest()
        return f"{len(lines)}.{digest[:16]}"

    def said_to(self, fault: RollbookError, asker: Asker) -> RollbookError:
        """An error as somebody may read it: one that names who is hidden says less to players."""
        return without_hidden_names(self.campaign, fault, asker.acts_as)
