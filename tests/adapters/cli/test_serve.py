"""``serve`` says where the table is, how to come in as GM, and what to do when it cannot be."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from rollbook.adapters.presentation.installing import install
from tests.support.stores import ROOT


def serving(folder: Path, *words: str) -> subprocess.Popen[str]:
    own = {name: str(folder / name.lower()) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "ROLLBOOK_SEEDS")}
    return subprocess.Popen(
        [sys.executable, "-m", "rollbook", "serve", "--no-browser", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "TMPDIR": str(folder), **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until_it_answers(link: str) -> str:
    """The page of a link, as soon as the server answers."""
    for _ in range(400):
        try:
            return str(urlopen(link, timeout=5).read().decode())
        except OSError:
            time.sleep(0.05)
    raise AssertionError("it never answered")


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_the_demo_can_be_looked_at_and_stops_when_it_is_asked_to(tmp_path: Path, asked: signal.Signals) -> None:
    running = serving(tmp_path, "--demo", "--port", "0", "--json")
    try:
        assert running.stdout is not None
        where = json.loads(running.stdout.readline())
        assert "Sit down" in until_it_answers(where["link"])
        assert list(tmp_path.rglob("demo.db"))
        running.send_signal(asked)
        assert running.communicate(timeout=10) == ("", "")
        assert running.returncode == 0
    finally:
        running.kill()
    assert not list(tmp_path.rglob("demo.db"))


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        _, said = serving(tmp_path, "--demo", "--port", port).communicate(timeout=60)
    assert f"127.0.0.1 port {port}" in " ".join(said.split())
    assert "--port 0" in said


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['uvicorn'] = None; from rollbook.adapters.cli import main; sys.exit(main(['serve']))"
    )
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
    assert install("web") in " ".join(done.stderr.split())


def test_where_there_is_no_store_an_empty_one_is_made_and_a_campaign_is_begun_in_the_browser(tmp_path: Path) -> None:
    running = serving(tmp_path, "--port", "0", "--json")
    try:
        assert running.stdout is not None
        link = json.loads(running.stdout.readline())["link"]
        here = urlsplit(link)
        until_it_answers(link)
        at = HTTPConnection(here.hostname or "", here.port or 0, timeout=20)
        at.request("POST", here.path, headers={"Origin": f"http://{here.netloc}"})
        taken = at.getresponse()
        taken.read()
        at.request("GET", "/", headers={"Cookie": str(taken.headers["Set-Cookie"]).partition(";")[0]})
        lobby = at.getresponse().read().decode()
        assert "There is none yet." in lobby
        assert 'href="/new"' in lobby
    finally:
        running.kill()
