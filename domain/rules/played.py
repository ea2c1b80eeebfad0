"""The result of an action that was played out."""

from functools import cached_property

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import Event
from rollbook.domain.rules.action import Action, actor_of
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.reads import Reads


@attrs.frozen
class Played(Record):
    """What an action left behind: its events, the parts of the campaign that deciding it ``looked`` at, and those it touched.

    ``campaign`` is the campaign after it.
    """

    action: Action
    events: tuple[Event, ...]
    looked: Reads
    campaign: CampaignState
    touched: frozenset[str]

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The parts that were looked at, as an entry keeps them."""
        return self.looked.written()

    @property
    def actor(self) -> CharacterId:
        """Who acts: the character that an ``actor`` parameter names, or else the first that any parameter names."""
        return actor_of(self.action)
