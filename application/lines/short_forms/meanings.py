"""What a word may mean as the value of a parameter: everything that fits, written in full."""

import re

from rollbook.application.lines.seat_view import View, among, fitting
from rollbook.application.lines.verb_line import PARTY
from rollbook.domain.base.errors import Refused
from rollbook.domain.rules.parameters import Parameter, ParameterType
from rollbook.domain.state.campaign_state import Character

_AMOUNT = re.compile(r"[+\-\u2212(]*\d*(?:d[\d%]|\d).*", re.IGNORECASE)
_OPEN = (ParameterType.TEXT, ParameterType.TEXTS, ParameterType.USE, ParameterType.CHOICES)


def meanings(parameter: Parameter, word: str, view: View, actor: Character | None) -> list[str]:
    """Everything that a word may mean there, none if it means nothing."""
    want = parameter.want
    if want is ParameterType.CHARACTER:
        return view.named(word)
    if want is ParameterType.CHARACTERS:
        return people(word, view)
    if want is ParameterType.SEAT:
        return among(view.state.seats, word)
    if want is ParameterType.CHOICE:
        return among(parameter.choices, word)
    if want is ParameterType.GEAR or parameter.fits is not None:
        return known_as(parameter, word, actor) or ([word] if want is ParameterType.TEXT else [])
    if want is ParameterType.DICE:
        return [word] if _AMOUNT.fullmatch(word) else []
    return [word] if want in _OPEN or _is_readable(parameter, word) else []


def known_as(parameter: Parameter, word: str, actor: Character | None) -> list[str]:
    """What of the actor's own, or else of the ruleset's names for such things, a word may mean."""
    if parameter.want is not ParameterType.GEAR and parameter.fits is None:
        return []
    return among(fitting(parameter, actor), word) or among(parameter.choices, word)


def people(word: str, view: View) -> list[str]:
    """``rob,gu`` with every name in full; several if one of them is not clear, none if one is nobody's."""
    if word == PARTY:
        return [word]
    named = [[part] if part == PARTY else view.named(part) for part in word.split(",") if part.strip()]
    if not named or not all(named):
        return []
    unclear = next((found for found in named if len(found) > 1), None)
    return unclear or [",".join(found[0] for found in named)]


def _is_readable(parameter: Parameter, word: str) -> bool:
    try:
        parameter.read(word)
    except Refused:
        return False
    return True
