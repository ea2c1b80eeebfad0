"""What canon is asked for when the choices of a timeline are to become its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollbook.application.timelines.forking import marker_of
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.timelines import MergePlan, plan

if TYPE_CHECKING:
    from rollbook.application.book import Book
    from rollbook.application.campaign import Campaign
    from rollbook.application.view import CampaignView


def merge_plan(book: Book, timeline: CampaignView, *, keep_later: bool = False) -> tuple[Campaign, MergePlan]:
    """What a timeline was forked from, and what it is asked for. Raises Refused for a campaign played again from its start."""
    marker = marker_of(timeline)
    canon = book.campaign(marker.parent)
    if marker.ruleset:
        raise Refused(
            f"{timeline.id} is the whole campaign by {marker.ruleset} {marker.ruleset_version}: its choices are canon's, and "
            f"only the rules are others. To play on by them: rollbook adopt {marker.ruleset}"
        )
    timeline.refresh()
    return canon, plan(canon.history, timeline.history, marker.entry, book.rulebook, keep_later=keep_later)
