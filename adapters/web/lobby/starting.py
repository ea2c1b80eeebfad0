"""A new campaign: the game is chosen, then its house rules, which are fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from starlette.responses import Response

from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.pages.responses import redirect, render
from rollbook.adapters.web.settings_form import chosen, setting_fields
from rollbook.application.after_commit import is_committed, warn
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import Role


def show_games(context: RequestContext) -> Response:
    """The games that are installed; of the one that is chosen its house rules."""
    return _show(context, context.request.query)


def _show(context: RequestContext, sent: Mapping[str, object], code: int = 200, /, *, fault: str = "") -> Response:
    key = str(sent.get("ruleset", ""))
    values: dict[str, object] = {"games": tuple(_games(context)), "key": "", "title": "", "fields": (), "fault": fault}
    try:
        if key:
            game = context.view.book.ruleset(key)
            values |= {"key": game.key, "title": game.title, "fields": setting_fields(game, sent)}
    except RollbookError as wrong:
        code, values["fault"] = status_of_fault(wrong), fault or str(wrong)
    typed = {name: str(sent.get(name, "")) for name in ("name", "gm")}
    return render(context, "lobby/new.html", code, **values, typed=typed)


def _games(context: RequestContext) -> Iterator[tuple[str, str]]:
    """The key of each game, and what it is called; one that is broken is left out, and says so when it is asked for."""
    for key in context.view.book.registry.keys:
        try:
            yield key, context.view.book.ruleset(key).title
        except RollbookError:
            continue


def start(context: RequestContext) -> Response:
    """Start it, and go where seats are made."""
    key, name, gm = (str(context.request.form.get(field, "")).strip() for field in ("ruleset", "name", "gm"))
    try:
        campaign = context.view.book.new(name, key, chosen(context.request.form))
    except RollbookError as fault:
        if is_committed():
            raise
        return _show(context, context.request.form, status_of_fault(fault), fault=str(fault))
    try:
        if gm:
            campaign.do("take-seat", {"seat": gm, "role": Role.GM.value})
    except RollbookError as fault:  # the campaign is there, and seats are made where it goes on
        warn(fault)
    return redirect(f"/c/{campaign.id}/gm/seats")
