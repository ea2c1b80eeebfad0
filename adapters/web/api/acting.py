"""Acting by a token: an action, read and taken as from a form, with an idempotency key."""

from collections.abc import Mapping

from starlette.responses import Response

from rollbook.adapters.line_commands.views.log import line_json
from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.acting.taking import Taken, take_filled
from rollbook.adapters.web.api.answers import ActBody, ParameterGiven
from rollbook.adapters.web.api.endpoint import KEY, answered, check_known, read_body
from rollbook.adapters.web.api.problems import problem_of
from rollbook.adapters.web.api.reading import check_parameters
from rollbook.adapters.web.pages.page import PageRequest, RequestContext
from rollbook.application.after_commit import after_commit, faults_so_far
from rollbook.application.forms.verb_form import COMMAND, DICE, SEAT, SECRET, WHY, Filled
from rollbook.domain.base.errors import Refused, RollbookError


def take(context: RequestContext) -> Response:
    """Take an action, once for each idempotency key.

    Its faults are those of the edition, and those of the rules as the seat may read them: a name that is hidden is in
    them if it was sent, as a name that nobody has would be.
    """
    check_known(context.request)
    try:
        taken = _taken(context)
    except RollbookError as fault:
        return problem_of(fault)
    line, cursor = None, ""
    with after_commit():
        context.view.follow()
        edition, cursor = context.view.edition, context.view.cursor
        line = edition.read_model.line(edition.id, edition.shown_entry(taken.entry.number))
    shown = None if line is None else line_json(line)
    return answered({"line": shown, "remarks": taken.remarks, "warnings": faults_so_far(), "cursor": cursor})


def _taken(context: RequestContext) -> Taken:
    body = read_body(context.request, ActBody)
    seat_context = seat_context_of(context)
    verb = seat_context.verb(body.verb)
    check_parameters(verb, body.params)
    more = {
        DICE: ",".join(map(str, body.dice)),
        WHY: body.why,
        SECRET: "yes" if body.secret else "",
        SEAT: body.seat,
        COMMAND: command_of(context.request, body.command),
    }
    filled = Filled({**typed(body.params), **{name: (text,) for name, text in more.items() if text}})
    return take_filled(seat_context, verb, filled)


def typed(given: Mapping[str, ParameterGiven]) -> dict[str, tuple[str, ...]]:
    """Parameters as a form has them."""
    return {
        name: tuple(map(_text, value)) if isinstance(value, list) else (_text(value),) for name, value in given.items()
    }


def _text(value: ParameterGiven) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def command_of(request: PageRequest, said: str) -> str:
    """The idempotency key of a request: that of its header, or that in its body. Raises Refused for two of them."""
    keys = {key for key in (request.http.headers.get(KEY, ""), said) if key}
    if len(keys) > 1:
        raise Refused("That has two idempotency keys, in its header and in its body: send one.")
    return next(iter(keys), "")
