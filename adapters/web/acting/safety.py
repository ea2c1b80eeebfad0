"""The X-card: one tap, no question, the same answer each time; and how the GM goes on.

Nothing of the request is kept: the entry has no seat, the answer has the same bytes whether or not a card is already on
the table and no command id, and the browser is told to cache nothing.
"""

from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.responses import Response

from rollbook.adapters.web.acting.panel import answer, panel_of, refuse
from rollbook.adapters.web.acting.seat_context import ANSWER, RAISE, WITHDRAW
from rollbook.adapters.web.guards.limits import TOO_MUCH
from rollbook.adapters.web.pages.page import RequestContext, done, redirect, render
from rollbook.application.corrections import Preview
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.corrections.changes import CorrectionOptions, Effect
from rollbook.domain.corrections.undoing_together import REASON, rewound_actions
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import XCardAnswered, XCardRaised

REWIND = "rewind"


def raise_card(context: RequestContext) -> Response:
    """Stop the scene. All readers learn of it by the bell, the one who raised it too.

    Endless cards are not all recorded: while one is on the table, nothing is lost by that, and the answer is the same.
    """
    lies_already, cards = context.view.campaign.state.paused, context.services.x_cards
    campaign = campaign_of(context.request.campaign_id)
    cards.lies(campaign, context.request.sent("mistake"), lies_already=lies_already)
    if cards.take(campaign, lies_already=lies_already):
        context.view.campaign.do(RAISE)
        context.view.follow()
    elif not lies_already:
        raise HTTPException(TOO_MUCH.status, headers=dict(TOO_MUCH.headers))
    return done(context)


def withdraw_card(context: RequestContext) -> Response:
    """Withdraw a card that this page raised by mistake seconds ago, if it is the only one. The answer is always the same."""
    campaign = context.view.campaign
    if context.services.x_cards.may_withdraw(campaign_of(context.request.campaign_id), context.request.sent("mistake")):
        if campaign.state.paused and _is_alone(campaign.history.entries):
            campaign.do(WITHDRAW)
        context.view.follow()
    return done(context)


def _is_alone(entries: Sequence[RecordedEntry]) -> bool:
    """True if one card was raised since the last one was answered, by whichever node."""
    raised = 0
    for entry in reversed(entries):
        for event in entry.events:
            if isinstance(event, XCardAnswered):
                return raised == 1
            raised += isinstance(event, XCardRaised)
        if raised > 1:
            return False
    return raised == 1


def go_on(context: RequestContext) -> Response:
    """Go on after an X-card in the way that the GM chose."""
    how = context.request.sent("how")
    try:
        if how == REWIND:
            rewound = _rewound(context)
            expected = context.request.sent("base")
            if expected != str(context.view.campaign.head.entry):
                raise Refused("Something has happened since you looked at this. Look again, and rewind then.")
            rewound.apply()
            many = sum(one.effect == Effect.UNDONE for one in rewound.consequences)
            context.view.campaign.do(ANSWER, {"how": how, "rewound": many})
        else:
            context.view.campaign.do(ANSWER, {"how": how})
    except RollbookError as fault:
        return refuse(context, fault)
    finally:
        context.view.follow()
    if context.request.is_fragment:
        return answer(context, panel_of(context))
    return redirect(context.request.here)


def show_rewind(context: RequestContext) -> Response:
    """Show the actions that rewinding the scene would undo."""
    try:
        rewound = _rewound(context)
    except RollbookError as fault:
        return refuse(context, fault)
    campaign = context.view.campaign
    lines = {line.action: line for line in campaign.read_model.log(campaign.id)}
    undone = [lines[one.action] for one in rewound.consequences if one.effect == Effect.UNDONE and one.action in lines]
    return render(context, "acting/rewind.html", undone=undone, base=campaign.head.entry)


def _rewound(context: RequestContext) -> Preview:
    """The preview of undoing the scene. Raises Refused if no card is on the table, or the start of it is unknown."""
    campaign = context.view.campaign
    campaign.try_out(ANSWER, {"how": REWIND, "rewound": 1})
    actions = rewound_actions(campaign.history, campaign.session.rulebook)
    return campaign.corrections.undo(*actions, options=CorrectionOptions(reason=REASON))
