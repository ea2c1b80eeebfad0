"""The record that a seat keeps: its receipt, an audit of the history, and the campaign as it may see it, in a file."""

from starlette.responses import Response

from rollbook.adapters.web.gm import room
from rollbook.adapters.web.gm.keeping import OWN_SEATS, export_for, export_values
from rollbook.adapters.web.pages.page import RequestContext, redirect
from rollbook.domain.base.errors import RollbookError


def show_record(context: RequestContext, fault: RollbookError | None = None, about: str = "") -> Response:
    """Show the receipt of now, with the forms of an audit and of an export; ``about`` says whose fault it is."""
    if context.seated.is_gm:
        return redirect(f"{context.request.here}/gm")
    noted, receipt = context.request.sent("receipts"), ""
    if context.view.edition.state.session is not None:
        receipt = str(context.view.campaign.receipt())
    values = {"noted": noted, "receipt": receipt, "about": about, **export_values(context)}
    return room.in_room(context, "records/page.html", fault, **values)


def audit(context: RequestContext) -> Response:
    """Begin an audit of the whole history, of which this seat is told what it may see."""
    return room.audit(context, lambda context, fault: show_record(context, fault, "audit"))


def export(context: RequestContext) -> Response:
    """Begin an export of the campaign as this seat may see it."""
    seat = f"{OWN_SEATS}{context.seated.seat}"
    return export_for(context, seat, lambda context, fault: show_record(context, fault, "export"))
