"""The page of the board, and moves that are planned on it: each step is an address, so links are enough."""

from collections.abc import Callable, Iterable
from functools import partial
from weakref import WeakKeyDictionary

from starlette.responses import Response

from rollbook.adapters.web.acting.odds import Weighed, weigh
from rollbook.adapters.web.acting.panel import panel_of
from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.acting.turn_band import turn_band
from rollbook.adapters.web.board.frame import NO_SQUARE, KeptFrame, read_way
from rollbook.adapters.web.board.maps import lay_map, map_form
from rollbook.adapters.web.board.views import BoardView, Placing, Plan, board_view
from rollbook.adapters.web.pages.page import SEATED, RequestContext, redirect, render, status_of_fault
from rollbook.adapters.web.pages.portraits import portraits_of
from rollbook.adapters.web.pages.templating import new_command
from rollbook.adapters.web.table.standing import StandingView, standing
from rollbook.application.forms.verb_form import Filled
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.events import Role
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.board import Square, SquareMap
from rollbook.domain.rules.handles import Handle, HandleKind
from rollbook.projections.status import status_of


def lay_map_there(context: RequestContext) -> Response:
    """Lay a map under the squares, or take it away, as the form says."""
    try:
        lay_map(context)
    except RollbookError as fault:
        return board_page(context, fault)
    finally:
        context.view.follow()
    return redirect(f"{context.request.here}/board")


