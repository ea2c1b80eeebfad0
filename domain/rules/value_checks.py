"""Checks of newly given values: a name is short and fits on a line, and a roll makes sense.

Recorded values are not checked: a history that holds other ones loads, is played again and audited, as it is.
"""

import unicodedata
from collections.abc import Iterator, Mapping

from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.notation import check_asked
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter

LONGEST = 80
"""Most characters in a name."""

_JOINERS = "\u200c\u200d"

_OF_NAMES = (
    *(ParameterType.TEXTS, ParameterType.USE, ParameterType.GEAR, ParameterType.SEAT),
    *(ParameterType.AMOUNTS, ParameterType.PAIRS),
)
"""Parameters whose values are names, or lists of them."""


def check_name(text: str, *, what: str = "A name") -> None:
    """Raise Refused for a name that is too long or would break a line."""
    if len(text) > LONGEST:
        raise Refused(f"{what} has at most {LONGEST} characters, and this one has {len(text)}: {_beginning(text)}.")
    if not all(each.isprintable() or each in _JOINERS or unicodedata.category(each) == "Zs" for each in text):
        raise Refused(f"{what} is on one line, without control characters, and this one is not: {_beginning(text)}.")


def check_names_in(parameter: Parameter, value: ParameterValue) -> None:
    """Raise Refused for a value of this parameter that holds a name that is not allowed."""
    if parameter.hidden or not (parameter.is_name or parameter.want in _OF_NAMES):
        return
    for text in _texts(value):
        try:
            check_name(text, what=parameter.name)
        except Refused as fault:
            fault.about(parameter.name)
            raise


def _texts(value: ParameterValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for text in pair if isinstance(text, str))
    elif isinstance(value, tuple):
        yield from (text for text in value if isinstance(text, str))


def _beginning(text: str) -> str:
    return repr(text if len(text) <= LONGEST // 2 else text[: LONGEST // 2] + "…")


def check_value(parameter: Parameter, value: ParameterValue) -> None:
    """Raise Refused for a value that may not be newly given for this parameter."""
    check_names_in(parameter, value)
    if parameter.want is ParameterType.DICE and isinstance(value, str):
        check_asked(value)


def check_values(action: Action) -> None:
    """Raise Refused for an action with a value that may not be newly given."""
    for parameter in parameters(type(action)):
        check_value(parameter, getattr(action, parameter.name))


def check_changed(verb: type[Action], before: Mapping[str, ParameterValue], now: Mapping[str, ParameterValue]) -> None:
    """Raise Refused for a changed value that may not be newly given; an unchanged one may stay."""
    for parameter in parameters(verb):
        if parameter.name in now and now[parameter.name] != before.get(parameter.name):
            check_value(parameter, now[parameter.name])
