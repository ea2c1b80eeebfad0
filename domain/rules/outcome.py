"""The outcome of an action that was played out at a table."""

from functools import cached_property

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.events import Event
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.reads import Reads


@attrs.frozen
class Outcome(Record):
    """The outcome of an action: events, the parts of the campaign that deciding it ``looked`` at, and those it touched.

    ``campaign`` is the campaign after it.
    """

    events: tuple[Event, ...]
    looked: Reads
    campaign: CampaignState
    touched: frozenset[str]

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The parts that were looked at, as an entry keeps them."""
        return self.looked.written()
