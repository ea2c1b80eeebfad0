"""Making a character on pages: questions by topic, the sheet with its dice, and what a player asks the GM for.

Nobody is in the history before the GM confirms: a player's character is a request beside the store (``NewcomerRequest``).
Dice that are rolled for it here are a roll on record, by number, so that nobody rolls until the dice are good.
"""

import asyncio
import secrets
from collections.abc import Iterator, Mapping
from functools import partial
from urllib.parse import quote, urlencode

import attrs
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import Response

from rollbook.adapters.web.acting.seat_context import SeatContext, seat_context_of
from rollbook.adapters.web.corrections.pages import HANDLED, pending_in
from rollbook.adapters.web.corrections.pending import NewcomerRequest
from rollbook.adapters.web.newcomers.making import JOIN, REQUEST, ROLLED, Making, Sent
from rollbook.adapters.web.pages.page import RequestContext, redirect, render, status_of_fault
from rollbook.adapters.web.sheets.pages import Groups, groups_of
from rollbook.adapters.web.table.cards import RollView, roll_view
from rollbook.application.forms.questionnaire import Arrival, Topic, topic_of
from rollbook.application.forms.verb_form import COMMAND, DICE, SECRET
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.verb_line import ParsedLine
from rollbook.application.playing.request import ActionRequest
from rollbook.application.verbs import verb_of
from rollbook.domain.actions.dice import RollDice
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.base.identifiers import ActionNumber, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import CharacterJoined
from rollbook.domain.rules.sheet import Sheet

TITLES = {Topic.WHO: "Who", Topic.WHAT: "What", Topic.NUMBERS: "Numbers"}
LATER = "later"
"""The value of the field that leaves the dice to the moment in which the character comes in."""


@attrs.frozen(kw_only=True)
class Outlook(Record):
    """A newcomer as it would come in: the sheet, its numbers by group, the dice, and how many more come with it."""

    sheet: Sheet
    groups: Groups
    rolls: tuple[RollView, ...]
    others: int


@attrs.frozen(kw_only=True)
class Step(Record):
    """A topic on the way to the sheet. ``address`` asks its questions again, "" while it is not answered."""

    topic: Topic
    title: str
    address: str


# Questions.


def ask(context: RequestContext) -> Response:
    """Show the next questions, or when all are answered the sheet and the dice that it takes."""
    return _show(context, Making.of(seat_context_of(context), context.request.query))


def _show(context: RequestContext, making: Making, fault: RollbookError | None = None) -> Response:
    topic, questions = making.page
    values = {"making": making, "topic": topic, "steps": tuple(_steps(making)), "secret": SECRET, "dice_name": DICE}
    if questions:
        code = 422 if making.faults else 200
        return render(context, "newcomers/questions.html", code, fields=list(making.fields()), titles=TITLES, **values)
    refused = fault or making.questions.refusal()
    outlook, wanted = None, ""
    try:
        if refused is None:
            outlook = _outlook(making.seat_context, making.arrival())
            wanted = "" if outlook else making.questions.wanted_dice()
    except RollbookError as wrong:
        refused, wanted = wrong, making.questions.wanted_dice()
    blamed = {topic_of(each) for each in making.questions.blamed(refused)} if refused is not None else set()
    code = status_of_fault(refused) if refused is not None and fault is not None else 200
    return render(
        context,
        "newcomers/end.html",
        code,
        outlook=outlook,
        wanted=wanted,
        blamed=blamed,
        fault="" if refused is None else str(refused),
        **values,
    )


def _steps(making: Making) -> Iterator[Step]:
    """The topics that have questions for this newcomer."""
    open_ones = list(making.open_questions)
    for topic in Topic:
        names = [each.name for each in open_ones if topic_of(each) is topic]
        is_answered = all(name in making.questions.given for name in names)
        if names:
            address = making.address(topic) if is_answered else ""
            yield Step(topic=topic, title=TITLES[topic], address=address)


def _outlook(seat_context: SeatContext, arrival: Arrival | None) -> Outlook | None:
    """The newcomer that would come in, None for nobody or while dice are missing."""
    if arrival is None or not arrival.newcomers:
        return None
    first, *others = arrival.newcomers
    sheet = seat_context.edition.session.rulebook.sheet(arrival.state.characters[first], arrival.state)
    rolls = tuple(roll_view(roll, arrival.state) for roll in arrival.rolls)
    return Outlook(sheet=sheet, groups=groups_of(sheet), rolls=rolls, others=len(others))


# Dice.


def roll(context: RequestContext) -> Response:
    """Roll the dice that are missing, as a roll on record of the seat's, and show the sheet with them."""
    making = Making.of(seat_context_of(context), context.request.form)
    try:
        entry = _rolled(making, context.request.sent(COMMAND))
    except RollbookError as fault:
        return _show(context, making, fault)
    finally:
        context.view.follow()
    shown = context.view.edition.shown_action(entry.action)
    kept = [*making.hidden(), (ROLLED, str(shown))]
    return redirect(f"{context.request.here}/join?{urlencode(kept)}")


def _rolled(making: Making, command: str) -> RecordedEntry:
    if not making.may_roll:
        raise Refused("There are no dice to roll from here now. Type the faces of real dice.")
    left = making.questions.dice_left(making.faces)
    if not left:
        raise Refused("No more dice are needed.")
    purpose = f"{making.name}, who is being made"
    turn = ActionRequest(RollDice(expression=left, purpose=purpose), making.seat_context.seat)
    return making.seat_context.take(turn, command=command)


# The GM brings somebody in; a player asks for it.


