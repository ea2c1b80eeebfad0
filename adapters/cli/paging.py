"""Long answers at a terminal go through a pager: the one that PAGER names, else less."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from contextlib import suppress

LESS = "-FRX"
"""What fits one screen is simply printed; colours stay; the screen is left as it is."""


def pager_command() -> list[str]:
    """The pager and its options; none if there is none, or PAGER is empty."""
    try:
        command = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:
        return []
    return command if command and shutil.which(command[0]) else []


def show_paged(text: str, height: int) -> bool:
    """Show a text in the pager if it is longer than ``height`` lines. Whether it was shown."""
    command = pager_command() if text.count("\n") >= height else []
    if not command:
        return False
    environment = {**os.environ, "LESS": os.environ.get("LESS", LESS)}
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)  # noqa: S603 - the user's own pager
    except OSError:
        return False
    assert pager.stdin
    with suppress(BrokenPipeError):  # somebody has read enough
        pager.stdin.write(text.encode(errors="replace"))
        pager.stdin.close()
    while True:
        with suppress(KeyboardInterrupt):  # the pager decides what Ctrl-C means
            pager.wait()
            return True
