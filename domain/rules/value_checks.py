"""What is asked of a value that somebody says now: a name fits on a line, and a roll can be meant.

It is asked of nothing else: a history that holds other values loads, is played again and audited, as it is.
"""

from collections.abc import Mapping

from rollbook.domain.dice.notation import check_asked
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.names import check_names_in
from rollbook.domain.rules.parameters import Parameter, ParameterType


def check_value(parameter: Parameter, value: ParameterValue) -> None:
    """Raise Refused for a value of this parameter that nobody may say from now on."""
    check_names_in(parameter, value)
    if parameter.want is ParameterType.DICE and isinstance(value, str):
        check_asked(value)


def check_values(action: Action) -> None:
    """Raise Refused for an action in which a value is one that nobody may say from now on."""
    for parameter in parameters(type(action)):
        check_value(parameter, getattr(action, parameter.name))


def check_changed(verb: type[Action], before: Mapping[str, ParameterValue], now: Mapping[str, ParameterValue]) -> None:
    """Raise Refused for a value that a correction gives and nobody may say from now on; what stays as it was may stay."""
    for parameter in parameters(verb):
        if parameter.name in now and now[parameter.name] != before.get(parameter.name):
            check_value(parameter, now[parameter.name])
