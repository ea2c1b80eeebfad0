"""Open choices: picking what a character may choose, with a button for each option."""

from __future__ import annotations

import attrs
from starlette.responses import Response

from rollbook.adapters.web.acting.buttons import CHOOSE
from rollbook.adapters.web.acting.panel import panel_of
from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.acting.taking import answer, outcome
from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.pages.responses import redirect
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.verb_line import ParsedLine
from rollbook.domain.base.errors import RollbookError


def pick(context: RequestContext) -> Response:
    """Choose. What the rules have against it is said beside the choice, which stays open."""
    seat_context = seat_context_of(context)
    given = {name: str(context.request.form.get(name, "")) for name in ("who", "choice", "picked")}
    try:
        verb = seat_context.verb(CHOOSE)
        turn = turn_of(seat_context.edition, verb, ParsedLine(given=given), seat=seat_context.seat, said=lambda _: None)
        seat_context.take(turn, str(context.request.form.get("command", "")))
    except RollbookError as fault:
        panel = attrs.evolve(panel_of(context), fault=str(fault))
        return answer(context, panel, status_of_fault(fault))
    finally:
        context.view.follow()
    if not context.request.is_fragment:
        return redirect(f"/c/{context.request.campaign_id}/act?who={given['who']}")
    return answer(context, panel_of(context, said=outcome(context)))
