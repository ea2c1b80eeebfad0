"""The fold: how each event changes the state of a campaign.

It holds no rules and never refuses: an event about a character who is not there changes nothing. Importing this package
registers what every event does, so a draft never meets one that it does not know.
"""

from collections.abc import Iterable

from rollbook.domain.events import Event
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.fold import campaign, characters  # noqa: F401 - each registers its events
from rollbook.domain.state.fold.draft import Draft

__all__ = ["Draft", "fold"]


def fold(state: CampaignState, events: Iterable[Event]) -> CampaignState:
    """The campaign after these events. Total: it raises for no sequence of events."""
    draft = Draft(state)
    draft.apply(events)
    return draft.publish()
