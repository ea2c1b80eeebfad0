"""Taking an action by its form or an open choice by its button, and its odds before it is taken."""

from typing import Any
from urllib.parse import quote

import attrs
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import Response

from rollbook.adapters.web.acting.buttons import CHOOSE
from rollbook.adapters.web.acting.panel import (
    Panel,
    Weighed,
    actor_of,
    as_filled,
    chosen_after,
    chosen_by,
    form_for,
    is_complete,
    panel_of,
    weigh,
)
from rollbook.adapters.web.acting.seat_context import SeatContext, seat_context_of
from rollbook.adapters.web.pages.page import RequestContext, redirect, render, status_of_fault
from rollbook.application.forms.verb_form import ACTS_AS, COMMAND, Filled, VerbForm, blamed, read
from rollbook.application.lines.performing import turn_of, unused_dice
from rollbook.application.lines.verb_line import ParsedLine
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import NoDiceHere
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import CharacterJoined
from rollbook.domain.history.secrecy import may_see
from rollbook.domain.rules.action import Action

BACK = {"board": "/board"}
"""Where a form may ask to go back to, besides the log."""


def answer(context: RequestContext, panel: Panel, status: int = 200) -> Response:
    """The panel: by itself for htmx, else on a page of its own."""
    template = "acting/panel.html" if context.request.is_fragment else "acting/page.html"
    return render(context, template, status, act=panel)


def refuse(context: RequestContext, fault: RollbookError) -> Response:
    """The panel, with what was refused without a form."""
    return answer(context, attrs.evolve(panel_of(context), fault=str(fault)), status_of_fault(fault))


def _asked(context: RequestContext, sent: ImmutableMultiDict[str, Any]) -> tuple[SeatContext, type[Action], Filled]:
    """Who acts, and the verb of the address with what was filled in."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(context.request.path["verb"])
    return seat_context, verb, Filled.of(sent, verb)


def show_panel(context: RequestContext) -> Response:
    """The verbs of the seat."""
    return answer(context, panel_of(context))


def show_form(context: RequestContext) -> Response:
    """The form of a verb, filled in as far as the address says and as is usual, with its odds."""
    seat_context, verb, filled = _asked(context, context.request.query)
    if not filled.values and ACTS_AS in context.request.query:
        filled = Filled.acting(verb, actor_of(seat_context, chosen_by(context)))
    form = form_for(seat_context, verb, filled)
    weighed = weigh(seat_context, verb, as_filled(form)) if is_complete(form) else None
    return answer(context, panel_of(context, form=form, weighed=weighed))


def show_odds(context: RequestContext, *, is_last: bool = False) -> Response:
    """The odds of what is filled in. What takes long is counted in a thread of its own (``is_last``), some seconds at most."""
    seat_context, verb, filled = _asked(context, context.request.query)
    form = form_for(seat_context, verb, filled)
    is_weighed = is_last or is_complete(form)
    weighed = weigh(seat_context, verb, filled, is_last=is_last) if is_weighed else Weighed()
    return render(context, "acting/odds.html", weighed=weighed, form=form)


def take(context: RequestContext) -> Response:
    """Take the action. What is refused is said beside the form, with what was filled in still there."""
    seat_context, verb, filled = _asked(context, context.request.form)
    form = form_for(seat_context, verb, filled)
    found = read(seat_context.edition, verb, filled, known_only=not seat_context.is_gm)
    if not found.is_sound:
        return _again(context, seat_context, verb, form.with_faults(found.faults, dice_fault=found.dice_fault), 422)
    unused: list[str] = []
    chosen = chosen_after(seat_context, form, context.request.sent(ACTS_AS))
    try:
        turn = turn_of(seat_context.edition, verb, found.spoken, seat=seat_context.seat, said=unused.append)
        entry = seat_context.take(turn, filled.text(COMMAND))
        if seat_context.is_gm or may_see(seat_context.seat or "", entry):
            unused.extend(unused_dice(turn, entry))
    except RollbookError as fault:
        marked = (
            form.with_faults({}, dice_fault=str(fault))
            if isinstance(fault, (DiceError, NoDiceHere)) and not fault.parameter
            else blamed(form, fault)
        )
        return _again(context, seat_context, verb, marked, status_of_fault(fault))
    finally:
        context.view.follow()
    if not context.request.is_fragment:
        back = BACK.get(context.request.sent("roll.back"), _after(entry))
        return redirect(f"{context.request.here}{back}")
    return answer(context, panel_of(context, said=" ".join((outcome(context), *unused)), chosen=chosen))


def _after(entry: RecordedEntry) -> str:
    """Where a form goes on: at what a newcomer may still choose, else at the log."""
    who = next((event.character for event in entry.events if isinstance(event, CharacterJoined)), "")
    return f"/act?who={quote(who)}" if who else "#log"


def _again(
    context: RequestContext, seat_context: SeatContext, verb: type[Action], form: VerbForm, status: int
) -> Response:
    """The form as it was sent, under the id that it has, with what is wrong."""
    weighed = weigh(seat_context, verb, form.filled) if status != 422 or not any(f.fault for f in form.fields) else None
    panel = panel_of(context, form=form, weighed=weighed, command=form.filled.text(COMMAND))
    return answer(context, panel, status)


def outcome(context: RequestContext) -> str:
    """What came of the last action, as the seat sees it."""
    edition = context.view.edition
    lines = edition.read_model.log(edition.id, last=1)
    return lines[0].sentence if lines else ""


def pick(context: RequestContext) -> Response:
    """Choose. What the rules have against it is said beside the choice, which stays open."""
    seat_context = seat_context_of(context)
    given = {name: context.request.sent(name) for name in ("who", "choice", "picked")}
    try:
        verb = seat_context.verb(CHOOSE)
        turn = turn_of(seat_context.edition, verb, ParsedLine(given=given), seat=seat_context.seat, said=lambda _: None)
        seat_context.take(turn, context.request.sent("command"))
    except RollbookError as fault:
        return refuse(context, fault)
    finally:
        context.view.follow()
    if not context.request.is_fragment:
        return redirect(f"{context.request.here}/act?who={given['who']}")
    return answer(context, panel_of(context, said=outcome(context)))
