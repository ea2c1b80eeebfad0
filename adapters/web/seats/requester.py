"""The identity of a requester: seat, role and audience. ``signing_in`` finds it from the cookie of a request."""

from collections.abc import Mapping

import attrs

from rollbook.application.campaign import Campaign
from rollbook.application.ports.seat_tokens import Scope
from rollbook.domain.base.identifiers import CampaignId, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.state.campaign_state import EMPTY, Seat

TABLE = ""
"""The audience of public entries only: spectators, and the room's screen."""


@attrs.frozen(kw_only=True)
class Identity(Record):
    """A seat of a campaign. The host, who runs the server, has no ``campaign`` ("") and is the GM of each of them.

    One who has the host's page alone (``has_page_alone``) has no campaign either, and a name as ``seat``. ``scopes`` are
    those of the token of a program, None for a browser.
    """

    campaign: CampaignId = ""
    seat: str = ""
    role: Role
    has_page_alone: bool = False
    scopes: frozenset[Scope] | None = None

    @property
    def is_gm(self) -> bool:
        return self.role is Role.GM

    @property
    def is_host(self) -> bool:
        """True if it may use the pages about the whole store: the lobby, new campaigns, backups."""
        return self.keeps_tables and not self.has_page_alone

    @property
    def keeps_tables(self) -> bool:
        """True if it may use the host's page: tables, links, sizes, persons, and nothing that happens at a table."""
        return self.is_gm and not self.campaign

    @property
    def audience(self) -> str | None:
        """The audience whose edition it sees: None for the GM, a player's seat, "" for the table."""
        return None if self.is_gm else self.seat if self.role is Role.PLAYER else TABLE

    @property
    def acts_as(self) -> str | None:
        """The ``seat`` for ``Campaign.play``, ``say`` and corrections: None is the GM."""
        return None if self.is_gm else self.seat


@attrs.frozen
class Seated(Record):
    """The current seats of a campaign, and what else every reader may know of it: ``identity``, ``name``, ``has_board``.

    ``has_board`` says that its game is played on squares, with anybody there or not: who has a square may be a secret.
    """

    identity: str
    seats: Mapping[SeatName, Seat]
    name: str = ""
    has_board: bool = False


NOBODY = Seated("", {})
"""The seats of a campaign that does not exist."""


def seated_at(campaign: Campaign) -> Seated:
    """The seats of an open campaign."""
    state = campaign.state
    before_anybody_came = attrs.evolve(EMPTY, ruleset=state.ruleset, version=state.version, settings=state.settings)
    has_board = campaign.session.rulebook.has_squares(before_anybody_came)
    return Seated(state.identity, state.seats, state.name, has_board)


WhoSits = Mapping[CampaignId, Seated]
"""The seats of campaigns, by their ids; one that is gone or cannot be opened is missing."""
