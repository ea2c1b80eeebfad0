"""Keys as a terminal sends them, by name."""

import re
from collections.abc import Mapping
from typing import Final

KEY: Final = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)
_MOVING = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_NUMBERED = {"1": "home", "4": "end", "5": "page up", "6": "page down", "7": "home", "8": "end"}
NAMED: Final[Mapping[str, str]] = {
    **{f"\x1b{begin}{letter}": name for begin in "[O" for letter, name in _MOVING.items()},
    **{f"\x1b[{number}~": name for number, name in _NUMBERED.items()},
    "\x1b": "escape",
    "\r": "enter",
    "\n": "enter",
    "\x7f": "rub out",
    "\x08": "rub out",
    " ": "space",
}


def keys_in(typed: str) -> list[str]:
    """The keys that were pressed; a letter is called as it is."""
    return [NAMED.get(key, key) for key in KEY.findall(typed)]
