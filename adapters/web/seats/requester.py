"""Who asks, as a record: seat, role, and what may be shown. ``signing_in`` finds it from the cookie of a request."""

from collections.abc import Mapping

import attrs

from rollbook.application.campaign import Campaign
from rollbook.domain.base.identifiers import CampaignId, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.state.campaign_state import Seat

TABLE = ""
"""The audience that sees what the whole table was told: spectators, and the room's screen."""


@attrs.frozen(kw_only=True)
class Identity(Record):
    """A seat of a campaign. The host, who runs the server, has no campaign of their own ("") and is the GM of each of them."""

    campaign: CampaignId = ""
    seat: str = ""
    role: Role

    @property
    def is_gm(self) -> bool:
        return self.role is Role.GM

    @property
    def is_host(self) -> bool:
        """Whether it may do what concerns the whole store: the lobby, new campaigns, backups."""
        return self.is_gm and not self.campaign

    @property
    def audience(self) -> str | None:
        """Whose edition it sees: None for the GM, a player's seat, "" for the table."""
        return None if self.is_gm else self.seat if self.role is Role.PLAYER else TABLE

    @property
    def acts_as(self) -> str | None:
        """The ``seat`` to give to ``Campaign.play``, ``say`` and corrections: None is the GM."""
        return None if self.is_gm else self.seat


@attrs.frozen
class Seated(Record):
    """Who sits at the table of a campaign now; ``identity`` and ``name`` are the campaign's, ``has_board``: it has squares."""

    identity: str
    seats: Mapping[SeatName, Seat]
    name: str = ""
    has_board: bool = False


NOBODY = Seated("", {})
"""Who sits at a table that is not there."""


def seated_at(campaign: Campaign) -> Seated:
    """Who sits at the table of an open campaign."""
    state = campaign.state
    return Seated(state.identity, state.seats, state.name, campaign.session.rulebook.has_squares(state))


WhoSits = Mapping[CampaignId, Seated]
"""Who sits at the tables of some campaigns, by their names; one that is gone or cannot be opened is missing."""
