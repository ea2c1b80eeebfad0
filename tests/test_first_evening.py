"""The pages of a first evening can be typed as they stand, from the new campaign to the end of the session."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import attrs
import pytest

from tests.support.assertions import says
from tests.support.processes import ROOT, run
from tests.support.terminal import Terminal

DOCS = ROOT / "docs"
PAGES = ("first-evening", "fifth-edition")
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
    """What is typed after which words, and what shows then."""

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


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("page", PAGES)
def test_every_line_of_the_page_can_be_typed(page: str, at_home: Path) -> None:
    blocks = BLOCK.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    terminal: Terminal | None = None
    typed = 0
    for language, text in blocks:
        if language == "console":
            in_a_shell(text, at_home)
        for line in typed_lines(text) if language == "prompt" else ():
            terminal = terminal or Terminal.running("play", columns=80)
            terminal.until(line.after)
            terminal.say(line.typed)
            for words in line.shows:
                terminal.shows(words)
            typed += 1
    assert terminal is not None
    assert terminal.ended() == 0
    assert typed > 12


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_one_page(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 140
    assert len(text.split()) <= 700


def test_what_the_gm_is_told_to_say_can_be_said(at_home: Path) -> None:
    page = (DOCS / "fifth-edition.md").read_text(encoding="utf-8")
    for language, text in BLOCK.findall(page):
        if language == "console":
            in_a_shell(text, at_home)
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    spans = [span for row in rows for span in re.findall(r"`(.+?)`", row)]
    whole = [span for span in spans if not span.startswith("--")]
    options = [span for span in spans if span.startswith("--") and not span.startswith("--allowed")]
    attacks = [f"attack kara ogre {said}" for said in options]
    lines = ["open-session", "join Ogre", *attacks, *whole, "cast ysolde shield-of-faith --allowed unprepared"]
    assert len(lines) >= 12
    for line in lines:
        done = run("do", *shlex.split(line), folder=at_home)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
