"""The first page of the GM's room: how the campaign stands, its rules, and where everything else is."""

from __future__ import annotations

from starlette.responses import Response

from rollbook.adapters.web.gm.work import in_room
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.domain.rules.spelling import typed


def show_room(context: RequestContext) -> Response:
    """The rules that are played by, and links to the rest."""
    campaign = context.view.campaign
    state, head = campaign.state, campaign.head
    game = campaign.session.rulebook.ruleset_of(state)
    return in_room(
        context,
        "gm/room.html",
        game=f"{state.ruleset} {state.version}".strip() or "no ruleset",
        title=game.title if game else "",
        settings=[(name.replace("_", " "), typed(value)) for name, value in state.settings.items()],
        entries=head.entry,
        actions=head.actions,
        session=state.session,
        receipt=str(campaign.receipt()),
    )
