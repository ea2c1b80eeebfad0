"""The pages of sheets: everybody's numbers now or at a past moment, and what is behind each of them."""

from __future__ import annotations

from urllib.parse import quote

import attrs
from starlette.responses import Response

from rollbook.adapters.web.pages.page import Page, Where
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.pages.responses import redirect, render
from rollbook.adapters.web.sheets.charts import charts_page
from rollbook.adapters.web.sheets.moments import SheetMoment, asked_moment
from rollbook.adapters.web.sheets.views import groups_of, why_view
from rollbook.adapters.web.table.standing import standing
from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.edition import own_sheet
from rollbook.domain.base.errors import NotFound, not_found
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import find_character
from rollbook.projections.contributions import origins_of, put_away
from rollbook.projections.sheet_rows import set_aside
from rollbook.projections.status import Status, status_of


@attrs.frozen(kw_only=True)
class _Asked(Record):
    """A sheet that was asked for: whose, at which moment, of which edition, and whether the requester plays them.

    ``in_words``: it is a foe's, and the GM wishes that players know how foes are in words alone.
    """

    edition: CampaignView
    moment: SheetMoment
    state: CampaignState
    who: CharacterId
    sheet: Sheet
    is_own: bool
    in_words: bool


def sheet_page(context: RequestContext) -> Response:
    """A character's sheet; htmx gets the panel alone."""
    who = context.request.path["who"]
    return _sheet(context, who, follows=f"/c/{context.request.campaign_id}/sheet/{quote(who)}")


def first_sheet(context: RequestContext) -> Response:
    """The sheet that is open as long as nobody has picked one; while nobody has a sheet, that."""
    edition, identity = context.view.edition, context.seated
    status = status_of(edition.state, edition.session.rulebook)
    who = _first(status, identity.seat if identity.audience else "")
    if not context.request.is_fragment:
        return redirect(f"/c/{context.request.campaign_id}" + (f"/sheet/{quote(who)}" if who else "#sheet"))
    if not who:
        return render(context, "sheets/first.html", stand=standing(status), loads=False)
    return _sheet(context, who, follows=f"/c/{context.request.campaign_id}/sheets")


def _first(status: Status, seat: str) -> str:
    """Whose sheet is open at first: a player's own character; for all others the one on turn, or the first there is."""
    people = [*(status.fight.fighters if status.fight else ()), *status.characters]
    own = (who.character for who in people if seat and who.seat == seat)
    on_turn = status.fight.current if status.fight else ""
    return next(own, on_turn or next((who.character for who in people), ""))


def _sheet(context: RequestContext, who: str, *, follows: str) -> Response:
    """The sheet of somebody. ``follows`` is the address under which the panel is asked for again."""
    asked = _asked(context, who)
    return render(
        context,
        "sheets/panel.html" if context.request.is_fragment else "sheets/page.html",
        422 if asked.moment.wrong else 200,
        **_values(asked),
        follows=follows,
        groups=groups_of(asked.sheet),
        aside=set_aside(asked.state.characters[asked.who]),
    )


def why_page(context: RequestContext) -> Response:
    """What a number is made of, by which rules and actions, and what corrections have put away from it."""
    asked = _asked(context, context.request.path["who"])
    key, moment = context.request.path["key"], asked.moment
    if asked.in_words:
        raise NotFound(f"The numbers of {asked.sheet.name} are the GM's.")
    value = asked.sheet.value(key)
    if value is None:
        raise not_found(f"value on {asked.sheet.name}'s sheet", key, (each.label for each in asked.sheet.values))
    history = moment.history(asked.edition)
    origins = origins_of(history, asked.sheet, value, moment.place.action)
    until = history.head if moment.corrected else moment.place.entry
    gone = put_away(history, asked.edition.session.rulebook, asked.who, value.key, until)
    why = why_view(asked.sheet, value, origins, gone)
    return render(
        context,
        "sheets/why_terms.html" if context.request.is_fragment else "sheets/why.html",
        **_values(asked),
        why=why,
    )


def _values(asked: _Asked) -> dict[str, object]:
    return {
        "campaign_name": asked.edition.state.name,
        "sheet": asked.sheet,
        "moment": asked.moment,
        "who": asked.state.characters[asked.who],
        "is_own": asked.is_own,
        "in_words": asked.in_words,
        "title": f"{asked.sheet.name} · {asked.edition.state.name}",
    }


def _asked(context: RequestContext, named: str) -> _Asked:
    """Raises NotFound for somebody whom the requester does not know, or who was not there at the moment."""
    identity = context.seated
    edition = context.view.table.edition(identity.audience)
    who = find_character(edition.state, named)
    moment = asked_moment(context.request.query, edition)
    state = moment.state(edition)
    if who not in state.characters:
        name = edition.state.characters[who].name
        raise NotFound(f"{name} was not in play yet, {moment.title}.")
    sheet = edition.session.rulebook.sheet(state.characters[who], state)
    is_own = identity.role is Role.PLAYER and state.characters[who].seat == identity.seat
    if is_own:
        sheet = _own(context, moment, who, sheet)
    in_words = who in edition.session.in_words
    return _Asked(edition=edition, moment=moment, state=state, who=who, sheet=sheet, is_own=is_own, in_words=in_words)


def _own(context: RequestContext, moment: SheetMoment, who: CharacterId, told: Sheet) -> Sheet:
    true = moment.true_state(context.view.table, context.seated.audience)
    character = true.characters.get(who)
    return told if character is None else own_sheet(told, context.view.campaign.session.rulebook.sheet(character, true))


PAGES = (
    Page(path="/c/{campaign}/sheets", handler=first_sheet, panel="sheet"),
    Page(path="/c/{campaign}/sheet/{who}", handler=sheet_page, panel="sheet"),
    Page(path="/c/{campaign}/why/{who}/{key:path}", handler=why_page, where=Where.SLOW),
    Page(path="/c/{campaign}/charts/{who}", handler=charts_page, where=Where.SLOW),
)
