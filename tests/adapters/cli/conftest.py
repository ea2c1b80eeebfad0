"""A terminal with a home of its own, in which ``rollbook`` is called as a person would call it."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.cli import main
from tests.support.terminal import CommandResult, RunRollbook


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all there is of the user's."""
    for name in ("ROLLBOOK_CAMPAIGN", "ROLLBOOK_SEEDS", "ROLLBOOK_DEBUG", "FORCE_COLOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "books" / "rollbook.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
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


@pytest.fixture
def table(rollbook: RunRollbook, home: Path) -> RunRollbook:
    """The same, with a small campaign in the store."""
    script = home / "small.evening"
    script.write_text(SMALL, encoding="utf-8")
    assert rollbook(f"play {script}").code == 0
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
