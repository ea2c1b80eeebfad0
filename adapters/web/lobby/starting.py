"""A new campaign: the game is chosen, then its house rules, which are fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from starlette.responses import Response

from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.settings_form import chosen, setting_fields
from rollbook.application.aftermath import is_committed, warn
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import Role

if TYPE_CHECKING:
    from rollbook.adapters.web.pages.request_context import Visit


def show_games(visit: Visit) -> Response:
    """The games that are installed; of the one that is chosen its house rules."""
    return _show(visit, visit.query)


def _show(visit: Visit, sent: Mapping[str, object], code: int = 200, /, *, fault: str = "") -> Response:
    key = str(sent.get("ruleset", ""))
    values: dict[str, object] = {"games": tuple(_games(visit)), "key": "", "title": "", "fields": (), "fault": fault}
    try:
        if key:
            game = visit.book.ruleset(key)
            values |= {"key": game.key, "title": game.title, "fields": setting_fields(game, sent)}
    except RollbookError as wrong:
        code, values["fault"] = status_of_fault(wrong), fault or str(wrong)
    typed = {name: str(sent.get(name, "")) for name in ("name", "gm")}
    return visit.page("lobby/new.html", code, **values, typed=typed)


def _games(visit: Visit) -> Iterator[tuple[str, str]]:
    """The key of each game, and what it is called; one that is broken is left out, and says so when it is asked for."""
    for key in visit.book.registry.keys:
        try:
            yield key, visit.book.ruleset(key).title
        except RollbookError:
            continue


def start(visit: Visit) -> Response:
    """Start it, and go where seats are made."""
    key, name, gm = (str(visit.form.get(field, "")).strip() for field in ("ruleset", "name", "gm"))
    try:
        campaign = visit.book.new(name, key, chosen(visit.form))
    except RollbookError as fault:
        if is_committed():
            raise
        return _show(visit, visit.form, status_of_fault(fault), fault=str(fault))
    try:
        if gm:
            campaign.do("take-seat", {"seat": gm, "role": Role.GM.value})
    except RollbookError as fault:  # the campaign is there, and seats are made where it goes on
        warn(fault)
    return visit.redirect(f"/c/{campaign.id}/gm/seats")
