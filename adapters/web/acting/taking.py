"""Taking an action by its form, and its odds before it is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import Response

from rollbook.adapters.web.acting.hands import Hand, hand_of
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
from rollbook.adapters.web.faults import status_of_fault
from rollbook.application.forms.verb_form import ACTS_AS, COMMAND, Filled, VerbForm, blamed, read
from rollbook.application.lines.typed_turns import turn_of, unused_dice
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import NoDiceHere
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import CharacterJoined
from rollbook.domain.history.secrecy import may_see
from rollbook.domain.rules.action import Action

if TYPE_CHECKING:
    from rollbook.adapters.web.pages import Visit

BACK = {"board": "/board"}
"""Where a form may ask to go back to, besides the log."""


def answer(visit: Visit, panel: Panel, status: int = 200) -> Response:
    """The panel: by itself for htmx, else on a page of its own."""
    name = visit.table.edition(visit.seated.audience).state.name
    template = "acting/panel.html" if visit.is_fragment else "acting/page.html"
    return visit.page(template, status, act=panel, campaign_name=name)


def show_panel(visit: Visit) -> Response:
    """The verbs of the seat."""
    return answer(visit, panel_of(visit))


def show_form(visit: Visit) -> Response:
    """The form of a verb, filled in as far as the address says and as is usual, with its odds."""
    hand = hand_of(visit)
    verb = hand.verb(visit.path["verb"])
    filled = Filled.of(visit.query, verb)
    if not filled.values and ACTS_AS in visit.query:
        filled = Filled.acting(verb, actor_of(hand, chosen_by(visit)))
    form = form_for(hand, verb, filled)
    weighed = weigh(hand, verb, as_filled(form)) if is_complete(form) else None
    return answer(visit, panel_of(visit, form=form, weighed=weighed))


def show_odds(visit: Visit) -> Response:
    """The odds of what is filled in. What takes long to count is counted in a thread of its own, and asked for again."""
    hand = hand_of(visit)
    verb = hand.verb(visit.path["verb"])
    filled = Filled.of(visit.query, verb)
    form = form_for(hand, verb, filled)
    weighed = weigh(hand, verb, filled) if is_complete(form) else Weighed()
    return visit.page("acting/odds.html", weighed=weighed, form=form)


def count_odds(visit: Visit) -> Response:
    """The same, however long it takes: some seconds at most."""
    hand = hand_of(visit)
    verb = hand.verb(visit.path["verb"])
    filled = Filled.of(visit.query, verb)
    return visit.page(
        "acting/odds.html", weighed=weigh(hand, verb, filled, is_last=True), form=form_for(hand, verb, filled)
    )


def take(visit: Visit) -> Response:
    """Take the action. What is refused is said beside the form, with what was filled in still there."""
    hand = hand_of(visit)
    verb = hand.verb(visit.path["verb"])
    filled = Filled.of(visit.form, verb)
    form = form_for(hand, verb, filled)
    found = read(hand.edition, verb, filled, known_only=not hand.is_gm)
    if not found.is_sound:
        return _again(visit, hand, verb, form.with_faults(found.faults, dice_fault=found.dice_fault), 422)
    unused: list[str] = []
    chosen = chosen_after(hand, form, str(visit.form.get(ACTS_AS, "")))
    try:
        turn = turn_of(hand.edition, verb, found.spoken, seat=hand.seat, said=unused.append)
        entry = hand.take(turn, filled.text(COMMAND))
        if hand.is_gm or may_see(hand.seat or "", entry):
            unused.extend(unused_dice(turn, entry))
    except RollbookError as fault:
        marked = (
            form.with_faults({}, dice_fault=str(fault))
            if isinstance(fault, (DiceError, NoDiceHere)) and not fault.parameter
            else blamed(form, fault)
        )
        return _again(visit, hand, verb, marked, status_of_fault(fault))
    finally:
        visit.follow()
    if not visit.is_fragment:
        return visit.redirect(f"/c/{visit.campaign_id}{BACK.get(str(visit.form.get('roll.back', '')), _after(entry))}")
    return answer(visit, panel_of(visit, said=" ".join((outcome(visit), *unused)), chosen=chosen))


def _after(entry: RecordedEntry) -> str:
    """Where a form goes on: at what a newcomer may still choose, else at the log."""
    who = next((event.character for event in entry.events if isinstance(event, CharacterJoined)), "")
    return f"/act?who={quote(who)}" if who else "#log"


def _again(visit: Visit, hand: Hand, verb: type[Action], form: VerbForm, status: int) -> Response:
    """The form as it was sent, under the id that it has, with what is wrong."""
    weighed = weigh(hand, verb, form.filled) if status != 422 or not any(f.fault for f in form.fields) else None
    panel = panel_of(visit, form=form, weighed=weighed, command=form.filled.text(COMMAND))
    return answer(visit, panel, status)


def outcome(visit: Visit) -> str:
    """What came of the last action, as the seat sees it."""
    edition = visit.table.edition(visit.seated.audience)
    lines = edition.read_model.log(edition.id, last=1)
    return lines[0].sentence if lines else ""
