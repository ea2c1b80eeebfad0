"""Open choices: picking what a character may choose, with a button for each option."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from starlette.responses import Response

from rollbook.adapters.web.acting.buttons import CHOOSE
from rollbook.adapters.web.acting.panel import panel_of
from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.acting.taking import answer, outcome
from rollbook.adapters.web.faults import status_of_fault
from rollbook.application.lines.typed_turns import turn_of
from rollbook.application.lines.verb_line import ParsedLine
from rollbook.domain.base.errors import RollbookError

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import Visit


def pick(visit: Visit) -> Response:
    """Choose. What the rules have against it is said beside the choice, which stays open."""
    seat_context = seat_context_of(visit)
    given = {name: str(visit.form.get(name, "")) for name in ("who", "choice", "picked")}
    try:
        verb = seat_context.verb(CHOOSE)
        turn = turn_of(seat_context.edition, verb, ParsedLine(given=given), seat=seat_context.seat, said=lambda _: None)
        seat_context.take(turn, str(visit.form.get("command", "")))
    except RollbookError as fault:
        panel = attrs.evolve(panel_of(visit), fault=str(fault))
        return answer(visit, panel, status_of_fault(fault))
    finally:
        visit.follow()
    if not visit.is_fragment:
        return visit.redirect(f"/c/{visit.campaign_id}/act?who={given['who']}")
    return answer(visit, panel_of(visit, said=outcome(visit)))
