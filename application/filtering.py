"""Filters as they are meant at one table: in its time zone, with the names of its people."""

from rollbook.application.time_zones import zone_of
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.filters import read
from rollbook.projections.session_log import SqlCondition


def meant_by(campaign: CampaignState, text: str) -> SqlCondition:
    """The condition that a filter means in a campaign. Raises BadFilter with a caret under the fault."""
    return read(text, zone=lambda: zone_of(campaign).rules, people=lambda: campaign.names_of_seats)
