"""Self-service: a GM begins another campaign, where the host allows it, and sits there as its GM at once."""

from starlette.responses import Response

from rollbook.adapters.web.gm.room import in_room
from rollbook.adapters.web.pages.page import RequestContext, redirect
from rollbook.application.after_commit import is_committed
from rollbook.application.host_settings import settings_of
from rollbook.application.keeping.hosting import WantedTable, begin_own
from rollbook.domain.base.errors import Refused, RollbookError


def show(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Show the form of another campaign, with how many may still be begun."""
    book, typed = context.view.book, {name: context.request.sent(name) for name in ("name", "ruleset")}
    settings = settings_of(book.seeds.host_notes())
    left = max(settings.self_service - settings.begun.get(_asking(context), 0), 0)
    return in_room(context, "host/another.html", fault, typed=typed, games=book.registry.keys, left=left)


def _asking(context: RequestContext) -> str:
    return f"{context.view.campaign.state.identity}/{context.seated.seat}"


def begin(context: RequestContext) -> Response:
    """Begin the campaign, take the GM's seat in this browser, and redirect to the page of its seats."""
    name, ruleset = (context.request.sent(field).strip() for field in ("name", "ruleset"))
    sessions = context.services.sessions
    try:
        if not context.seated.seat:
            raise Refused("You are the host. Begin a campaign at the host's page.")
        wanted = WantedTable(name=name, ruleset=ruleset, gm=context.seated.seat)
        book = context.view.book
        begun = begin_own(book, sessions.links, book.seeds.host_notes(), wanted, _asking(context))
    except RollbookError as fault:
        if is_committed():
            raise
        return show(context, fault)
    response = redirect(f"/c/{begun.campaign.id}/gm/seats")
    sessions.sit_down(context.request.http, begun.token, response)
    return response
