"""The page of the board, and a move that is planned on it: each step is an address, so it works with links alone."""

from starlette.responses import Response

from rollbook.adapters.web.acting.panel import Weighed, weigh
from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.board.frame import NO_SQUARE, read_way
from rollbook.adapters.web.board.views import BoardView, Planned, board_view
from rollbook.adapters.web.pages.page import RequestContext, redirect, render
from rollbook.adapters.web.pages.templating import new_command
from rollbook.adapters.web.table.standing import StandingView, standing
from rollbook.application.forms.verb_form import Filled
from rollbook.application.view import CampaignView
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.events import Role
from rollbook.domain.rules.board import Square, SquareMap
from rollbook.projections.status import status_of


def board_page(context: RequestContext) -> Response:
    """The board of now, and with ``who`` and ``way`` a planned move; htmx gets the part that changes."""
    edition = context.view.edition
    found = edition.session.rulebook.square_map(edition.state)
    stand = standing(status_of(edition.state, edition.session.rulebook))
    values: dict[str, object] = {"page_name": "Board", "cursor": context.view.cursor, "stand": stand}
    if found is None:
        faults = edition.session.rulebook.take_faults()
        return render(context, "board/none.html", faults=faults, **values)
    return _drawn(context, edition, found, stand, values)


def board_here(context: RequestContext) -> Response:
    """The board of now as a part of the table's page: its pieces lead to the page where moves are planned."""
    edition = context.view.edition
    found = edition.session.rulebook.square_map(edition.state)
    if found is None or not context.request.is_fragment:
        return redirect(f"{context.request.here}/board")
    stand = standing(status_of(edition.state, edition.session.rulebook))
    people = {each.character: each for each in (*stand.fighters, *stand.others)}
    movers = tuple(who for who in found.movers if _may_act(context, edition, who))
    board = board_view(f"{context.request.here}/board", found, people, movers)
    return render(context, "board/here.html", board=board, plan=None, faults=edition.session.rulebook.take_faults())


def _drawn(
    context: RequestContext, edition: CampaignView, found: SquareMap, stand: StandingView, values: dict[str, object]
) -> Response:
    people = {each.character: each for each in (*stand.fighters, *stand.others)}
    movers = tuple(who for who in found.movers if _may_act(context, edition, who))
    who = _mover(context, edition, found, movers)
    way, wrong = _way(context, found, who)
    here = f"{context.request.here}/board"
    planned = _planned(context, edition, who, way) if who else None
    board = board_view(here, found, people, movers, planned)
    return render(
        context,
        "board/main.html" if context.request.is_fragment else "board/page.html",
        422 if wrong else 200,
        board=board,
        wrong=wrong,
        typed=context.request.query.get("to", ""),
        weighed=_weighed(context, board),
        command=new_command(),
        faults=edition.session.rulebook.take_faults(),
        **values,
    )


def _may_act(context: RequestContext, edition: CampaignView, who: CharacterId) -> bool:
    """Whether the requester moves somebody: the GM everybody, a player their own."""
    identity = context.seated
    if identity.is_gm:
        return True
    return identity.role is Role.PLAYER and edition.state.characters[who].seat == identity.seat


def _mover(
    context: RequestContext, edition: CampaignView, found: SquareMap, movers: tuple[CharacterId, ...]
) -> CharacterId:
    """For whom a move is planned: who is named, or who has the turn; "" for nobody."""
    asked = context.request.query.get("who", "")
    if asked in found.stands and _may_act(context, edition, asked):
        return asked
    current = edition.state.encounter.current if edition.state.encounter else ""
    return current if current in movers else ""


def _way(context: RequestContext, found: SquareMap, who: CharacterId) -> tuple[tuple[Square, ...], str]:
    """The way that is asked for, and what is wrong with how it is written. ``to`` is a square that was typed."""
    if not who:
        return (), ""
    up = found.stands[who].square[2]
    for text in (context.request.query.get("to", ""), context.request.query.get("way", "")):
        way = read_way(text, up)
        if way is None:
            return (), NO_SQUARE
        if way:
            return way, ""
    return (), ""


def _planned(
    context: RequestContext, edition: CampaignView, who: CharacterId, way: tuple[Square, ...]
) -> Planned | None:
    rules, seat = edition.session.rulebook, context.seated.acts_as or ""
    begun = rules.planned_move(edition.state, who, (), seat=seat)
    plan = rules.planned_move(edition.state, who, way, seat=seat) if way else begun
    if begun is None or plan is None:
        return None
    safer = rules.planned_move(edition.state, who, plan.safer, seat=seat) if plan.safer else None
    return Planned(who=who, plan=plan, reachable=begun.onward, safer_cost=safer.cost if safer else 0)


def _weighed(context: RequestContext, board: BoardView) -> Weighed | None:
    """The odds of a planned move on which somebody gets an opening."""
    plan = board.plan
    if plan is None or not plan.openings or plan.refused:
        return None
    seat_context = seat_context_of(context)
    filled = Filled({name: (value,) for name, value in plan.fields})
    return weigh(seat_context, seat_context.verb(plan.verb), filled)
