"""The acting panel: turn, verbs, the form of a verb with its odds, open choices; and the actions taken there."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import attrs
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import Response

from rollbook.adapters.web.acting.buttons import CHOOSE, Buttons, buttons_of
from rollbook.adapters.web.acting.handling import Arrivals, HandlesOf, arrivals_of, handles_of
from rollbook.adapters.web.acting.odds import Weighed, weigh
from rollbook.adapters.web.acting.seat_context import SeatContext, seat_context_of
from rollbook.adapters.web.acting.taking import Unsound, take_filled
from rollbook.adapters.web.pages.page import RequestContext, redirect, render, status_of_fault
from rollbook.adapters.web.pages.templating import new_command
from rollbook.application.forms.fields import Offer
from rollbook.application.forms.verb_form import ACTS_AS, COMMAND, Filled, VerbForm, blamed, form_of
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.seat_view import is_down
from rollbook.application.lines.verb_line import ParsedLine
from rollbook.domain.base.errors import RollbookError, not_found
from rollbook.domain.base.records import Record
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import NoDiceHere
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import CharacterJoined
from rollbook.domain.rules.action import Action
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import shown_names
from rollbook.projections.database import COUNTS
from rollbook.projections.session_log import LogLine, SqlCondition

BACK = {"board": "/board"}
"""Pages a form may ask to return to, besides the log."""

Chosen = tuple[str, str | None]
"""The character to act ("": none in particular), and the turn of that choice, None if it is just being made."""


@attrs.frozen(kw_only=True)
class OpenChoiceView(Record):
    """A decision that a character has still to make, with its options."""

    who: str
    name: str
    choice: str
    options: tuple[Offer, ...]


@attrs.frozen(kw_only=True)
class WhoseTurn(Record):
    """The heading of the panel, current even above a form. ``is_turn``: it is the turn of a character of the seat."""

    heading: str
    is_turn: bool


@attrs.frozen(kw_only=True)
class Panel(WhoseTurn):
    """All that the acting panel shows. ``last`` is the last action that the seat may undo; a form is shown without it.

    ``arrivals`` are shown where there is neither a form nor handles.

    ``said`` is the last action's outcome, ``fault`` a refusal that no form shows.

    ``turn`` is the turn at which ``who`` was chosen: in a fight the choice ends with it. ``is_own_turn``: it is that of
    ``who``.
    """

    who: str
    turn: str
    name: str
    is_own_turn: bool
    actors: tuple[Offer, ...]
    buttons: Buttons
    choices: tuple[OpenChoiceView, ...]
    is_paused: bool
    form: VerbForm | None = None
    weighed: Weighed | None = None
    handles: HandlesOf | None = None
    arrivals: Arrivals | None = None
    last: LogLine | None = None
    command: str
    said: str = ""
    fault: str = ""


def panel_of(
    context: RequestContext,
    *,
    form: VerbForm | None = None,
    handles: HandlesOf | None = None,
    chosen: Chosen | None = None,
    newest: LogLine | None = None,
    command: str = "",
    **shown: Any,
) -> Panel:
    """The panel of an acting seat. ``chosen`` is the character who just acted; ``shown`` are more of its fields.

    ``newest`` is the newest line of the log, where that has just been read.
    """
    seat_context = seat_context_of(context)
    state, actors = seat_context.edition.state, seat_context.own
    who = actor_of(seat_context, chosen or _chosen_by(context, form))
    now = whose_turn(seat_context)
    return Panel(
        heading=now.heading,
        is_turn=now.is_turn,
        who=who,
        turn=_turn_key(state),
        name=shown_names(seat_context.view.characters()).get(who, ""),
        is_own_turn=bool(who) and who == seat_context.current,
        actors=actors if len(actors) > 1 else (),
        buttons=buttons_of(seat_context, who),
        choices=tuple(_open_choices(seat_context)),
        is_paused=state.paused,
        form=form,
        handles=handles,
        arrivals=arrivals_of(seat_context) if form is None and handles is None else None,
        last=_last_of(context, newest) if form is None else None,
        command=command or new_command(),
        **shown,
    )


def _last_of(context: RequestContext, newest: LogLine | None) -> LogLine | None:
    """The last action that counts: of anybody for the GM, and of their own for a player."""
    edition, identity = context.view.edition, context.seated
    if newest is not None and newest.status == COUNTS and (identity.is_gm or newest.seat == identity.seat):
        return newest
    only = SqlCondition("status = ?", (COUNTS,))
    if not identity.is_gm:
        only = SqlCondition("status = ? AND seat = ?", (COUNTS, identity.seat))
    return next(iter(edition.read_model.log(edition.id, last=1, where=only)), None)


def _turn_key(state: CampaignState) -> str:
    """A key that tells one turn of a fight from every other, "" outside a fight."""
    fight = state.encounter
    return f"{fight.round}.{fight.current}" if fight is not None else ""


def whose_turn(seat_context: SeatContext) -> WhoseTurn:
    """The heading that says whose turn it is. For a player with several characters it names the character."""
    names, current = shown_names(seat_context.view.characters()), seat_context.current
    own = [offer.value for offer in seat_context.own]
    if current not in names:
        return WhoseTurn(heading="What do you do?", is_turn=False)
    if seat_context.is_gm or current not in own:
        return WhoseTurn(heading=f"{names[current]}’s turn", is_turn=current in own)
    return WhoseTurn(heading=f"Your turn: {names[current]}" if len(own) > 1 else "Your turn", is_turn=True)


def _chosen_by(context: RequestContext, form: VerbForm | None = None) -> Chosen:
    """The character that a form or an address asks for; the address of an open panel has the turn of that choice."""
    if form is not None and form.actor is not None:
        return form.actor.value, None
    query = context.request.query
    return query.get(ACTS_AS, query.get("who", "")), query.get("turn")


def _chosen_after(seat_context: SeatContext, verb: type[Action], filled: Filled, acts_as: str) -> Chosen:
    """The actor after an action: in a fight the panel's, until the turn passes on; else the last one; "" if down."""
    state, who = seat_context.edition.state, acts_as
    if state.encounter is None:
        actor = _form(seat_context, verb, filled).actor
        who = acts_as if actor is None else actor.value
    known = seat_context.view.character(who)
    return "" if known is None or is_down(known) else who, _turn_key(state)


