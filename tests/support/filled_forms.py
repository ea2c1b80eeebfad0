"""The form of a verb, filled in with what it offers."""

from __future__ import annotations

from rollbook.application.forms.fields import Control
from rollbook.application.forms.verb_form import VerbForm
from rollbook.domain.rules.action import Action, user_parameters
from rollbook.domain.rules.parameter_types import ParameterType

WORDS = {Control.NUMBER: "5", Control.TEXT: "some words", Control.WORDS: "some words of one's own"}
TYPED = {
    ParameterType.DICE: "2d6+1",
    ParameterType.NUMBERS: "4,5",
    ParameterType.AMOUNTS: "strength=2",
    ParameterType.PAIRS: "brave=role",
    ParameterType.SETTINGS: "speed=1",
    ParameterType.USE: "weapon:light",
    ParameterType.NUMBER: "5",
}


def filled_in(verb: type[Action], form: VerbForm) -> dict[str, list[str]]:
    """The form with what stands in it; what is needed and does not is picked, or typed where nothing is offered."""
    wants = {parameter.name: parameter.want for parameter in user_parameters(verb)}
    sent: dict[str, list[str]] = {}
    for field in form.fields:
        if field.values or not field.is_required:
            sent[field.name] = list(field.values)
        elif field.offers:
            sent[field.name] = [next(offer.value for offer in field.offers if offer.value)]
        else:
            sent[field.name] = [TYPED.get(wants[field.name]) or WORDS[field.control]]
    return sent
