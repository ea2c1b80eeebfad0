"""A terminal with a home of its own, in which ``rollbook`` is called as a person would call it."""

from __future__ import annotations

import shlex
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.cli import main
from tests.support.terminal import CommandResult, RunRollbook

UNSET = ("ROLLBOOK_CAMPAIGN", "ROLLBOOK_SEEDS", "ROLLBOOK_DEBUG", "FORCE_COLOR", "NO_COLOR", "COLUMNS", "LINES")


def move_in(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a folder all there is of the user's."""
    for name in UNSET:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ROLLBOOK_STORE", str(home / "books" / "rollbook.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("HOME", str(home))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all there is of the user's."""
    move_in(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture
def rollbook(home: Path, capsys: pytest.CaptureFixture[str]) -> RunRollbook:
    """Call the command line with the words after ``rollbook``."""

    def call(words: str) -> CommandResult:
        capsys.readouterr()
        code = main(shlex.split(words))
        said = capsys.readouterr()
        return CommandResult(int(code), said.out, said.err)

    return call


Say = Callable[..., str]


@pytest.fixture
def say(rollbook: RunRollbook) -> Say:
    """Call the command line with these words; what it said, on whichever side."""

    def call(*words: str, fails: int = 0) -> str:
        answer = rollbook(shlex.join(words))
        assert answer.code == fails, answer
        return answer.out + answer.err

    return call


@pytest.fixture
def completions(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], list[str]]:
    """Function that returns the completions that bash is offered for the last of some words."""

    def ask(words: str) -> list[str]:
        capsys.readouterr()
        with monkeypatch.context() as shell:
            shell.setenv("_ROLLBOOK_COMPLETE", "bash_complete")
            shell.setenv("COMP_WORDS", words)
            shell.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
            with pytest.raises(SystemExit):
                main([])
        return [line.partition(",")[2] for line in capsys.readouterr().out.splitlines()]

    return ask


SMALL = """\
campaign "Test Table" storytoken round_seconds=6
take-seat Ana --role gm
take-seat Mira
open-session First
join "Robin Hood" --id robin --seat Mira --heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17 ! 5
join Guard --kind npc --hp 18 --ac 12
give robin longbow --use weapon:medium-ranged
attack robin guard longbow --distance 40 --seat Mira ! 14 4
note The guard shouts.
"""
"""Nine actions: #8 is the attack, which does eight points of harm."""


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the small campaign was played, once for all tests: they get copies."""
    folder = tmp_path_factory.mktemp("played")
    script = folder / "small.session"
    script.write_text(SMALL, encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch, redirect_stdout(StringIO()):
        move_in(folder, monkeypatch)
        assert main(["play", str(script)]) == 0
    return folder


@pytest.fixture
def table(rollbook: RunRollbook, home: Path, played: Path) -> RunRollbook:
    """The same, with a small campaign in the store."""
    shutil.copytree(played, home, dirs_exist_ok=True)
    for note in home.rglob("last.json"):  # it names the store by its path
        note.write_text(note.read_text(encoding="utf-8").replace(str(played), str(home)), encoding="utf-8")
    return rollbook


@pytest.fixture
def stored(home: Path) -> Callable[[], list[tuple[Any, ...]]]:
    """Everything in the event store, as it is at this moment."""

    def read() -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(home / "books" / "rollbook.db")
        try:
            return connection.execute("SELECT * FROM stored_events").fetchall()
        finally:
            connection.close()

    return read
