"""A process that has imported rollbook, and starts copies of itself: ``python -m tests.support.warm_start DOOR``.

Through the door (a socket) come requests: a line of JSON with three streams and a socket to report to. A copy becomes the
process that was asked for, with an id, a session, an environment and a terminal of its own. ``processes`` has the other side.
"""

from __future__ import annotations

import fcntl
import json
import os
import runpy
import signal
import socket
import sys
import termios
import threading
import time
from contextlib import suppress
from importlib.metadata import entry_points
from typing import Any

from rollbook.adapters.cli.app import COMMANDS, command_named
from rollbook.domain.base.identifiers import GROUP

AT_ONCE = 1 << 16
"""The most bytes that are read in one go."""


def import_everything() -> None:
    """All that a command may need, but for readline, which looks at its terminal when it is imported."""
    for name in COMMANDS:
        command_named(name)
    for point in entry_points(group=GROUP):
        point.load()
    for module in ("rollbook.adapters.cli.prompt", "rich.markdown", "sqlite_utils"):
        __import__(module)
    assert "readline" not in sys.modules
    assert threading.active_count() == 1, "a copy has no other threads"


def serve(door: socket.socket) -> None:
    """Start what is asked for, until no client is left."""
    while True:
        asked, places, _, _ = socket.recv_fds(door, AT_ONCE, 4)
        while asked and not asked.endswith(b"\n"):
            asked += door.recv(AT_ONCE)
        if not asked:
            return
        if os.fork() == 0:
            door.close()
            start(json.loads(asked), places)
        for place in places:
            os.close(place)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def start(asked: dict[str, Any], places: list[int]) -> None:
    """Become the process, and stay behind to report its id and how it ended."""
    *streams, report = places
    process = os.fork()
    if process == 0:
        os.close(report)
        become(asked, streams)
        return
    for stream in streams:
        os.close(stream)
    with suppress(OSError):  # nobody may wait for the report any more
        os.write(report, b"%d\n" % process)
        os.write(report, b"%d\n" % os.waitpid(process, 0)[1])
    os._exit(0)


def become(asked: dict[str, Any], streams: list[int]) -> None:
    """Run a module as ``python -m`` does. Ends as the module ends, so what is registered for the end is done then."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may have been started where Ctrl-C is not heard
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, max(streams) + 1)
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path[:0] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", *sys.path)]
    time.tzset()
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.argv = ["", *asked["words"]]
    runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    import_everything()
    serve(socket.socket(fileno=int(sys.argv[1])))
