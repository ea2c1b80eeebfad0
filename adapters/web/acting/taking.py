"""Taking an action by its form, and its odds before it is taken."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import Response

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
from rollbook.adapters.web.faults import status_of_fault
from rollbook.adapters.web.pages.request_context import RequestContext
from rollbook.adapters.web.pages.responses import redirect, render
from rollbook.application.forms.verb_form import ACTS_AS, COMMAND, Filled, VerbForm, blamed, read
from rollbook.application.lines.performing import turn_of, unused_dice
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
    name = context.view.edition.state.name
    template = "acting/panel.html" if context.request.is_fragment else "acting/page.html"
    return render(context, template, status, act=panel, campaign_name=name)


def show_panel(context: RequestContext) -> Response:
    """The verbs of the seat."""
    return answer(context, panel_of(context))


def show_form(context: RequestContext) -> Response:
    """The form of a verb, filled in as far as the address says and as is usual, with its odds."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(context.request.path["verb"])
    filled = Filled.of(context.request.query, verb)
    if not filled.values and ACTS_AS in context.request.query:
        filled = Filled.acting(verb, actor_of(seat_context, chosen_by(context)))
    form = form_for(seat_context, verb, filled)
    weighed = weigh(seat_context, verb, as_filled(form)) if is_complete(form) else None
    return answer(context, panel_of(context, form=form, weighed=weighed))


def show_odds(context: RequestContext) -> Response:
    """The odds of what is filled in. What takes long to count is counted in a thread of its own, and asked for again."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(context.request.path["verb"])
    filled = Filled.of(context.request.query, verb)
    form = form_for(seat_context, verb, filled)
    weighed = weigh(seat_context, verb, filled) if is_complete(form) else Weighed()
    return render(context, "acting/odds.html", weighed=weighed, form=form)


def count_odds(context: RequestContext) -> Response:
    """The same, however long it takes: some seconds at most."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(context.request.path["verb"])
    filled = Filled.of(context.request.query, verb)
    return render(
        context,
        "acting/odds.html",
        weighed=weigh(seat_context, verb, filled, is_last=True),
        form=form_for(seat_context, verb, filled),
    )


def take(context: RequestContext) -> Response:
    """Take the action. What is refused is said beside the form, with what was filled in still there."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(context.request.path["verb"])
    filled = Filled.of(context.request.form, verb)
    form = form_for(seat_context, verb, filled)
    found = read(seat_context.edition, verb, filled, known_only=not seat_context.is_gm)
    if not found.is_sound:
        return _again(context, seat_context, verb, form.with_faults(found.faults, dice_fault=found.dice_fault), 422)
    unused: list[str] = []
    chosen = chosen_after(seat_context, form, str(context.request.form.get(ACTS_AS, "")))
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
        back = BACK.get(str(context.request.form.get("roll.back", "")), _after(entry))
        return redirect(f"/c/{context.request.campaign_id}{back}")
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
