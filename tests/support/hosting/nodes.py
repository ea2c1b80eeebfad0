"""Nodes: ``rollbook serve`` as processes of their own, which can be killed and started again at the same port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import attrs

from benchmarks.ports import free_port
from tests.support.processes import ROOT

PATIENCE = 60.0
"""Seconds to wait for a node to answer."""


def free_ports(many: int) -> int:
    """The first of so many free ports in a row."""
    while True:
        first = free_port()
        with ExitStack() as stack:
            try:
                for port in range(first, first + many):
                    stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return first


@attrs.define
class Node:
    """One server of a store. ``variables`` are those of its environment, ``words`` are more of its command.

    ``root`` is the folder of the program's files.
    """

    number: int
    store: str
    folder: Path
    variables: dict[str, str]
    before: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    root: Path = ROOT
    port: int = attrs.field(factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        """File of its output."""
        return self.folder / f"node-{self.number}.log"

    def start(self) -> None:
        """Start it, without waiting until it answers."""
        own = {"PYTHONPATH": str(self.root), "PYTHONFAULTHANDLER": "1", **self.variables}
        program = [*self.before, sys.executable, "-m", "rollbook", "--store", self.store]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*program, "serve", "--no-browser", "--port", str(self.port), *self.words],
                cwd=self.root,
                env={**os.environ, **own},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def processes(self) -> list[int]:
        """The ids of the processes that it has started, in their order; Linux tells them."""
        assert self.process is not None
        id_ = self.process.pid
        return [int(each) for each in Path(f"/proc/{id_}/task/{id_}/children").read_text().split()]

    def is_answering(self) -> bool:
        """True if it answers at all."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", "/")
            connection.getresponse().read()
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
        return True

    def wait(self, seconds: float = PATIENCE) -> None:
        """Wait until it answers. Fails with what it said if it has ended instead."""
        end = time.monotonic() + seconds
        while not self.is_answering():
            assert self.process is not None
            assert self.process.poll() is None, f"the node has ended: {self.log.read_text(errors='replace')[-2000:]}"
            assert time.monotonic() < end, "the node never answered"
            time.sleep(0.05)

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as a service manager does; kill it if it does not end."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
