"""The chronicle in three formats: ``html``, a page for the browser and the printer; ``pdf``; and ``epub``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollbook.adapters.exports.chronicle.making import chronicle_and_portraits
from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.adapters.exports.files import OUTCOME, in_words
from rollbook.adapters.local_files.own_files import check_target, write_file

if TYPE_CHECKING:
    from rollbook.adapters.exports.chronicle.portraits import Portraits
    from rollbook.projections.chronicle import Chronicle


def export_html(request: ExportRequest) -> Exported:
    """Write a page that needs nothing else. Raises RollbookError."""
    from rollbook.adapters.exports.chronicle.page import MARK, page

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
    is_ours = is_chronicle if request.overwrite else None
    check_target(request.target, OUTCOME, is_ours=is_ours)
    chronicle, portraits = chronicle_and_portraits(request)
    with in_words(request.target):
        write_file(request.target, [pdf(chronicle, portraits, request.says)], is_ours=is_ours)
    return _done(request, chronicle, portraits)


def _done(request: ExportRequest, chronicle: Chronicle, portraits: Portraits) -> Exported:
    return Exported(path=request.target, entries=chronicle.many, remarks=portraits.remarks)
