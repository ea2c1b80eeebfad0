"""What is decided on the head of a campaign, before it is stored."""

import attrs

from rollbook.domain.actions.speech import Speech
from rollbook.domain.base.errors import StaleHistory
from rollbook.domain.base.records import Record
from rollbook.domain.entries import Entry
from rollbook.domain.state.campaign_state import CampaignState


class Overtaken(StaleHistory):
    """Dice were asked for on a head behind which others have rolled already."""


@attrs.frozen
class Decision(Record):
    """Entries to be appended, the campaign after them if it is known, and who says each of them if it is not the GM."""

    entries: tuple[Entry, ...]
    state: CampaignState | None = None
    speeches: tuple[Speech, ...] = ()
