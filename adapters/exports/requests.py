"""What an exporter is asked for: the campaign as its reader may see it, and how people are called there."""

from collections.abc import Callable
from pathlib import Path

from rollbook.adapters.exports.exporter import WHOLE, ExportRequest, everything
from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.edition import Edition
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.domain.entries import RecordedEntry


def seen_by(campaign: CampaignView, seat: str | None) -> CampaignView:
    """The campaign as a seat may see it, "" for the table; None sees all of it."""
    return campaign if seat is None else Edition(campaign, seat)


def request_for(
    seen: CampaignView,
    whole: CampaignView,
    seat: str | None,
    target: Path,
    *,
    wanted: Callable[[RecordedEntry], bool] = everything,
    pseudonyms: bool = False,
    pictures: Path | None = None,
    overwrite: bool = False,
) -> ExportRequest:
    """The request for what a seat has ``seen`` of a ``whole`` campaign."""
    names = Pseudonyms.of(seen.history.entries, whole.session.rulebook) if pseudonyms else Pseudonyms()
    return ExportRequest(
        campaign=Edition(whole, seat, names) if pseudonyms else seen,
        target=target,
        reader=WHOLE if seat is None else f"player:{names.person(seat)}" if seat else "table",
        names=names,
        wanted=wanted,
        pictures=pictures,
        overwrite=overwrite,
    )
