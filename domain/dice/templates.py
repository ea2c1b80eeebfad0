"""Rolls with names in them: ``(@level)d6 + @level*@con[CON]``, filled with numbers before they are read."""

import re
from typing import Final

from rollbook.domain.dice.errors import DiceError

_NAME = re.compile(r"\[[^\]]*\]?|\(@(?P<count>[A-Za-z_]\w*)\)(?=[dD])|@(?P<name>[A-Za-z_]\w*)", re.ASCII)
_BEFORE_A_SIGN: Final = "+-*/^(,"


def fill(template: str, /, **values: int) -> str:
    """``template`` with each ``@name`` replaced by its number; ``(@name)`` before a ``d`` is a number of dice.

    Labels in brackets are left alone, values that the template does not name are ignored. Raises DiceError for a name
    without a whole number, and where the number would change the sense of what is around it.
    """
    found: list[str] = []
    done = 0
    for match in _NAME.finditer(template):
        found.append(template[done : match.start()])
        if match[0].startswith("["):
            found.append(match[0])
        else:
            name = match["count"] or match["name"]
            number = _given(template, name, values, match.start())
            _check_place(template, name, number, match, done)
            found.append(str(number))
        done = match.end()
    return "".join(found) + template[done:]


def _given(template: str, name: str, values: dict[str, int], at: int) -> int:
    number = values.get(name)
    if number is None:
        known = ", ".join(sorted(values)) or "none"
        raise DiceError(f"There is no number for @{name}. Give one; known are: {known}.", template, at)
    if isinstance(number, bool) or not isinstance(number, int):
        raise DiceError(f"@{name} is {number!r}, which is not a whole number. Give one.", template, at)
    return number


def _check_place(template: str, name: str, number: int, match: re.Match[str], done: int) -> None:
    """A number must not run together with digits before it, nor a minus sign turn a modifier into a subtraction."""
    at = match.start()
    before = template[:at]
    if (before and done == at) or before[-1:].isdigit():
        raise DiceError(f"@{name} follows another number directly. Write a sign between them.", template, at)
    lead = before.rstrip(" \t")[-1:]
    if number < 0 and (match["count"] or (lead and lead not in _BEFORE_A_SIGN)):
        raise DiceError(f"@{name} is {number}, and a negative number cannot stand here. Use 0 or more.", template, at)
