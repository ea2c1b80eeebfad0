"""Going over to another ruleset: everybody by both games first, then one button."""

from collections.abc import Mapping

from starlette.responses import Response

from rollbook.adapters.web.gm.room import in_room
from rollbook.adapters.web.lobby.starting import chosen, setting_fields
from rollbook.adapters.web.pages.page import RequestContext, redirect
from rollbook.application.conversions import HEADS, conversions
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.errors import RollbookError


def show_adoption(context: RequestContext) -> Response:
    """The games at hand; of the one that is chosen its house rules, and what going over would do."""
    return _show(context, context.request.query)


def _show(context: RequestContext, sent: Mapping[str, object], fault: RollbookError | None = None) -> Response:
    campaign, key = context.view.campaign, str(sent.get("ruleset", ""))
    values: dict[str, object] = {"fields": [], "trial": None, "people": []}
    try:
        if key:
            values["fields"] = setting_fields(context.view.book.ruleset(key), sent)
            trial = campaign.try_out(Adopt.verb, {"ruleset": key, "settings": chosen(sent)})
            people = list(conversions(campaign.session.rulebook, trial.before, trial.after))
            values |= {"trial": trial, "people": people}
    except RollbookError as wrong:
        fault = fault or wrong
    games = [each for each in context.view.book.registry.keys if each != campaign.state.ruleset]
    values |= {"games": games, "key": key, "heads": HEADS, "command": str(sent.get("command", ""))}
    return in_room(context, "gm/adopt.html", fault, **values)


def adopt(context: RequestContext) -> Response:
    """Go over. Where somebody was faster, or the rules refuse, it is shown once more."""
    key, base = context.request.sent("ruleset"), context.request.sent("base")
    try:
        context.view.campaign.do(
            Adopt.verb,
            {"ruleset": key, "settings": chosen(context.request.form)},
            reason=context.request.sent("why"),
            command=context.request.sent("command"),
            base=int(base) if base.isdecimal() else None,
        )
    except RollbookError as fault:
        return _show(context, context.request.form, fault)
    finally:
        context.view.follow()
    return redirect(context.request.here)
