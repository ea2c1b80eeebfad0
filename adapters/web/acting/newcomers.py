"""Somebody comes in, question by question, as ``rollbook join`` asks; the answers so far are in the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from starlette.responses import Response

from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.pages.responses import render
from rollbook.application.forms.fields import Field, default_text, field_of, label_of
from rollbook.application.forms.questionnaire import Questionnaire
from rollbook.application.forms.verb_form import Filled, text_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.rules.parameters import Parameter

if TYPE_CHECKING:
    from rollbook.adapters.web.acting.seat_context import SeatContext
    from rollbook.adapters.web.pages.request_context import RequestContext

JOIN = "join"
ASKED, STEP = "asked", "step"
"""In the address: which question was answered just now, and which shall be asked again."""


@attrs.frozen
class Answered(Record):
    """An answer: the parameter, what it is called, and what was said, "" for what is left open."""

    name: str
    label: str
    text: str


def ask(context: RequestContext) -> Response:
    """The next question, or, when all are answered, everything that was said and the dice that it takes."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(JOIN)
    filled = Filled.of(context.request.query, verb)
    asked, step = context.request.query.get(ASKED, ""), context.request.query.get(STEP, "")
    questions = Questionnaire(seat_context.campaign, verb)
    given = {
        name: _said(questions.known[name], filled) for name in questions.known if name in filled.values or name == asked
    }
    questions.given = {name: text for name, text in given.items() if name != asked}
    fault: RollbookError | None = None
    if asked in questions.known:
        fault = questions.against(questions.known[asked], given[asked], questions.refusal())
        if fault is None:
            questions.given[asked] = given[asked]
    question = questions.known.get(asked if fault is not None else step) or questions.next_question()
    values = {"campaign_name": seat_context.edition.state.name, "answered": _answered(questions), "verb": verb.verb}
    if question is None:
        reason = questions.refusal()
        return render(
            context,
            "acting/newcomer_end.html",
            blamed=[each.name for each in questions.blamed(reason)] if reason is not None else [],
            reason="" if reason is None else str(reason),
            dice=questions.wanted_dice(),
            **values,
        )
    said = "" if fault is None else str(fault)
    field = attrs.evolve(_field(seat_context, question, filled, asked == question.name), fault=said)
    return render(context, "acting/newcomer.html", 422 if said else 200, field=field, **values)


def _said(parameter: Parameter, filled: Filled) -> str:
    return text_of(parameter, filled)


def _field(seat_context: SeatContext, question: Parameter, filled: Filled, is_answered: bool) -> Field:
    """The field of a question, with what was answered before."""
    known = filled.of_parameter(question)
    return field_of(question, seat_context.view, None, known if is_answered or known else None, default_text(question))


def _answered(questions: Questionnaire) -> list[Answered]:
    return [Answered(name, label_of(questions.known[name]), text) for name, text in questions.given.items()]
