"""A PostgreSQL server that a test has started does not outlive the test, even if that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import postgres
from tests.support.processes import ROOT
from tests.support.web import until

pytestmark = pytest.mark.skipif(bool(postgres.why_not()), reason=postgres.why_not() or "PostgreSQL is here")

USER = """
import sys
from tests.support.postgres import PostgresServer
server = PostgresServer()
print(server.folder, flush=True)
server.make()
print((server.data / "postmaster.pid").read_text().split()[0], flush=True)
sys.stdin.read()
"""


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def user() -> subprocess.Popen[str]:
    """A process that makes itself a server and then waits."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", USER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_ends_with_the_process_that_made_it_however_that_ends(how: signal.Signals) -> None:
    with user() as process:
        assert process.stdout is not None
        folder, server = Path(process.stdout.readline().strip()), int(process.stdout.readline())
        assert is_running(server) and (folder / "data").is_dir()
        process.send_signal(how)
        assert process.wait(10) == -how
    until(lambda: not is_running(server), 20)
    until(lambda: not folder.exists(), 20)


def test_a_server_that_is_just_being_made_goes_too() -> None:
    with user() as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        until(lambda: (folder / "data" / "base").is_dir(), 20)
        process.kill()
        process.wait(10)
    until(lambda: not folder.exists(), 30)


def test_a_server_that_is_closed_leaves_nobody_watching() -> None:
    server = postgres.PostgresServer()
    server.close()
    assert server._watch.returncode is not None and not server.folder.exists()