def come_in(context: RequestContext) -> Response:
    """Bring the newcomer in, as the GM."""
    making = Making.of(seat_context_of(context), context.request.form)
    if making.page[1]:
        return _show(context, making)
    try:
        faces = making.faces or None
        given = making.questions.given
        entry = _bring_in(making.seat_context, given, faces, context.request.sent(COMMAND), is_secret=making.is_secret)
    except RollbookError as fault:
        return _show(context, making, fault)
    finally:
        context.view.follow()
    if making.request:
        pending_in(context).drop(context.request.campaign_id, making.request)
    return redirect(f"{context.request.here}{_after(entry)}")


async def ask_to_come_in(context: RequestContext) -> Response:
    """Ask the GM, as a player, to bring the newcomer in."""
    made = await context.view.worker.run(partial(_composed, context))
    if isinstance(made, Response):
        return made
    waiting, campaign = pending_in(context), context.request.campaign_id
    await asyncio.to_thread(waiting.add, campaign, made)
    for audience in (None, made.seat):
        context.services.hub.ring(campaign, audience)
    return redirect(f"{context.request.here}/newcomer/{made.id}")


def _bring_in(
    seat_context: SeatContext,
    answers: Mapping[str, str],
    faces: tuple[int, ...] | None,
    command: str,
    *,
    is_secret: bool = False,
    why: str = "",
) -> RecordedEntry:
    given = {name: text for name, text in answers.items() if text}
    spoken = ParsedLine(given=given, dice=faces, secret=is_secret, why=why)
    edition = seat_context.edition
    turn = turn_of(edition, verb_of(edition, JOIN), spoken, seat=seat_context.seat, said=lambda _: None)
    return seat_context.take(turn, command=command)


def _after(entry: RecordedEntry) -> str:
    who = next((event.character for event in entry.events if isinstance(event, CharacterJoined)), "")
    return f"/sheet/{quote(who)}" if who else "#log"


def _composed(context: RequestContext) -> NewcomerRequest | Response:
    """The player's request, or the page again with what is missing."""
    making = Making.of(seat_context_of(context), context.request.form)
    if making.page[1]:
        return _show(context, making)
    is_later = context.request.sent("new.dice") == LATER
    try:
        refused = making.questions.refusal()
        if refused is not None:
            raise refused
        faces = () if is_later else making.faces
        if not is_later and making.arrival() is None:
            raise Refused("Dice are missing. Roll them, type them, or leave them to the GM.")
    except RollbookError as fault:
        return _show(context, making, fault)
    return NewcomerRequest(
        id=making.request or secrets.token_urlsafe(9),
        seat=making.seat_context.seat or "",
        answers=making.answers(),
        dice=faces,
        rolled=() if is_later else making.rolled,
        fell_here=0 if is_later else len(making.fell_here),
    )


# A request, as the GM and its player see it.


def show_request(context: RequestContext) -> Response:
    """Show a character that a player asks for, with the sheet that it would have."""
    return _show_request(context, _found(context))


def _found(context: RequestContext) -> NewcomerRequest:
    identity, id_ = context.seated, context.request.path["request"]
    found = pending_in(context).find(context.request.campaign_id, id_, None if identity.is_gm else identity.seat)
    if not isinstance(found, NewcomerRequest):
        raise NotFound(HANDLED)
    return found


def _show_request(context: RequestContext, asked: NewcomerRequest, fault: RollbookError | None = None) -> Response:
    seat_context = seat_context_of(context)
    making = making_of(seat_context, asked)
    outlook, wanted, refused = None, "", fault or making.questions.refusal()
    try:
        if refused is None and not making.questions.dice_left(asked.dice):
            outlook = _outlook(seat_context, making.questions.arrival(asked.dice))
        wanted = "" if outlook else making.questions.wanted_dice()
    except RollbookError as wrong:
        refused = wrong
    code = 200 if fault is None else status_of_fault(fault)
    told = "" if refused is None else str(refused)
    numbers = [_shown_to(context, asked.seat, number) for number in asked.rolled]
    values = {"asked": asked, "making": making, "outlook": outlook, "wanted": wanted, "fault": told, "rolled": numbers}
    return render(context, "newcomers/request.html", code, **values)


def _shown_to(context: RequestContext, seat: SeatName, number: ActionNumber) -> ActionNumber:
    """The reader's number of an action to which a player's seat gives that one."""
    return context.view.edition.shown_action(context.view.table.edition(seat).real_action(number))


def making_of(seat_context: SeatContext, asked: NewcomerRequest) -> Making:
    """A requested character in the making again, to be looked at or changed; for the GM it is the player's."""
    answers = dict(asked.answers) if seat_context.seat else {**asked.answers, "seat": asked.seat}
    fields = [*answers.items(), (REQUEST, asked.id), *((ROLLED, str(number)) for number in asked.rolled)]
    if asked.dice and (not seat_context.seat or not asked.rolled):
        fields = [*(each for each in fields if each[0] != ROLLED), (DICE, ",".join(map(str, asked.dice)))]
    sent: Sent = ImmutableMultiDict(fields)
    return Making.of(seat_context, sent)


def bring_in(context: RequestContext) -> Response:
    """Bring in a character that a player asks for, as the player composed it."""
    asked, seat_context = _found(context), seat_context_of(context)
    making = making_of(seat_context, asked)
    command, why = f"newcomer-{asked.id}", f"{asked.seat} made the character"
    try:
        entry = _bring_in(seat_context, making.questions.given, asked.dice or None, command, why=why)
    except RollbookError as fault:
        return _show_request(context, asked, fault)
    finally:
        context.view.follow()
    pending_in(context).drop(context.request.campaign_id, asked.id)
    return redirect(f"{context.request.here}{_after(entry)}")