def actor_of(seat_context: SeatContext, chosen: Chosen) -> str:
    """The actor: the chosen one until the turn passes on; else the one whose turn it is, or the last one if able."""
    state, current = seat_context.edition.state, seat_context.current
    own = [offer.value for offer in seat_context.own]
    able = [who for who in own if not is_down(state.characters[who])]
    last = seat_context.short.last(seat_context.edition).actor
    asked, turn = chosen
    is_old = turn is not None and turn != _turn_key(state)
    wanted = (current, asked if asked in able else "") if is_old else (asked, current)
    usual = (*wanted, last if last in able else "", *able, *own)
    return next((who for who in usual if who in own), "")


def _open_choices(seat_context: SeatContext) -> Iterator[OpenChoiceView]:
    """The open decisions of the characters that the seat acts for."""
    for offer in seat_context.own:
        for choice, open_choice in seat_context.edition.state.characters[offer.value].choices.items():
            options = tuple(Offer(option.key, option.label or option.key) for option in open_choice.options)
            yield OpenChoiceView(who=offer.value, name=offer.label, choice=choice, options=options)


# Pages of the panel.


def answer(context: RequestContext, panel: Panel, status: int = 200) -> Response:
    """The panel: by itself for htmx, else on a page of its own."""
    template = "acting/panel.html" if context.request.is_fragment else "acting/page.html"
    return render(context, template, status, act=panel)


def refuse(context: RequestContext, fault: RollbookError) -> Response:
    """The panel, with a refusal that no form shows."""
    return answer(context, panel_of(context, fault=str(fault)), status_of_fault(fault))


def _asked(context: RequestContext, sent: ImmutableMultiDict[str, Any]) -> tuple[SeatContext, type[Action], Filled]:
    """The seat context, the verb of the address, and the fields that were filled in."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(context.request.path["verb"])
    return seat_context, verb, Filled.of(sent, verb)


def _form(seat_context: SeatContext, verb: type[Action], filled: Filled) -> VerbForm:
    form = form_of(seat_context.edition, verb, seat_context.seat, seat_context.short, filled)
    assert form is not None
    return form


def _is_complete(form: VerbForm) -> bool:
    """True if all required fields are filled in, so that the action can be weighed."""
    return all(field.value for field in form.fields if field.is_required)


def show_panel(context: RequestContext) -> Response:
    """Show the verbs of the seat."""
    return answer(context, panel_of(context))


ASKED = ("points", "condition")
"""The parts of a character's card that are handles of their own."""


