"""The audit on the web: chain, dice and rules, and receipts that players kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.gm.work import Report, begin, in_room
from rollbook.domain.audit.answers import Answer
from rollbook.domain.audit.dice_audit import dice_list
from rollbook.domain.audit.receipts import check_receipts, read_receipt
from rollbook.domain.base.errors import RollbookError

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import RequestContext
    from rollbook.application.book import Book


def show_audit(context: RequestContext) -> Response:
    """What an audit is, and the form that begins one."""
    return _form(context)


def _form(context: RequestContext, code: int = 200, /, *, fault: str = "", noted: str = "") -> Response:
    receipt = str(context.view.campaign.receipt())
    return in_room(context, "gm/audit.html", code, fault=fault, noted=noted, receipt=receipt)


def audit(context: RequestContext) -> Response:
    """Begin an audit. A receipt that cannot be read is said beside the form, with what was typed still there."""
    noted, name = str(context.request.form.get("receipts", "")), context.request.campaign_id
    try:
        receipts = [read_receipt(line) for line in noted.splitlines() if line.strip()]
    except RollbookError as fault:
        return _form(context, status_of_fault(fault), fault=str(fault), noted=noted)

    def work(book: Book) -> Report:
        campaign = book.campaign(name)
        answers: tuple[Answer, ...] = campaign.audit()
        entries = campaign.history.entries
        if receipts:
            answers = (*answers, check_receipts(campaign.id, receipts, entries, of=answers[0].entries))
        return Report("gm/audited.html", {"answers": answers, "about_dice": dice_list(entries)})

    return begin(context, work)
