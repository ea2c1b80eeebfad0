"""Keys that are typed without being shown, and their names."""

import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

Wait = Callable[[float], str]
"""Function that waits at most so many seconds. Returns what was typed meanwhile, "" for nothing."""

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
    """The names of the keys that were pressed; a letter is its own name."""
    return [NAMED.get(key, key) for key in KEY.findall(typed)]


@contextmanager
def typed_keys() -> Iterator[Wait]:
    """Read keys without showing them, where there is a keyboard; Ctrl-C still interrupts."""
    if not sys.stdin.isatty() or sys.platform == "win32":
        yield _sleep
        return
    import termios  # noqa: PLC0415 - Windows has none
    import tty  # noqa: PLC0415 - Windows has none

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)

    def wait(seconds: float) -> str:
        if not select.select([keyboard], [], [], seconds)[0]:
            return ""
        return os.read(keyboard, 1024).decode(errors="replace") or _sleep(seconds)

    tty.setcbreak(keyboard)
    try:
        yield wait
    finally:
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)


def _sleep(seconds: float) -> str:
    time.sleep(seconds)
    return ""
