"""What people, places and things may be called: short, and on one line.

Asked of what is newly said only (see ``rollbook.domain.rules.value_checks``).
"""

import unicodedata
from collections.abc import Iterator, Mapping

from rollbook.domain.base.errors import Refused
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.parameters import Parameter, ParameterType

LONGEST = 80
"""No name has more characters."""

_JOINERS = "\u200c\u200d"

_OF_NAMES = (
    *(ParameterType.TEXTS, ParameterType.USE, ParameterType.GEAR, ParameterType.SEAT),
    *(ParameterType.AMOUNTS, ParameterType.PAIRS),
)
"""Parameters whose values are names, or lists of them."""


def check_name(text: str, *, what: str = "A name") -> None:
    """Raise Refused for what is too long to be called by, or would break a line."""
    if len(text) > LONGEST:
        raise Refused(f"{what} has at most {LONGEST} characters, and this one has {len(text)}: {_beginning(text)}.")
    if not all(map(_is_on_the_line, text)):
        raise Refused(f"{what} is on one line, without control characters, and this one is not: {_beginning(text)}.")


def _is_on_the_line(letter: str) -> bool:
    """Whether a letter shows, or is a blank, or joins letters to one sign."""
    return letter.isprintable() or letter in _JOINERS or unicodedata.category(letter) == "Zs"


def check_names_in(parameter: Parameter, value: ParameterValue) -> None:
    """Raise Refused for a value of this parameter that holds what nothing may be called."""
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
