"""The X-card: one tap, no question, the same answer each time; and how the GM goes on.

Nothing of the request is kept: the entry has no seat, the answer is the same bytes whether or not a card lies there already and
has no id of a command, and the browser is told to keep none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from starlette.exceptions import HTTPException
from starlette.responses import Response

from rollbook.adapters.web.acting.panel import panel_of
from rollbook.adapters.web.acting.seat_context import ANSWER, RAISE
from rollbook.adapters.web.acting.taking import answer
from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.guards.limits import TOO_MUCH
from rollbook.application.timelines.marker import campaign_of
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.corrections.changes import CorrectionOptions, Effect
from rollbook.domain.corrections.rewind import REASON, rewound_actions

if TYPE_CHECKING:
    from rollbook.adapters.web.guards.limits import XCards
    from rollbook.adapters.web.pages.request_context import Visit
    from rollbook.application.corrections import Preview

REWIND = "rewind"


def raise_card(visit: Visit) -> Response:
    """Stop the scene. Everybody learns of it by the bell, the one who raised it too.

    Cards without end are not all recorded: where one lies there already, nothing is lost by that, and the answer is the same.
    """
    x_cards: XCards = visit.request.app.state.x_cards
    lies_already = visit.table.campaign.state.paused
    if x_cards.take(campaign_of(visit.campaign_id), lies_already=lies_already):
        visit.table.campaign.do(RAISE)
        visit.follow()
    elif not lies_already:
        raise HTTPException(TOO_MUCH.status, headers=dict(TOO_MUCH.headers))
    return visit.done()


def go_on(visit: Visit) -> Response:
    """How the table goes on, as the GM says."""
    how = str(visit.form.get("how", ""))
    try:
        if how == REWIND:
            rewound = _rewound(visit)
            expected = str(visit.form.get("base", ""))
            if expected != str(visit.table.campaign.head.entry):
                raise Refused("Something has happened since you looked at this. Look again, and rewind then.")
            rewound.apply()
            many = sum(one.effect == Effect.UNDONE for one in rewound.consequences)
            visit.table.campaign.do(ANSWER, {"how": how, "rewound": many})
        else:
            visit.table.campaign.do(ANSWER, {"how": how})
    except RollbookError as fault:
        return _not_gone_on(visit, fault)
    finally:
        visit.follow()
    if visit.is_fragment:
        return answer(visit, panel_of(visit))
    return visit.redirect(f"/c/{visit.campaign_id}")


def _not_gone_on(visit: Visit, fault: RollbookError) -> Response:
    panel = attrs.evolve(panel_of(visit), fault=str(fault))
    return answer(visit, panel, status_of_fault(fault))


def show_rewind(visit: Visit) -> Response:
    """What rewinding the scene would undo, before it is done."""
    try:
        rewound = _rewound(visit)
    except RollbookError as fault:
        return _not_gone_on(visit, fault)
    campaign = visit.table.campaign
    lines = {line.action: line for line in campaign.read_model.log(campaign.id)}
    undone = [lines[one.action] for one in rewound.consequences if one.effect == Effect.UNDONE and one.action in lines]
    return visit.page("acting/rewind.html", campaign_name=campaign.state.name, undone=undone, base=campaign.head.entry)


def _rewound(visit: Visit) -> Preview:
    """The preview of undoing the scene. Raises Refused if no card lies on the table, or nothing says how far back to go."""
    campaign = visit.table.campaign
    campaign.try_out(ANSWER, {"how": REWIND, "rewound": 1})
    actions = rewound_actions(campaign.load_history(), campaign.rulebook)
    return campaign.corrections.undo(*actions, options=CorrectionOptions(reason=REASON))
