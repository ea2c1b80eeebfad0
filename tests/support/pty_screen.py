"""What commands print at a real terminal of 80 columns, or of as many as are asked for, one after the other in one child."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COLUMNS, LINES = 80, 24
ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")
RUN = """
import sys, shlex
from adapters.cli import main
for words in sys.argv[1:]:
    print("<<", words, flush=True)
    main(shlex.split(words))
    print(">>", flush=True)
"""
ERASED = re.compile(r"[^\n]*(?:\n\r?(?:\x1b\[\?25h)?\r?\x1b\[1A)?\x1b\[2K")
"""Bars and spinners, which are gone from their line in the end."""
SAID = re.compile(r"<< (?P<words>[^\n]*)\n(?P<said>.*?)>>\n", re.DOTALL)


def on_screen(*commands: str, columns: int = COLUMNS, folder: Path = ROOT, **env: str) -> dict[str, str]:
    """What each command prints, without colours. Skips the test where there are no pseudo-terminals."""
    pty = pytest.importorskip("pty")
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, columns, 0, 0))
    known = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    child = subprocess.Popen(
        [sys.executable, "-c", RUN, *commands],
        stdin=terminal if "PAGER" in env else subprocess.DEVNULL,  # nobody answers a question
        stdout=terminal,
        stderr=terminal,
        cwd=folder,
        env={**known, "TERM": "xterm-256color", "PAGER": "", "PYTHONPATH": str(ROOT), **env},
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
