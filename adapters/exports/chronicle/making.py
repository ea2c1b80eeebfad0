"""The chronicle of an export: its model out of the campaign that the reader may see, and the pictures of the folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollbook.adapters.exports.chronicle.figures import figures_of
from rollbook.adapters.exports.chronicle.portraits import Portraits, portraits_in
from rollbook.application.time_zones import zone_of
from rollbook.domain.base.errors import NotFound
from rollbook.projections.chronicle import Chronicle, Source, chronicle_of
from rollbook.projections.chronicle.appendices import Proof

if TYPE_CHECKING:
    from rollbook.adapters.exports.exporter import ExportRequest


def chronicle_and_portraits(request: ExportRequest) -> tuple[Chronicle, Portraits]:
    """What every format of the chronicle is made of. Raises RollbookError if the folder of pictures cannot be read."""
    campaign = request.campaign
    portraits = portraits_in(request.pictures)
    history, zone = campaign.history, zone_of(campaign.state)
    source = Source(
        history=history,
        rulebook=campaign.session.rulebook,
        wanted=request.wanted,
        reader=reader_in_words(request.reader),
        proof=Proof(receipt=_receipt(request), campaign=campaign.id),
        zone=zone.rules,
        zone_name=zone.name,
        figures=tuple(figures_of(history, campaign.session.rulebook, request.wanted)),
    )
    return chronicle_of(source), portraits


def reader_in_words(reader: str) -> str:
    """For whom it is written, as the title page says it."""
    if reader == "gm":
        return "With everything that only the game master knows"
    kind, _, seat = reader.partition(":")
    return f"As {seat} may see it" if kind == "player" and seat else "For the whole table"


def _receipt(request: ExportRequest) -> str:
    """The receipt; none where people have other names, because names could be guessed by it."""
    if request.names.names:
        return ""
    try:
        return str(request.campaign.receipt())
    except NotFound:
        return ""
