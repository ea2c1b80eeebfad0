"""Going over to another ruleset: everybody by both games first, then one button."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs
from starlette.responses import Response

from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.gm.work import in_room
from rollbook.adapters.web.pages.responses import redirect
from rollbook.adapters.web.settings_form import SettingField, chosen, setting_fields
from rollbook.application.conversions import HEADS, Conversion, conversions
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.events import ParameterValue

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import RequestContext
    from rollbook.application.campaign import Campaign


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
    return _show(context, context.request.query.get("ruleset", ""), context.request.query)


def _show(context: RequestContext, key: str, sent: Mapping[str, object], code: int = 200, fault: str = "") -> Response:
    campaign, found = context.view.campaign, None
    fields: tuple[SettingField, ...] = ()
    try:
        if key:
            fields = setting_fields(context.view.book.ruleset(key), sent)
            found = _adoption(campaign, key, sent)
    except RollbookError as wrong:
        code, fault = status_of_fault(wrong), fault or str(wrong)
    games = [each for each in context.view.book.registry.keys if each != campaign.state.ruleset]
    values = {"games": games, "key": key, "fields": fields, "found": found, "heads": HEADS, "fault": fault}
    return in_room(context, "gm/adopt.html", code, **values, command=str(sent.get("command", "")))


def _adoption(campaign: Campaign, key: str, sent: Mapping[str, object]) -> Adoption:
    trial = campaign.try_out(Adopt.verb, {"ruleset": key, "settings": chosen(sent)})
    people = conversions(campaign.session.rulebook, trial.before, trial.after)
    return Adoption(base=trial.base, before=trial.before.ruleset, after=trial.after.ruleset, people=tuple(people))


def adopt(context: RequestContext) -> Response:
    """Go over. Where somebody was faster, or the rules refuse, it is shown once more."""
    key, base = str(context.request.form.get("ruleset", "")), str(context.request.form.get("base", ""))
    params: dict[str, ParameterValue] = {"ruleset": key, "settings": chosen(context.request.form)}
    command = str(context.request.form.get("command", ""))
    try:
        context.view.campaign.do(
            Adopt.verb,
            params,
            reason=str(context.request.form.get("why", "")),
            command=command,
            base=int(base) if base.isdecimal() else None,
        )
    except RollbookError as fault:
        return _show(context, key, context.request.form, status_of_fault(fault), str(fault))
    finally:
        context.view.follow()
    return redirect(f"/c/{context.request.campaign_id}")
