"""No file, pipe or device makes a reader take more than 200 MB or ten seconds, or say anything but a sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.imports import importers
from tests.attacks.attempts import RAW
from tests.attacks.bombs import BOMBS
from tests.attacks.tables import OF_OTHERS, ROOT, at_home

MOST_MEMORY = 200_000
"""Kilobytes."""
MOST_SECONDS = 10.0

COMMANDS = {
    "import": "import {path}",
    **{name: f"import {{path}} --from {name}" for name in importers()},
    "restore": "restore {path}",
    "play": "play {path}",
    "bestiary": "bestiary wolf",
    "store": "--store {path} log",
    "verifier": "",
}
"""Who reads the file."""

CHILD = """
import json, os, resource, sys, time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from importlib import import_module
for name in ("cli.commands.keeping", "cli.commands.play", "cli.commands.bestiary",
             "line_commands.commands.log", "line_commands.commands.export", "imports.avrae.importer", "backups.restoring",
             "exports.verify_rollbook", "wiring"):
    import_module(f"rollbook.adapters.{name}")
for line in sys.stdin:
    words, alone = json.loads(line)
    reader, writer = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if not child:
        said = StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            if alone:
                from rollbook.adapters.exports import verify_rollbook
                code = verify_rollbook.main(*words)
            else:
                from rollbook.adapters.cli import main
                code = main(words)
        os.write(writer, json.dumps([int(code), said.getvalue()[:4000]]).encode())
        os._exit(0)
    os.close(writer)
    _, status, used = os.wait4(child, 0)
    answer = os.read(reader, 65536).decode() or '[-1, "it died"]'
    os.close(reader)
    print(json.dumps([*json.loads(answer), used.ru_maxrss, time.monotonic() - began]), flush=True)
"""
"""Runs each request in a process of its own, forked from one that has imported the readers, and measures it."""


class Readers:
    """A child process that reads whatever it is told to."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._process = subprocess.Popen(
            [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )

    def read(self, reader: str, path: Path) -> list[Any]:
        """The exit code, what was said, kilobytes and seconds."""
        assert self._process.stdin and self._process.stdout
        words = COMMANDS[reader].format(path=path).split() or [str(path)]
        self._process.stdin.write(json.dumps([words, reader == "verifier"]) + "\n")
        self._process.stdin.flush()
        answer: list[Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Readers]:
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in OF_OTHERS:
            monkeypatch.delenv(name, raising=False)
        before = dict(os.environ)
        at_home(home)
        os.environ["ROLLBOOK_BESTIARY"] = str(home / "bomb")
        os.environ["PYTHONPATH"] = str(ROOT)
        found = Readers(home)
        os.environ.clear()
        os.environ.update(before)
        yield found
        found.close()


def check(readers: Readers, reader: str, path: Path) -> None:
    code, said, memory, seconds = readers.read(reader, path)
    assert code in (0, 1, 2, 3, 6) and (code or reader == "bestiary"), (code, said)
    assert not RAW.search(said), said
    assert memory < MOST_MEMORY, f"{memory:,} kB"
    assert seconds < MOST_SECONDS + 1.5, f"{seconds:.1f} s"
    assert said.strip() and (said.count("\n") <= 2 or reader == "verifier"), said


@pytest.fixture
def bomb(readers: Readers) -> Iterator[Path]:
    path = readers.home / "bomb"
    yield path
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)


PIPES = ("a pipe",)
"""They take ten seconds to be given up; two readers of them are enough in CI."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOMBS if name not in PIPES])
def test_a_bomb_is_refused_by_every_reader_within_bounds(readers: Readers, bomb: Path, name: str) -> None:
    path = bomb
    BOMBS[name](path)
    for reader in COMMANDS:
        other = path.with_name("bomb.jsonl.gz")
        if reader == "avrae" and not path.is_dir():
            path.rename(other)
            check(readers, reader, other)
            other.rename(path)
        else:
            check(readers, reader, path)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/urandom"])
def test_a_device_is_refused_by_every_reader(readers: Readers, device: str) -> None:
    for reader in COMMANDS:
        if reader != "bestiary":
            check(readers, reader, Path(device))


@pytest.mark.slow
def test_a_pipe_that_nobody_writes_to_is_given_up(readers: Readers, bomb: Path) -> None:
    os.mkfifo(bomb)
    began = time.monotonic()
    check(readers, "import", bomb)
    assert time.monotonic() - began > 5, "somebody may still be about to write"
    for reader in ("restore", "store", "verifier"):
        check(readers, reader, bomb)


def test_a_pipe_that_never_ends_is_refused(readers: Readers, bomb: Path) -> None:
    os.mkfifo(bomb)
    for reader in ("import", "avrae", "play", "bestiary"):
        endless = subprocess.Popen(["sh", "-c", f"exec yes > {bomb}"])
        try:
            check(readers, reader, bomb)
        finally:
            endless.kill()
            endless.wait()
