"""Output of commands at a real terminal of 80 columns, or as many as wanted, one after the other in one child."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path

import pytest

from tests.support.processes import ROOT, start

COLUMNS, LINES = 80, 24
ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")
ERASED = re.compile(r"(?:^|(?<=\x1b\[2K))[^\n]*(?:\n\r?(?:\x1b\[\?25h)?\r?\x1b\[1A)?\x1b\[2K", re.MULTILINE)
"""Bars and spinners, which are gone from their line in the end."""
SAID = re.compile(r"<< (?P<words>[^\n]*)\n(?P<said>.*?)>> \d+\n", re.DOTALL)


def on_screen(*commands: str, columns: int = COLUMNS, folder: Path = ROOT, **env: str) -> dict[str, str]:
    """The output of each command, without colours. Skips the test where there are no pseudo-terminals."""
    pty = pytest.importorskip("pty")
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, columns, 0, 0))
    with Path(os.devnull).open("rb") as nobody:  # nobody answers a question
        child = start(
            *commands,
            streams=(terminal if "PAGER" in env else nobody.fileno(), terminal, terminal),
            module="tests.support.commands_in_turn",
            folder=folder,
            without=("COLUMNS", "LINES", "NO_COLOR"),
            **{"TERM": "xterm-256color", "PAGER": "", **env},
        )
    os.close(terminal)
    read = bytearray()
    try:
        while piece := os.read(screen, 65536):
            read += piece
    except OSError:  # the child has closed its terminal
        pass
    child.wait()
    os.close(screen)
    text = ANSI.sub("", ERASED.sub("", read.decode())).replace("\r\n", "\n").replace("\r", "")
    return {found["words"]: found["said"] for found in SAID.finditer(text)}
