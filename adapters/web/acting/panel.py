"""The acting panel: whose turn it is, the verbs, the form of one of them with its odds, open choices, and the X-card."""

import attrs

from rollbook.adapters.web.acting.buttons import Buttons, buttons_of
from rollbook.adapters.web.acting.odds import OddsView, odds_view
from rollbook.adapters.web.acting.seat_context import SeatContext, seat_context_of
from rollbook.adapters.web.pages.page import RequestContext
from rollbook.adapters.web.pages.templating import new_command
from rollbook.application.forms.fields import Offer, own_offers
from rollbook.application.forms.verb_form import ACTS_AS, Filled, VerbForm, form_of, read
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.seat_view import is_down
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.forecast.roll_outcomes import TooMany
from rollbook.domain.forecast.search import MOST_STEPS, forecast
from rollbook.domain.rules.action import Action, intent_of
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import shown_names
from rollbook.projections.in_words import forecast_in_words

AT_ONCE = 150_000
"""Results of dice that are gone through while a page waits: about a fifth of a second. What takes more is counted meanwhile."""


@attrs.frozen(kw_only=True)
class OpenChoiceView(Record):
    """A decision that somebody has still to make, with what may be picked."""

    who: str
    name: str
    choice: str
    options: tuple[Offer, ...]


@attrs.frozen(kw_only=True)
class Weighed(Record):
    """What is known of an action that is filled in, before it is taken.

    ``reason`` is what the rules have against it, ``dice`` the dice that it takes. ``is_long`` says that more must be counted.
    """

    odds: OddsView | None = None
    reason: str = ""
    dice: str = ""
    is_long: bool = False


@attrs.frozen
class Chosen(Record):
    """Who is to act ("": nobody in particular), and the turn at which that was chosen, None if it is just being chosen."""

    who: str
    turn: str | None = None


@attrs.frozen(kw_only=True)
class WhoseTurn(Record):
    """The heading of the panel, which follows the table even over a form. ``is_turn``: the seat acts for who has the turn."""

    heading: str
    is_turn: bool


