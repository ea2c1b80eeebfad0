"""One of two courses of events, up to a moment: as recorded, or as corrected."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from rollbook.domain.events import Event
from rollbook.domain.rules.playing import Played
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.fold import Draft


class Course:
    """One of the two courses, up to a moment. It is sealed only when something is to be played on it."""

    def __init__(self, campaign: CampaignState) -> None:
        self._campaign: CampaignState | None = campaign
        self._draft: Draft | None = None
        self._touched: set[str] = set()

    @property
    def campaign(self) -> CampaignState:
        """The campaign at this moment, sealed."""
        if self._campaign is None:
            assert self._draft is not None
            self._draft.touched |= self._touched
            self._campaign = self._draft.publish()
            self._draft = None
        return self._campaign

    @property
    def seen(self) -> CampaignState:
        """The same, only to be looked at: it may still be in the making."""
        return self.campaign if self._draft is None else self._draft.campaign

    def go_on(self, events: Iterable[Event], played: Played | None = None) -> AbstractSet[str]:
        """The same course after these events, if they were not ``played`` here just now. Returns the parts they touch."""
        if played is not None:
            self._campaign, self._draft = played.campaign, None
            return played.touched
        if self._draft is None:
            self._draft = Draft(self.campaign)
            self._touched = set()
        self._campaign = None
        touched: set[str] = set()
        self._draft.touched = touched
        self._draft.apply(events)
        self._touched |= touched
        return touched
