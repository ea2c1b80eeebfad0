"""Reading by a token: campaigns, state, sheets, the log after a cursor, verbs, and odds before any die falls."""

from collections.abc import Iterable, Sequence

from starlette.responses import Response

from rollbook.adapters.line_commands.json import plain
from rollbook.adapters.line_commands.views.board import status_json
from rollbook.adapters.line_commands.views.log import line_json
from rollbook.adapters.line_commands.views.odds import odds_json
from rollbook.adapters.line_commands.views.sheet import sheet_json
from rollbook.adapters.line_commands.views.verbs import verb_json
from rollbook.adapters.web.acting.odds import foresee
from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.acting.taking import sound
from rollbook.adapters.web.api.endpoint import answered, check_known, number_in
from rollbook.adapters.web.pages.page import RequestContext
from rollbook.adapters.web.sheets.pages import asked_sheet
from rollbook.adapters.web.table.log_pages import corrected_in
from rollbook.application.forms.verb_form import Filled
from rollbook.application.visibility.editions.live import AnyEdition
from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.forecast.search import MOST_STEPS
from rollbook.domain.rules.action import Action, is_the_gms, user_parameters
from rollbook.projections.session_log import LogLine, SqlCondition, Wanted
from rollbook.projections.status import status_of

USUAL_LINES, MOST_LINES = 100, 500
"""Lines of the log in one answer."""


def list_campaigns(context: RequestContext) -> Response:
    """The campaigns that the token leads to: one, which need not be open."""
    check_known(context.request)
    name = context.services.sessions.who_sits[context.seated.campaign].name
    return answered({"campaigns": [_row(context, name)]})


def _row(context: RequestContext, name: str) -> dict[str, object]:
    identity = context.seated
    return {
        "campaign": identity.campaign,
        "name": name,
        "seat": identity.seat,
        "role": identity.role,
        "scopes": sorted(identity.scopes or ()),
    }


def show_campaign(context: RequestContext) -> Response:
    """The campaign with its game, and the seat and the scopes of the token."""
    check_known(context.request)
    state = context.view.edition.state
    game = {"ruleset": state.ruleset, "version": state.version, "cursor": context.view.cursor}
    return answered({**_row(context, state.name), **game})


def show_state(context: RequestContext) -> Response:
    """The status: the fight and its turns, or the scene and who is in it."""
    check_known(context.request)
    edition = context.view.edition
    status = status_of(edition.state, edition.session.rulebook)
    return answered({"cursor": context.view.cursor, "status": status_json(status)})


def list_sheets(context: RequestContext) -> Response:
    """The characters whom the seat knows of."""
    check_known(context.request)
    people = context.view.edition.state.characters.values()
    rows = [
        {"character": who.id, "name": who.name, "kind": who.kind, "seat": who.seat, "is_present": who.present}
        for who in people
    ]
    return answered({"cursor": context.view.cursor, "characters": rows})


def show_sheet(context: RequestContext) -> Response:
    """A sheet, now or at a moment (``at``), as it was known then or as it has been corrected since (``as``)."""
    check_known(context.request, "at", "as")
    asked = asked_sheet(context, context.request.path["who"])
    if asked.moment.wrong:
        raise Refused(asked.moment.wrong, parameter="at")
    return answered(sheet_json(asked.sheet))


def show_log(context: RequestContext) -> Response:
    """The lines of the log after a cursor, and the earlier ones that are corrected by them."""
    check_known(context.request, "after", "limit")
    most, cursor = number_in(context.request, "limit", USUAL_LINES, MOST_LINES), context.request.query.get("after", "")
    edition = context.view.edition
    since = edition.read_up_to(cursor) if cursor else 0
    rows = _rows_after(edition, since or 0, most + 1)
    lines, is_more = rows[:most], len(rows) > most
    changed = _changed(edition, lines, since) if since else []
    return answered(
        {
            "cursor": edition.cursor_at(lines[-1].entry) if is_more else context.view.cursor,
            "lines": list(map(line_json, lines)),
            "changed": list(map(line_json, changed)),
            "reset": since is None,
            "more": is_more,
        }
    )


def _rows_after(edition: AnyEdition, entry: EntryNumber, most: int) -> list[LogLine]:
    wanted = Wanted(campaign=edition.id, where=SqlCondition("entry > ?", (entry,)), everything=True)
    return next(edition.read_model.log_pages(wanted, most), [])


def _changed(edition: AnyEdition, lines: Sequence[LogLine], since: EntryNumber) -> list[LogLine]:
    """The lines up to an entry that are shown otherwise because of those after it."""
    actions = tuple(dict.fromkeys(corrected_in(lines)))
    if not actions:
        return []
    where = SqlCondition(f"entry <= ? AND action IN ({', '.join('?' * len(actions))})", (since, *actions))
    return edition.read_model.log(edition.id, where=where, everything=True)


def list_verbs(context: RequestContext) -> Response:
    """The verbs that the seat may take, the game's own first, with their parameters."""
    check_known(context.request)
    seat_context = seat_context_of(context)
    game = seat_context.edition.session.rulebook.ruleset_of(seat_context.edition.state)
    own = game.actions if game is not None else ()
    verbs = [verb for verb in seat_context.verbs.values() if seat_context.is_gm or not is_the_gms(verb)]
    return answered({"verbs": [plain(verb_json(verb, game.key if game and verb in own else "")) for verb in verbs]})


def show_odds(context: RequestContext) -> Response:
    """The exact chances of an action. Nothing is recorded, and no die is drawn."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(context.request.path["verb"])
    check_parameters(verb, context.request.query)
    found = sound(seat_context, verb, Filled.of(context.request.query, verb))
    foreseen = foresee(seat_context, verb, found.spoken, most_steps=MOST_STEPS)
    if foreseen.forecast is None:
        raise Refused(foreseen.too_many)
    return answered({"verb": verb.verb, "dice": foreseen.dice, "odds": odds_json(foreseen.forecast)})


def check_parameters(verb: type[Action], names: Iterable[str]) -> None:
    """Raise NotFound for the name of a parameter that a verb has not."""
    known = [parameter.name for parameter in user_parameters(verb)]
    for name in names:
        if name not in known:
            raise not_found("parameter", name[:80], known)