@attrs.frozen(kw_only=True)
class Panel(WhoseTurn):
    """All that the acting panel shows. ``said`` is what the last action came to, ``fault`` what was refused without a form.

    ``turn`` is the turn at which ``who`` was chosen: in a fight it is asked again with the next one. ``is_own_turn``: it is
    the turn of ``who``.
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
    command: str = attrs.field(factory=new_command)
    said: str = ""
    fault: str = ""


def panel_of(
    context: RequestContext,
    *,
    form: VerbForm | None = None,
    weighed: Weighed | None = None,
    said: str = "",
    command: str = "",
    chosen: Chosen | None = None,
) -> Panel:
    """The panel of a seat that acts. ``chosen`` is who acted just now."""
    seat_context = seat_context_of(context)
    actors = tuple(own_offers(seat_context.view))
    state = seat_context.edition.state
    who = actor_of(seat_context, chosen or chosen_by(context, form))
    names = shown_names(seat_context.view.characters())
    now = whose_turn(seat_context)
    panel = Panel(
        who=who,
        turn=turn_key(state),
        name=names.get(who, ""),
        is_turn=now.is_turn,
        is_own_turn=bool(who) and who == _current(state),
        heading=now.heading,
        actors=actors if len(actors) > 1 else (),
        buttons=buttons_of(seat_context, who),
        choices=tuple(open_choices(seat_context)),
        is_paused=state.paused,
        form=form,
        weighed=weighed,
        said=said,
    )
    return attrs.evolve(panel, command=command) if command else panel


def turn_key(state: CampaignState) -> str:
    """What tells one turn of a fight from every other, "" outside a fight."""
    fight = state.encounter
    return f"{fight.round}.{fight.current}" if fight is not None else ""


def _current(state: CampaignState) -> str:
    return state.encounter.current if state.encounter is not None else ""


def whose_turn(seat_context: SeatContext) -> WhoseTurn:
    """Whose turn it is, for the seat that acts. A player who plays several is told whose of them."""
    names, current = shown_names(seat_context.view.characters()), _current(seat_context.edition.state)
    own = [offer.value for offer in own_offers(seat_context.view)]
    if current not in names:
        return WhoseTurn(heading="What do you do?", is_turn=False)
    if seat_context.is_gm or current not in own:
        return WhoseTurn(heading=f"{names[current]}’s turn", is_turn=current in own)
    return WhoseTurn(heading=f"Your turn: {names[current]}" if len(own) > 1 else "Your turn", is_turn=True)


def chosen_by(context: RequestContext, form: VerbForm | None = None) -> Chosen:
    """Who is asked for, by a form or an address; an address that a panel follows says at which turn that was chosen."""
    if form is not None and form.actor is not None:
        return Chosen(form.actor.value)
    return Chosen(
        context.request.query.get(ACTS_AS, context.request.query.get("who", "")), context.request.query.get("turn")
    )


def chosen_after(seat_context: SeatContext, form: VerbForm, acts_as: str) -> Chosen:
    """Who acts on after an action: in a fight for whom the panel acts, until the turn passes on; outside who acted last."""
    state = seat_context.edition.state
    who = acts_as if state.encounter is not None or form.actor is None else form.actor.value
    known = seat_context.view.character(who)
    return Chosen("" if known is None or is_down(known) else who, turn_key(state))


def actor_of(seat_context: SeatContext, chosen: Chosen) -> str:
    """Who acts: who was chosen, until the turn passes on; else whose turn it is, or who acted last and still can."""
    own = [offer.value for offer in own_offers(seat_context.view)]
    state = seat_context.edition.state
    able = [who for who in own if not is_down(state.characters[who])]
    current = _current(state)
    last = seat_context.short.last(seat_context.edition).actor
    is_old = chosen.turn is not None and chosen.turn != turn_key(state)
    wanted = (current, chosen.who if chosen.who in able else "") if is_old else (chosen.who, current)
    usual = (*wanted, last if last in able else "", *able, *own)
    return next((who for who in usual if who in own), "")


def open_choices(seat_context: SeatContext) -> list[OpenChoiceView]:
    """The decisions that are still open for those whom the seat acts for."""
    names = shown_names(seat_context.view.characters())
    known = [seat_context.view.character(offer.value) for offer in own_offers(seat_context.view)]
    return [
        OpenChoiceView(
            who=who.id,
            name=names[who.id],
            choice=choice,
            options=tuple(Offer(option.key, option.label or option.key) for option in open_choice.options),
        )
        for who in known
        if who is not None
        for choice, open_choice in who.choices.items()
    ]


def is_complete(form: VerbForm) -> bool:
    """Whether everything that the verb needs is filled in, so that it can be weighed."""
    return all(field.value for field in form.fields if field.is_required)


def form_for(seat_context: SeatContext, verb: type[Action], filled: Filled) -> VerbForm:
    """The form of a verb that the seat may say."""
    form = form_of(seat_context.edition, verb, seat_context.seat, seat_context.short, filled)
    assert form is not None
    return form


def as_filled(form: VerbForm) -> Filled:
    """What stands in a form, as if it had been sent."""
    return Filled({**{field.name: field.values for field in form.fields}, **form.filled.values})


def weigh(seat_context: SeatContext, verb: type[Action], filled: Filled, *, is_last: bool = False) -> Weighed:
    """The odds of an action and the dice that it takes, on what the seat sees. Nothing is recorded and no die is drawn.

    What takes longer than a page can wait is only counted if ``is_last``: some seconds at most.
    """
    edition, most_steps = seat_context.edition, MOST_STEPS if is_last else AT_ONCE
    try:
        found = read(edition, verb, filled, known_only=not seat_context.is_gm)
        if not found.is_sound:
            return Weighed()
        spoken = attrs.evolve(found.spoken, dice=None)
        turn = turn_of(edition, verb, spoken, seat=seat_context.seat, said=lambda _: None)
        dice = edition.session.wanted_dice(turn)
        seat = "" if turn.action.anonymous else edition.seat(turn.seat)
        action = edition.session.rulebook.speller(edition.state, seat).spelled_action(turn.action)
        asked = forecast(
            edition.session.rulebook,
            edition.state,
            intent_of(action),
            seat=seat,
            secret=turn.secret,
            most_steps=most_steps,
        )
    except TooMany as reason:
        return Weighed(is_long=not is_last, reason=str(reason) if is_last else "", dice=dice)
    except RollbookError as reason:
        return Weighed(reason=str(reason))
    told = forecast_in_words(asked, edition.session.in_words)
    return Weighed(odds=odds_view(told, edition.state) if told.rolls or told.checks else None, dice=dice)
