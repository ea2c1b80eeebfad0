"""The command line in this process, or in a child at a pseudo-terminal."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import struct
import time
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import attrs
import pytest

from tests.support.processes import PATIENCE, ROOT, Process, start

__all__ = ["ROOT", "CommandResult", "RunRollbook", "Terminal"]

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ROWS = 30
"""The lines of a terminal."""


class Terminal:
    """``rollbook`` with these words, at a terminal of its own."""

    def __init__(self, process: Process, screen: int) -> None:
        self._process, self._screen = process, screen
        self._unread = ""
        self._decoder = getincrementaldecoder("utf-8")()

    @classmethod
    def running(cls, *words: str, columns: int = 100, rows: int = ROWS, pager: str = "") -> Self:
        """Start it. Skips the test where there are no pseudo-terminals."""
        pty = pytest.importorskip("pty")
        screen, terminal = pty.openpty()
        _resize(terminal, columns, rows)
        process = start(*words, streams=(terminal,) * 3, TERM="xterm", PAGER=pager)
        os.close(terminal)
        return cls(process, screen)

    def until(self, words: str) -> str:
        """Read on up to these words. Returns what came before them."""
        self._wait(lambda: words in self._unread)
        assert words in self._unread, self._unread
        before, _, self._unread = self._unread.partition(words)
        return before

    def shows(self, words: str) -> None:
        """Wait for words on the screen, wherever its lines break and whatever colours they have; they can be read again."""
        words = _plain(words)
        self._wait(lambda: words in _plain(self._unread))
        assert words in _plain(self._unread), f"{words!r} is not shown, but {_plain(self._unread)}"

    def _wait(self, is_there: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_there() and time.monotonic() < end:
            if select.select([self._screen], [], [], 0.1)[0]:
                self._unread += self._decoder.decode(os.read(self._screen, 65536))

    def resize(self, columns: int, rows: int = ROWS) -> None:
        """Make the window larger or smaller."""
        _resize(self._screen, columns, rows)

    def press(self, keys: str) -> None:
        """Press keys, without Enter."""
        os.write(self._screen, keys.encode())

    def say(self, line: str) -> None:
        """Type a line."""
        os.write(self._screen, f"{line}\n".encode())

    def answer(self, question: str, line: str) -> None:
        """Wait for a question, and answer it."""
        self.until(question)
        self.say(line)

    def processor_seconds(self) -> float:
        """Processor seconds used so far (Linux)."""
        numbers = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return sum(map(int, numbers[11:13])) / os.sysconf("SC_CLK_TCK")

    def seconds_to_its_end(self) -> float:
        """Processor seconds used from now until it has ended (Linux)."""
        began = last = self.processor_seconds()
        with suppress(FileNotFoundError, ProcessLookupError):
            while True:
                last = self.processor_seconds()
                time.sleep(0.01)
        return last - began

    def end(self) -> None:
        """Ask it to end, as a computer does that shuts down."""
        self._process.send_signal(signal.SIGTERM)

    def interrupt(self) -> None:
        """Interrupt it, as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """Wait for the end; return the exit code, 0 if all is well."""
        return self._process.wait()


def _plain(text: str) -> str:
    return " ".join(ESCAPES.sub("", text).split())


def _resize(screen: int, columns: int, rows: int = ROWS) -> None:
    import fcntl  # noqa: PLC0415 - Windows has none
    import termios  # noqa: PLC0415 - Windows has none

    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


@attrs.frozen
class CommandResult:
    """Result of a command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The JSON objects on stdout."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def data(self) -> dict[str, Any]:
        """The one JSON object on stdout."""
        (found,) = self.lines
        return found

    @property
    def error(self) -> dict[str, Any]:
        """The JSON error on stderr."""
        found: dict[str, Any] = json.loads(self.err.splitlines()[-1])["error"]
        return found

    @property
    def effects(self) -> dict[int, str]:
        """The effect on each action in a correction that is shown as JSON; for an orphan, the decision."""
        return {one["action"]: one["becomes"] or one["effect"] for one in self.data["consequences"]}


RunRollbook = Callable[[str], CommandResult]
