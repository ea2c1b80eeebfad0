"""The command line in this process, or in a child at a pseudo-terminal."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import attrs
import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20
"""Seconds until somebody gives up waiting for words."""


class Terminal:
    """``rollbook`` with these words, at a terminal of its own."""

    def __init__(self, process: int, screen: int) -> None:
        self._process, self._screen = process, screen
        self._unread = ""

    @classmethod
    def running(cls, *words: str) -> Self:
        """Start it. Skips the test where there are no pseudo-terminals."""
        pty = pytest.importorskip("pty")
        process, screen = pty.fork()
        if process == 0:
            os.chdir(ROOT)
            command = [sys.executable, "-m", "adapters.cli", *words]
            os.execve(sys.executable, command, {**os.environ, "TERM": "xterm", "COLUMNS": "100"})
        return cls(process, screen)

    def until(self, words: str) -> None:
        """Read on up to these words."""
        end = time.monotonic() + PATIENCE
        while words not in self._unread and time.monotonic() < end:
            if select.select([self._screen], [], [], 0.1)[0]:
                self._unread += os.read(self._screen, 65536).decode()
        assert words in self._unread, self._unread
        self._unread = self._unread.partition(words)[2]

    def say(self, line: str) -> None:
        """Type a line."""
        os.write(self._screen, f"{line}\n".encode())

    def answer(self, question: str, line: str) -> None:
        """Wait for a question, and answer it."""
        self.until(question)
        self.say(line)

    def ended(self) -> int:
        """How it ended: 0 is well."""
        return os.waitpid(self._process, 0)[1]


@attrs.frozen
class CommandResult:
    """What a command said."""

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
        """What becomes of each action in a correction that is shown as JSON; of an orphan, what is decided."""
        return {one["action"]: one["becomes"] or one["effect"] for one in self.data["consequences"]}


RunRollbook = Callable[[str], CommandResult]
