"""The questions to a newcomer, one by one, as ``rollbook join`` asks them; the answers so far are in the address."""

import attrs
from starlette.responses import Response

from rollbook.adapters.web.acting.seat_context import SeatContext, seat_context_of
from rollbook.adapters.web.pages.page import RequestContext, render
from rollbook.application.forms.fields import Field, default_text, field_of, label_of
from rollbook.application.forms.questionnaire import Questionnaire
from rollbook.application.forms.verb_form import Filled, text_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.rules.parameters import Parameter

JOIN = "join"
ASKED, STEP = "asked", "step"
"""Parameters of the address: the question that was just answered, and the one to ask again."""


def ask(context: RequestContext) -> Response:
    """Ask the next question; when all are answered, show the answers and the dice that it takes."""
    seat_context = seat_context_of(context)
    verb = seat_context.verb(JOIN)
    filled = Filled.of(context.request.query, verb)
    asked, step = context.request.query.get(ASKED, ""), context.request.query.get(STEP, "")
    questions = Questionnaire(seat_context.campaign, verb)
    given = {
        name: text_of(questions.known[name], filled)
        for name in questions.known
        if name in filled.values or name == asked
    }
    questions.given = {name: text for name, text in given.items() if name != asked}
    fault: RollbookError | None = None
    if asked in questions.known:
        fault = questions.against(questions.known[asked], given[asked], questions.refusal())
        if fault is None:
            questions.given[asked] = given[asked]
    question = questions.known.get(asked if fault is not None else step) or questions.next_question()
    answered = [(name, label_of(questions.known[name]), text) for name, text in questions.given.items()]
    values = {"answered": answered, "verb": verb.verb}
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


def _field(seat_context: SeatContext, question: Parameter, filled: Filled, is_answered: bool) -> Field:
    known = filled.of_parameter(question)
    return field_of(question, seat_context.view, None, known if is_answered or known else None, default_text(question))
