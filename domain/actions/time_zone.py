"""In which time zone a campaign has its days and hours: one for everybody, wherever the history is read."""

from rollbook.domain import events
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import label
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState

ZONE = "zone"
"""The matter of an agreement that says it; what is agreed is the name of a zone, as the IANA has it."""

UTC_NAME = "UTC"


def zone_name(campaign: CampaignState) -> str:
    """The name of the zone in which a campaign has its days and hours: UTC as long as no other was chosen."""
    return campaign.agreed.get(ZONE) or UTC_NAME


class SetTimeZone(Action, verb="time-zone", gm_only=True):
    """Choose the time zone in which days and hours of the campaign are read, in filters and in every export.

    Nothing that is recorded changes: every moment is kept in UTC.
    """

    sentence = "sets the time zone"

    zone: str = label("the zone, as Europe/Berlin or UTC")

    def resolve(self, table: Table) -> None:
        """Which zones there are changes with the years, so no rule asks for that: it was asked when this was typed."""
        table.record(events.TableAgreed(matter=ZONE, value=self.zone))
