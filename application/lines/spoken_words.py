"""Words of a line that stand before a value and say what it is: ``cast fireball at 4th level on wolf 1, wolf 2``.

A parameter names such words (``after``). What follows one, up to the next, is the value of the first parameter that it fits.
A number before a thing is its count: ``give oona 35 gold``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from rollbook.domain.base.letters import caseless
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter

_NUMBER = r"(?:an? )?(?:level )?(\d+)(?:st|nd|rd|th)?(?:[ -]level)?(?: slot)?"
COUNT = "count"
"""The parameter that says how many of a thing."""
FEWEST = 3
"""Words of a line with a count: somebody, a thing, and how many."""
_NUMBERS = (ParameterType.NUMBER, ParameterType.DICE)
_SEVERAL = re.compile(r",| and ")


def split_spoken(
    mine: Sequence[Parameter], given: Mapping[str, str], words: Sequence[str]
) -> tuple[list[str], dict[str, str]]:
    """The words without a name that are left, and the values that others introduce by the options that these fill."""
    known = [parameter for parameter in mine if parameter.after]
    parts = list(_parts(words, {word for parameter in known for word in parameter.after}))
    loose, found = _counted(mine, given, list(parts[0]))
    for before, *value in parts[1:]:
        text = " ".join(value)
        read = (
            (each, _read(each, text)) for each in known if before in each.after and each.name not in (*given, *found)
        )
        parameter, meant = next(((each, meant) for each, meant in read if meant), (None, ""))
        if parameter is None:
            loose += (before, *value)
        else:
            found[parameter.name] = meant
    return loose, found


def _counted(mine: Sequence[Parameter], given: Mapping[str, str], words: list[str]) -> tuple[list[str], dict[str, str]]:
    """The words without the count of a thing, as in ``give oona 35 gold`` or ``give oona gold 35``; and that count.

    Only where the verb has a count and needs no other number, and the line has one number, with somebody and a thing beside it.
    """
    has_count = any(each.name == COUNT and each.want is ParameterType.NUMBER for each in mine)
    others = any(each.required and each.want in _NUMBERS for each in mine)
    numbers = [place for place, word in enumerate(words) if word.isdecimal()]
    if not has_count or others or COUNT in given or len(numbers) != 1 or numbers[0] == 0 or len(words) < FEWEST:
        return words, {}
    (at,) = numbers
    return [*words[:at], *words[at + 1 :]], {COUNT: words[at]}


def _parts(words: Sequence[str], introducing: set[str]) -> Iterator[list[str]]:
    """The words before the first that introduces something, and each such word with those after it."""
    part: list[str] = []
    for place, word in enumerate(words):
        if place and caseless(word) in introducing:
            yield part
            part = [caseless(word)]
        else:
            part.append(word)
    yield part


def _read(parameter: Parameter, text: str) -> str:
    """The value of a parameter in words that were said of it, "" if they are not about it."""
    number = re.fullmatch(_NUMBER, caseless(text))
    names = [part.strip() for part in _SEVERAL.split(text) if part.strip()]
    if parameter.want is ParameterType.NUMBER:
        return number[1] if number is not None else ""
    if number is not None or not names:
        return ""
    return ",".join(names) if len(names) == 1 or parameter.want is ParameterType.CHARACTERS else ""
