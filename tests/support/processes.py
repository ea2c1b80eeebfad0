"""``rollbook`` as processes of its own, of which many are wanted: each is a copy of one that has imported everything.

A process that begins with nothing takes a second of a processor before it does anything; a copy takes a hundredth. What is
about the beginning itself (variables for Python, what is imported when) calls ``python -m rollbook.adapters.cli``.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import TextIO

import attrs
import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND_LINE = "rollbook"
COPIED = "tests.copy of a process"
"""Audit event when a process begins as a copy: it is started by another process."""
PATIENCE = 60
"""Seconds to wait for a process; a hundredth of that is long enough on a quiet computer."""

Streams = tuple[int, int, int]


@attrs.frozen
class Process:
    """A process that was started, and how it ended."""

    pid: int
    _report: socket.SocketIO

    def wait(self) -> int:
        """Its exit code, when it has ended; -9 if it was killed."""
        with self._report:
            return os.waitstatus_to_exitcode(int(self._report.readline()))

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless its end was waited for."""
        if not self._report.closed:
            os.kill(self.pid, number)


@attrs.frozen
class PipedProcess(Process):
    """A process whose words can be read while it goes on."""

    stdout: TextIO
    stderr: TextIO

    def kill(self) -> None:
        """End it, if it goes on."""
        if not self._report.closed:
            self.send_signal(signal.SIGKILL)
            self.wait()
        self.stdout.close()
        self.stderr.close()


def start(
    *words: str,
    streams: Streams,
    module: str = COMMAND_LINE,
    folder: Path = ROOT,
    without: Iterable[str] = (),
    **more: str,
) -> Process:
    """``python -m rollbook.adapters.cli`` in a folder with these words and streams, ``more`` variables, and ``without`` some.

    Skips the test where processes cannot be copied.
    """
    if not hasattr(os, "fork"):
        pytest.skip("Processes cannot be copied here.")
    sys.audit(COPIED)
    ours, theirs = socket.socketpair()
    ours.settimeout(PATIENCE)
    environment = {name: value for name, value in os.environ.items() if name not in without} | more
    request = {"module": module, "words": words, "folder": str(folder), "environment": environment}
    with ours, theirs:
        socket.send_fds(_door(), [json.dumps(request).encode() + b"\n"], [*streams, theirs.fileno()])
        theirs.close()
        report = ours.makefile("rb", buffering=0)
    return Process(int(report.readline()), report)


def run(*words: str, folder: Path = ROOT, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a process without input, and return its output."""
    with Path(os.devnull).open("rb") as nobody, TemporaryFile("w+b") as out, TemporaryFile("w+b") as err:
        streams = (nobody.fileno(), out.fileno(), err.fileno())
        code = start(*words, streams=streams, folder=folder, **more).wait()
        said = []
        for file in (out, err):
            file.seek(0)
            said.append(file.read().decode())
    return subprocess.CompletedProcess([COMMAND_LINE, *words], code, *said)


def piped(*words: str, **more: str) -> PipedProcess:
    """Start a process whose words go into pipes."""
    out, err = os.pipe(), os.pipe()
    with Path(os.devnull).open("rb") as nobody:
        started = start(*words, streams=(nobody.fileno(), out[1], err[1]), **more)
    for written in (out[1], err[1]):
        os.close(written)
    return PipedProcess(started.pid, started._report, os.fdopen(out[0]), os.fdopen(err[0]))


@cache
def _door() -> socket.socket:
    """Socket for requests to a process that was started for this one, and ends with it."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "tests.support.warm_start", str(theirs.fileno())]
    subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], start_new_session=True)
    theirs.close()
    return ours
