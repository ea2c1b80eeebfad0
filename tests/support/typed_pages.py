"""Pages of the documentation that are typed as they stand: lines for a shell, and lines for the prompt with what they show."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.support.assertions import says
from tests.support.processes import ROOT, run
from tests.support.terminal import Terminal

SCORES = {"str": 12, "dex": 17, "con": 14, "int": 10, "wis": 15, "cha": 8}
ACTOR = {
    "name": "Kara",
    "type": "character",
    "system": {
        "abilities": {ability: {"value": score} for ability, score in SCORES.items()},
        "attributes": {"hp": {"value": 12, "max": 12}, "ac": {"value": 15}, "movement": {"walk": 30}},
    },
}
"""An actor as Foundry exports one, for the page that reads it."""
BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^(?P<prompt>the-mill[^>]*>) ?(?P<typed>.*)$")
ASKS = "Apply? [y/N]:"


@attrs.define
class Line:
    """Words that are typed after a prompt, and those that show then."""

    after: str
    typed: str
    shows: list[str]


def typed_lines(text: str) -> list[Line]:
    found: list[Line] = []
    for line in text.splitlines():
        if prompt := PROMPT.match(line):
            found.append(Line(prompt["prompt"], prompt["typed"], []))
        elif line.startswith(ASKS):
            found.append(Line(ASKS, line.removeprefix(ASKS).strip(), []))
        else:
            found[-1].shows.append(line)
    return found


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "rollbook.db"))
    for folder in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(folder, str(tmp_path / folder))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "fvtt-Actor-kara.json").write_text(json.dumps(ACTOR), encoding="utf-8")
    return tmp_path


def in_a_shell(text: str, folder: Path) -> None:
    for typed in text.removeprefix("$ ").split("\n$ "):
        command, _, expected = typed.partition("\n")
        done = run(*shlex.split(command)[1:], folder=folder)
        assert done.returncode == 0, f"$ {command}\n{done.stderr}"
        assert says(expected, done.stdout), f"$ {command}\n{done.stdout}\nbut the page shows\n{expected}"


def type_page(text: str, folder: Path) -> int:
    """Type all blocks of a page, those for the prompt in one go. Returns how many lines were typed at the prompt."""
    terminal: Terminal | None = None
    typed = 0
    for language, block in BLOCK.findall(text):
        if language == "console":
            in_a_shell(block, folder)
        for line in typed_lines(block) if language == "prompt" else ():
            terminal = terminal or Terminal.running("play", columns=80)
            terminal.until(line.after)
            terminal.say(line.typed)
            for words in line.shows:
                terminal.shows(words)
            typed += 1
    assert terminal is not None
    assert terminal.ended() == 0
    return typed


def table_cells(text: str, column: int) -> Iterator[str]:
    """Words in code type in a column of the tables of a page, from 0."""
    for line in text.splitlines():
        cells = line.strip("|").split("|")
        if line.startswith("| ") and not line.startswith("| ---") and len(cells) > column:
            yield from re.findall(r"`(.+?)`", cells[column])