def show_handles(context: RequestContext) -> Response:
    """Show all that the seat may do to one character, who was tapped in the fight or on the board."""
    seat_context = seat_context_of(context)
    name, asked = str(context.request.path["who"]), context.request.query.get("on", "")
    who = seat_context.view.character(name)
    if who is None:
        raise not_found("character", name, (each.id for each in seat_context.view.characters()))
    actor = actor_of(seat_context, _chosen_by(context))
    handles = handles_of(seat_context, who, actor, asked if asked in ASKED else "")
    return answer(context, panel_of(context, handles=handles))


def show_form(context: RequestContext) -> Response:
    """The form of a verb, filled in from the address and with usual values, with its odds."""
    seat_context, verb, filled = _asked(context, context.request.query)
    if not filled.values and ACTS_AS in context.request.query:
        filled = Filled.acting(verb, actor_of(seat_context, _chosen_by(context)))
    form = _form(seat_context, verb, filled)
    stands_there = Filled({**{field.name: field.values for field in form.fields}, **filled.values})
    weighed = weigh(seat_context, verb, stands_there) if _is_complete(form) else None
    return answer(context, panel_of(context, form=form, weighed=weighed))


def show_odds(context: RequestContext, *, is_last: bool = False) -> Response:
    """The odds of a filled-in form. Long counts have a thread of their own (``is_last``), some seconds at most."""
    seat_context, verb, filled = _asked(context, context.request.query)
    form = _form(seat_context, verb, filled)
    is_weighed = is_last or _is_complete(form)
    weighed = weigh(seat_context, verb, filled, is_last=is_last) if is_weighed else Weighed()
    return render(context, "acting/odds.html", weighed=weighed, form=form)


def take(context: RequestContext) -> Response:
    """Take the action. A refusal is shown beside the form, which stays filled in."""
    seat_context, verb, filled = _asked(context, context.request.form)
    chosen = _chosen_after(seat_context, verb, filled, context.request.sent(ACTS_AS))
    try:
        taken = take_filled(seat_context, verb, filled)
    except Unsound as wrong:
        form = _form(seat_context, verb, filled)
        marked = form.with_faults(wrong.read.faults, dice_fault=wrong.read.dice_fault)
        return _again(context, seat_context, verb, marked, 422)
    except RollbookError as fault:
        form = _form(seat_context, verb, filled)
        is_of_dice = isinstance(fault, (DiceError, NoDiceHere)) and not fault.parameter
        marked = form.with_faults({}, dice_fault=str(fault)) if is_of_dice else blamed(form, fault)
        return _again(context, seat_context, verb, marked, status_of_fault(fault))
    finally:
        context.view.follow()
    if not context.request.is_fragment:
        back = BACK.get(context.request.sent("roll.back"), _after(taken.entry))
        return redirect(f"{context.request.here}{back}")
    return _done(context, *taken.remarks, chosen=chosen)


def _after(entry: RecordedEntry) -> str:
    """The address after an action: the open choices of a newcomer, otherwise the log."""
    who = next((event.character for event in entry.events if isinstance(event, CharacterJoined)), "")
    return f"/act?who={quote(who)}" if who else "#log"


def _again(
    context: RequestContext, seat_context: SeatContext, verb: type[Action], form: VerbForm, status: int
) -> Response:
    """The form as it was sent, with the same command id and with its faults."""
    weighed = weigh(seat_context, verb, form.filled) if status != 422 or not any(f.fault for f in form.fields) else None
    panel = panel_of(context, form=form, weighed=weighed, command=form.filled.text(COMMAND))
    return answer(context, panel, status)


def _done(context: RequestContext, *remarks: str, chosen: Chosen | None = None) -> Response:
    """The panel after an action, with the log's sentence for it, as the seat sees it."""
    edition = context.view.edition
    newest = next(iter(edition.read_model.log(edition.id, last=1)), None)
    said = " ".join((newest.sentence if newest is not None else "", *remarks))
    return answer(context, panel_of(context, chosen=chosen, newest=newest, said=said))


def pick(context: RequestContext) -> Response:
    """Make an open choice. The rules' reason against it is shown beside the choice, which stays open."""
    seat_context = seat_context_of(context)
    given = {name: context.request.sent(name) for name in ("who", "choice", "picked")}
    try:
        verb = seat_context.verb(CHOOSE)
        turn = turn_of(seat_context.edition, verb, ParsedLine(given=given), seat=seat_context.seat, said=lambda _: None)
        seat_context.take(turn, command=context.request.sent("command"))
    except RollbookError as fault:
        return refuse(context, fault)
    finally:
        context.view.follow()
    if not context.request.is_fragment:
        return redirect(f"{context.request.here}/act?who={given['who']}")
    return _done(context)
