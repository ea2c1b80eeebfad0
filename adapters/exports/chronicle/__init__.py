"""The chronicle in three formats: ``html``, a page for the browser and the printer; ``pdf``; and ``epub``."""

from __future__ import annotations

from functools import partial

import attrs

from rollbook.adapters.exports.chronicle.figures import figures_of
from rollbook.adapters.exports.chronicle.portraits import Image, Portraits, kind_of, portraits_in
from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.adapters.exports.files import check_free, write
from rollbook.application.time_zones import zone_of
from rollbook.domain.base.errors import NotFound
from rollbook.projections.chronicle import Chronicle, chronicle_of


def export_html(request: ExportRequest) -> Exported:
    """Write a page that needs nothing else. Raises RollbookError."""
    from rollbook.adapters.exports.chronicle.html_page import MARK, page

    chronicle, portraits = chronicle_and_portraits(request)
    request.write((piece.encode() for piece in page(chronicle, portraits)), marks=(MARK,))
    return _done(request, chronicle, portraits)


def export_epub(request: ExportRequest) -> Exported:
    """Write an EPUB 3. Raises RollbookError."""
    from rollbook.adapters.exports.chronicle.epub import epub, mark

    chronicle, whole = chronicle_and_portraits(request)
    portraits = whole.for_books()
    request.write(epub(chronicle, portraits), marks=(mark(),))
    return _done(request, chronicle, portraits)


def export_pdf(request: ExportRequest) -> Exported:
    """Write a PDF. Raises RollbookError, also if typst is not installed."""
    from rollbook.adapters.exports.chronicle.pdf import check_installed, is_chronicle, pdf

    check_installed()
    check_free(request.target, is_chronicle, overwrite=request.overwrite)
    chronicle, portraits = chronicle_and_portraits(request)
    made = pdf(chronicle, portraits, request.says)
    write(request.target, [made], is_chronicle, overwrite=request.overwrite)
    return _done(request, chronicle, portraits)


def _done(request: ExportRequest, chronicle: Chronicle, portraits: Portraits) -> Exported:
    return Exported(path=request.target, entries=chronicle.many, remarks=portraits.remarks)


def chronicle_and_portraits(request: ExportRequest) -> tuple[Chronicle, Portraits]:
    """Make the content of every format. Raises RollbookError if the folder of pictures cannot be read."""
    campaign = request.campaign
    faces = request.campaign.state.portraits
    portraits = attrs.evolve(portraits_in(request.pictures), faces=faces, shown=partial(_shown, request))
    history, zone = campaign.history, zone_of(campaign.state)
    chronicle = chronicle_of(
        history,
        campaign.session.rulebook,
        request.wanted,
        reader=request.for_reader(
            "With everything that only the game master knows", "For the whole table", "As {} may see it"
        ),
        key=campaign.id,
        receipt=_receipt(request),
        zone=zone.rules,
        zone_name=zone.name,
        figures=tuple(figures_of(history, campaign.session.rulebook, request.wanted)),
    )
    return chronicle, portraits


def _shown(request: ExportRequest, digest: str) -> Image | None:
    data = request.picture(digest)
    return Image(kind_of(data), data) if data else None


def _receipt(request: ExportRequest) -> str:
    """The receipt; "" with pseudonyms, because names could be guessed from it."""
    if request.names.names:
        return ""
    try:
        return str(request.campaign.receipt())
    except NotFound:
        return ""
