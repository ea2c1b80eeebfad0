"""A process at a pseudo-terminal, and somebody who reads what it says and types."""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path
from typing import Self

import pytest

HOUSE = Path(__file__).resolve().parents[1]
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
            os.chdir(HOUSE)
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
