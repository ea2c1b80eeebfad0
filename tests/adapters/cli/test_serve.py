"""``serve`` says where the table is, how to come in as GM, and what to do when it cannot be."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support.stores import ROOT


def serving(folder: Path, *words: str) -> subprocess.Popen[str]:
    own = {name: str(folder / name.lower()) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "ROLLBOOK_SEEDS")}
    return subprocess.Popen(
        [sys.executable, "-m", "adapters.cli", "serve", "--no-browser", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "TMPDIR": str(folder), **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_the_demo_can_be_looked_at_and_stops_when_it_is_asked_to(tmp_path: Path, asked: signal.Signals) -> None:
    running = serving(tmp_path, "--demo", "--port", "0", "--json")
    try:
        assert running.stdout is not None
        where = json.loads(running.stdout.readline())
        for _ in range(200):
            try:
                page = urlopen(where["link"], timeout=5).read().decode()
                break
            except OSError:
                time.sleep(0.05)
        assert "Sit down" in page
        assert list(tmp_path.rglob("demo.db"))
        running.send_signal(asked)
        assert running.communicate(timeout=10) == ("", "")
        assert running.returncode == 0
    finally:
        running.kill()
    assert not list(tmp_path.rglob("demo.db"))


def test_without_a_store_it_says_how_to_begin(tmp_path: Path) -> None:
    _, said = serving(tmp_path, "--port", "0").communicate(timeout=30)
    assert "rollbook new NAME" in said


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        _, said = serving(tmp_path, "--demo", "--port", port).communicate(timeout=60)
    assert f"127.0.0.1 port {port}" in " ".join(said.split())
    assert "--port 0" in said


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    script = "import sys; sys.modules['uvicorn'] = None; from adapters.cli import main; sys.exit(main(['serve']))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "needs what is not installed (uvicorn)" in " ".join(done.stderr.split())
    assert "pip install 'rollbook[web]'" in done.stderr