def board_page(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Show the current board, and with ``who`` and ``way`` a planned move; htmx gets the part that changes.

    ``fault`` is that of the map that was sent.
    """
    found, stand = _now(context)
    values: dict[str, object] = {"page_name": "Board", "cursor": context.view.cursor, "stand": stand}
    rules = context.view.edition.session.rulebook
    if found is None:
        return render(context, "board/none.html", faults=rules.take_faults(), **values)
    placing = _placing(context, found)
    who = "" if placing else _mover(context, found)
    way, wrong = _way(context, found, who)
    board = _board(context, found, stand, _planned(context, found, who, way) if who else None, placing, is_whole=True)
    is_whole = not context.request.is_fragment
    return render(
        context,
        "board/main.html" if context.request.is_fragment else "board/page.html",
        status_of_fault(fault) if fault else 422 if wrong else 200,
        board=board,
        wrong=wrong,
        typed=context.request.query.get("to", ""),
        weighed=_weighed(context, board.plan),
        command=new_command(),
        faults=rules.take_faults(),
        latest=_latest(context),
        can_place=_placer(context) is not None,
        map_form=map_form(context, "" if fault is None else str(fault)) if context.seated.is_gm else None,
        act=panel_of(context) if is_whole and context.seated.role in SEATED else None,
        band=turn_band(seat_context_of(context), stand.status.fight) if context.seated.role in SEATED else None,
        **values,
    )


def _latest(context: RequestContext) -> str:
    """The newest line of the log, with all that it came to."""
    edition = context.view.edition
    lines = edition.read_model.log(edition.id, last=1)
    return lines[0].sentence if lines else ""


def _placer(context: RequestContext) -> tuple[type[Action], Handle] | None:
    """The verb by which the requester puts anybody on a square, None if there is none for them."""
    return seat_context_of(context).handles.get(HandleKind.PLACE) if context.seated.role in SEATED else None


def _placing(context: RequestContext, found: SquareMap) -> Placing | None:
    """The character whom the GM puts somewhere, by the address."""
    asked, placer = context.request.query.get("place", ""), _placer(context)
    if placer is None or asked not in found.stands:
        return None
    verb, handle = placer
    up = found.stands[asked].square[2]
    way = read_way(context.request.query.get("to", ""), up) or ()
    to = way[-1] if way else None
    parts = tuple(map(str, to or ()))
    at = zip(handle.at, parts, strict=False) if len(handle.at) > 1 else ((handle.at[0], ",".join(parts)),)
    fields = ((handle.who, asked), *at) if to else ()
    return Placing(here=f"{context.request.here}/board", who=asked, verb=verb.verb, to=to, fields=fields)


_FRAMES: WeakKeyDictionary[CampaignView, KeptFrame] = WeakKeyDictionary()
"""The part of the map that each edition was shown in its fight."""


def _kept(context: RequestContext) -> Callable[[Iterable[Square]], Iterable[Square]]:
    """The squares that were shown to this audience in the same fight, beside those that have to be."""
    edition = context.view.edition
    fight = edition.state.encounter
    if fight is None:
        return tuple
    return partial(_FRAMES.setdefault(edition, KeptFrame()).with_these, (fight.title, edition.state.scene))


def board_here(context: RequestContext) -> Response:
    """Show the current board as a part of the table's page: its pieces link to the page where moves are planned."""
    found, stand = _now(context)
    if found is None or not context.request.is_fragment:
        return redirect(f"{context.request.here}/board")
    faults = context.view.edition.session.rulebook.take_faults()
    return render(context, "board/here.html", board=_board(context, found, stand), faults=faults)


def _now(context: RequestContext) -> tuple[SquareMap | None, StandingView]:
    """The map of the squares, None if the game is not played on squares, and the standing of the table."""
    state, rules = context.view.edition.state, context.view.edition.session.rulebook
    return rules.square_map(state), standing(status_of(state, rules), portraits_of(context, state))


def _board(
    context: RequestContext,
    found: SquareMap,
    stand: StandingView,
    plan: Plan | None = None,
    placing: Placing | None = None,
    *,
    is_whole: bool = False,
) -> BoardView:
    people = {each.status.character: each for each in (*stand.fighters, *stand.others)}
    movers = tuple(who for who in found.movers if _may_act(context, who))
    here = f"{context.request.here}/board"
    laid = context.view.edition.state.board_map
    under = (laid, f"{context.request.here}/pictures/{laid.digest}") if laid else None
    kept = _kept(context)
    return board_view(here, found, people, movers, plan, placing=placing, kept=kept, laid=under, is_whole=is_whole)


def _may_act(context: RequestContext, who: CharacterId) -> bool:
    """True if the requester may move a character: the GM any, a player their own."""
    identity = context.seated
    if identity.is_gm:
        return True
    return identity.role is Role.PLAYER and context.view.edition.state.characters[who].seat == identity.seat


def _mover(context: RequestContext, found: SquareMap) -> CharacterId:
    """The character to plan a move for: the one named, or the one whose turn it is; "" for none."""
    asked, fight = context.request.query.get("who", ""), context.view.edition.state.encounter
    if asked in found.stands and _may_act(context, asked):
        return asked
    return fight.current if fight and fight.current in found.movers and _may_act(context, fight.current) else ""


def _way(context: RequestContext, found: SquareMap, who: CharacterId) -> tuple[tuple[Square, ...], str]:
    """The way of the address, and what is wrong with how it is written. ``to`` is a square that was typed."""
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


def _planned(context: RequestContext, found: SquareMap, who: CharacterId, way: tuple[Square, ...]) -> Plan | None:
    rules, state, seat = context.view.edition.session.rulebook, context.view.edition.state, context.seated.acts_as or ""
    begun = rules.planned_move(state, who, (), seat=seat)
    move = rules.planned_move(state, who, way, seat=seat) if way else begun
    if begun is None or move is None:
        return None
    safer = rules.planned_move(state, who, move.safer, seat=seat) if move.safer else None
    return Plan(
        here=f"{context.request.here}/board",
        who=who,
        start=found.stands[who].square,
        move=move,
        reachable=begun.onward,
        safer_cost=safer.cost if safer else 0,
    )


def _weighed(context: RequestContext, plan: Plan | None) -> Weighed | None:
    """The odds of a planned move that gives an enemy an opening; None for other moves."""
    if plan is None or not plan.move.openings or plan.move.refused:
        return None
    seat_context = seat_context_of(context)
    filled = Filled({name: (value,) for name, value in plan.fields})
    return weigh(seat_context, seat_context.verb(plan.move.verb), filled)
