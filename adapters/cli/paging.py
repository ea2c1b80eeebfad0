"""Pager for long answers at a terminal: the one that PAGER names, else less.

A pager reads keys, so none is opened while typed lines wait: they are meant for the prompt.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import sys
from contextlib import suppress
from io import TextIOBase
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

LESS = "-FRX"
"""Options of less: print what fits one screen, keep colours, and leave the screen as it is."""
PROMPT_LINES = 2
"""Lines of a screen for the empty line and the next prompt."""
RESET = "\x1b[0m"


def pager_command() -> list[str]:
    """The pager's command and options; empty if there is none, or PAGER is empty."""
    try:
        command = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:
        return []
    return command if command and shutil.which(command[0]) else []


class Paged(TextIOBase):
    """Output that goes to ``out`` when it is over, or to the pager once it is longer than ``height`` lines.

    The pager takes what it shows and a little more, so a writer waits until the reader goes on. ``is_wanted`` is false
    once the reader has left.
    """

    def __init__(self, out: IO[str], height: int) -> None:
        self._out = out
        self._height = height
        self._waiting: list[str] = []
        self._lines = 0
        self._pager: subprocess.Popen[bytes] | None = None
        self.is_wanted = True

    @property
    def is_paged(self) -> bool:
        return self._pager is not None

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._pager is not None:
            self._send(text)
            return len(text)
        self._waiting.append(text)
        self._lines += text.count("\n")
        if self._lines >= self._height:
            self._begin()
        return len(text)

    def _begin(self) -> None:
        command, self._height = pager_command(), 1 << 62
        if not command or _lines_wait():
            return
        environment = {**os.environ, "LESS": os.environ.get("LESS", LESS), "LESSSECURE": "1"}
        import subprocess  # noqa: PLC0415 - few answers need a pager

        with suppress(OSError):
            self._pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)  # noqa: S603 - the user's own pager
            waiting, self._waiting = self._waiting, []
            self._send("".join(waiting))

    def _send(self, text: str) -> None:
        assert self._pager is not None
        assert self._pager.stdin
        if self.is_wanted:
            try:
                self._pager.stdin.write(text.encode(errors="replace"))
                self._pager.stdin.flush()
            except BrokenPipeError:  # the reader has left the pager
                self.is_wanted = False

    def finish(self) -> None:
        """End the output: print what fits the screen, or wait until the pager is left."""
        if self._pager is None:
            self._out.write("".join(self._waiting))
            self._out.flush()
            return
        with suppress(BrokenPipeError):
            assert self._pager.stdin
            self._pager.stdin.close()
        while True:
            with suppress(KeyboardInterrupt):  # the pager decides what Ctrl-C means
                self._pager.wait()
                return


class OneScreen(TextIOBase):
    """Output that goes to ``out`` when it is over, cut to ``height`` lines with ``more`` below it."""

    def __init__(self, out: IO[str], height: int, more: str) -> None:
        self._out, self._height, self._more = out, height, more
        self._waiting: list[str] = []

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._waiting.append(text)
        return len(text)

    def finish(self) -> None:
        """End the output, and print what fits."""
        lines = "".join(self._waiting).splitlines(keepends=True)
        room = self._height - PROMPT_LINES
        if len(lines) > room:
            lines[room - 1 :] = [f"{RESET}{self._more.format(len(lines) - room + 1)}\n"]
        self._out.write("".join(lines))
        self._out.flush()


def _lines_wait() -> bool:
    """True if typed input waits to be read."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # no terminal, or one that cannot be asked
        return False


def show_paged(text: str, out: IO[str], height: int) -> None:
    """Show a text, in the pager if it is longer than ``height`` lines."""
    paged = Paged(out, height)
    paged.write(text)
    paged.finish()
