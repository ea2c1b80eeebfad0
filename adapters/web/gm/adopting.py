"""Going over to another ruleset: everybody by both games first, then one button."""

from collections.abc import Mapping

import attrs
from starlette.responses import Response

from rollbook.adapters.web.gm.room import in_room
from rollbook.adapters.web.lobby.starting import chosen, setting_fields
from rollbook.adapters.web.pages.page import RequestContext, redirect
from rollbook.application.campaign import Campaign
from rollbook.application.conversions import HEADS, Conversion, conversions
from rollbook.domain.actions import Adopt
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.parameters import Parameter


@attrs.frozen(kw_only=True)
class Adoption(Record):
    """What going over would do: everybody by both games, and the entry on which that was tried out."""

    base: int
    before: str
    after: str
    people: tuple[Conversion, ...]

    @property
    def waiting(self) -> int:
        """How many things only the old game knows."""
        return sum(len(one.waits) for one in self.people)


def show_adoption(context: RequestContext) -> Response:
    """The games at hand; of the one that is chosen its house rules, and what going over would do."""
    return _show(context, context.request.query)


def _show(context: RequestContext, sent: Mapping[str, object], fault: RollbookError | None = None) -> Response:
    campaign, found, key = context.view.campaign, None, str(sent.get("ruleset", ""))
    fields: list[tuple[Parameter, str, str]] = []
    try:
        if key:
            fields = setting_fields(context.view.book.ruleset(key), sent)
            found = _adoption(campaign, key, sent)
    except RollbookError as wrong:
        fault = fault or wrong
    games = [each for each in context.view.book.registry.keys if each != campaign.state.ruleset]
    values = {"games": games, "key": key, "fields": fields, "found": found, "heads": HEADS}
    return in_room(context, "gm/adopt.html", fault, **values, command=str(sent.get("command", "")))


def _adoption(campaign: Campaign, key: str, sent: Mapping[str, object]) -> Adoption:
    trial = campaign.try_out(Adopt.verb, {"ruleset": key, "settings": chosen(sent)})
    people = conversions(campaign.session.rulebook, trial.before, trial.after)
    return Adoption(base=trial.base, before=trial.before.ruleset, after=trial.after.ruleset, people=tuple(people))


def adopt(context: RequestContext) -> Response:
    """Go over. Where somebody was faster, or the rules refuse, it is shown once more."""
    key, base = context.request.sent("ruleset"), context.request.sent("base")
    params: dict[str, ParameterValue] = {"ruleset": key, "settings": chosen(context.request.form)}
    command = context.request.sent("command")
    try:
        context.view.campaign.do(
            Adopt.verb,
            params,
            reason=context.request.sent("why"),
            command=command,
            base=int(base) if base.isdecimal() else None,
        )
    except RollbookError as fault:
        return _show(context, context.request.form, fault)
    finally:
        context.view.follow()
    return redirect(context.request.here)
