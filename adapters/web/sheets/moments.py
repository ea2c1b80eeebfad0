"""The moment that a page of a sheet is about: now, or a past one as it was known then or as it counts today."""

from urllib.parse import urlencode

import attrs
from starlette.datastructures import QueryParams

from rollbook.adapters.presentation.moments import NOW, PAST, Place, place_in, read_moment, title_of
from rollbook.adapters.web.workers.warm_campaign import WarmCampaign
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.records import Record
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import CampaignState

CORRECTED = "corrected"
"""What ``as`` says for a past moment with the corrections that were made since."""
NO_MOMENT = "That is not a moment: write an action (12 or #12), an entry (@47), the end of a session (s2), or now."


@attrs.frozen(kw_only=True)
class SheetMoment(Record):
    """A moment. ``typed`` is how it was asked for, ``wrong`` what is wrong with that: then it is now."""

    place: Place
    is_now: bool = True
    corrected: bool = False
    typed: str = NOW
    wrong: str = ""

    @property
    def title(self) -> str:
        """What is said of it beside a heading, "" of now."""
        return "" if self.is_now else title_of(self.place, corrected=self.corrected)

    @property
    def query(self) -> str:
        """It as the query of a link, with its ``?``; "" for now."""
        asked = {"at": self.typed, **({"as": CORRECTED} if self.corrected else {})}
        return "" if self.is_now else f"?{urlencode(asked)}"

    def state(self, edition: CampaignView) -> CampaignState:
        """The campaign at the moment, as an edition knows it."""
        return _state(edition, self, self.place)

    def true_state(self, table: WarmCampaign, audience: str | None) -> CampaignState:
        """The campaign at the same moment with all that is hidden from an audience."""
        if self.is_now:
            return table.campaign.state
        edition, place = table.edition(audience), self.place
        entry = edition.real_entry(place.entry) if place.entry else 0
        action = edition.real_action(place.action) if place.action else 0
        return _state(table.campaign, self, Place(place.name, entry, action))

    def history(self, edition: CampaignView) -> History:
        """What was recorded up to the moment; as corrected, the whole, whose later actions are to be left out."""
        if self.is_now or self.corrected:
            return edition.history
        return edition.session.history.looking_back(lambda history: history.until(self.place.entry))


def _state(campaign: CampaignView, moment: SheetMoment, place: Place) -> CampaignState:
    if moment.is_now:
        return campaign.state
    return campaign.session.history.looking_back(
        lambda history: history.as_corrected_to(place.action) if moment.corrected else history.as_known_at(place.entry)
    )


def asked_moment(query: QueryParams, edition: CampaignView) -> SheetMoment:
    """The moment that a request is about. What cannot be read or is not there is said, and it is now."""
    typed, corrected = query.get("at", "").strip() or NOW, query.get("as", "") == CORRECTED
    now = Place(NOW, edition.head.entry, edition.head.actions)
    meant = read_moment(typed)
    if meant is None:
        return SheetMoment(place=now, typed=typed, corrected=corrected, wrong=NO_MOMENT)
    if not any(meant[group] for group in PAST):
        return SheetMoment(place=now)
    try:
        place = edition.session.history.looking_back(lambda history: place_in(history, meant))
    except NotFound as fault:
        return SheetMoment(place=now, typed=typed, corrected=corrected, wrong=str(fault))
    return SheetMoment(place=place, is_now=False, corrected=corrected, typed=typed)
