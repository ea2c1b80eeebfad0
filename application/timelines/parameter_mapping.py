"""What was said by the rules of one game, in the words of another: parameters and house rules."""

from collections.abc import Mapping

from rollbook.domain.base.errors import Refused
from rollbook.domain.events import ParameterValue, Scalar
from rollbook.domain.rules.parameters import Parameter, ParameterType
from rollbook.domain.rules.ruleset import Ruleset, read_settings, settings_fields


def mapped_parameters(
    said: Mapping[str, ParameterValue], known: Mapping[str, Parameter], then: Mapping[str, Parameter]
) -> tuple[dict[str, ParameterValue], dict[str, ParameterValue]]:
    """Parameters by the names that they have here, and those that are nothing here: unknown, or something else altogether.

    One ``target`` may be one of several ``targets``. The one word that is needed here and the one that was needed ``then`` are
    the same question: which ability, which skill.
    """
    params: dict[str, ParameterValue] = {}
    left: dict[str, ParameterValue] = {}
    for name, value in said.items():
        if name in known and not known[name].required and not _fits(known[name], value):
            left[name] = value
            continue
        several, one = known.get(f"{name}s"), known.get(name.removesuffix("s"))
        if name in known:
            params[name] = value
        elif several is not None and several.want.is_list and isinstance(value, str) and value:
            params[several.name] = (value,)
        elif one is not None and not one.want.is_list and isinstance(value, tuple) and len(value) == 1:
            params[one.name] = value[0]
        else:
            left[name] = value
    needed = [name for name, each in known.items() if each.required and name not in params and each.want in WORDS]
    given = [name for name in left if name in then and then[name].required and then[name].want in WORDS]
    if len(needed) == len(given) == 1:
        params[needed[0]] = left.pop(given[0])
    return params, left


WORDS = (ParameterType.CHOICE, ParameterType.TEXT)


def _fits(parameter: Parameter, value: ParameterValue) -> bool:
    try:
        parameter.check(value)
    except Refused:
        return False
    return True


def recorded(game: Ruleset, settings: ParameterValue | None) -> dict[str, Scalar]:
    """House rules as an intent has them, those that the installed version still knows."""
    known = {field.name for field in settings_fields(game)}
    said = settings if isinstance(settings, Mapping) else {}
    return read_settings(game, {name: value for name, value in said.items() if name in known})
