"""A book as one seat may see it: one campaign of it, with its timelines."""

from __future__ import annotations

from rollbook.application.book import Book
from rollbook.application.history.timeline_marker import campaign_of, meant
from rollbook.application.visibility.seat_campaign import SeenCampaign
from rollbook.domain.base.errors import not_found
from rollbook.domain.base.identifiers import CampaignId, SeatName


class SeenBook(Book):
    """A book that has one campaign with its timelines, each as a seat may see it."""

    def __init__(self, whole: Book, campaign: CampaignId, seat: SeatName) -> None:
        super().__init__(whole.store, whole.read_model.apart(), whole.seeds, whole.registry, whole.surroundings)
        self._whole = whole
        self._campaign = campaign_of(campaign)
        self._seat = seat

    def campaigns(self) -> tuple[str, ...]:
        """The id of the campaign, alone."""
        return (self._campaign,)

    def seen(self, name: str) -> SeenCampaign:
        """The campaign or one of its timelines. Raises NotFound for every other one."""
        if campaign_of(meant(name)) != self._campaign:
            raise not_found("campaign", name, self.campaigns())
        return SeenCampaign(self._whole.campaign(name), self._seat)

    campaign = seen  # type: ignore[assignment]
