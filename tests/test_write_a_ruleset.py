"""Following the page about writing a ruleset ends with a game that is installed, tested and conformant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from tests.support.assertions import says
from tests.support.clean_environment import ROOT, CleanEnvironment
from tests.support.event_list import PAGE as EVENTS
from tests.support.event_list import event_list

PAGE = ROOT / "docs" / "write-a-ruleset.md"
CONSOLE = "console"
_BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@attrs.frozen
class Block:
    """A file to write, or commands to type."""

    language: str
    file: str
    text: str

    def commands(self) -> Iterator[tuple[str, str]]:
        """Each command, and what the page says that it says."""
        for typed in self.text.removeprefix("$ ").split("\n$ "):
            command, _, said = typed.partition("\n")
            yield command, said


def blocks() -> list[Block]:
    found = _BLOCK.finditer(PAGE.read_text(encoding="utf-8"))
    return [Block(block["language"], block["file"] or "", block["text"]) for block in found]


def test_three_dots_stand_for_anything_and_everything_else_for_itself() -> None:
    assert says("...", "")
    assert says("#3 [4 3] ...yes", "#3 [4 3]  ✓ yes  \n")
    assert not says("#3 [4 3] ...yes", "#3 4 ✓ yes")
    assert not says("", "a warning")


def test_every_block_of_the_page_is_a_file_or_a_conversation() -> None:
    found = blocks()
    assert len(found) > 10
    assert PAGE.read_text(encoding="utf-8").count("```") == 2 * len(found)
    assert all((block.language == CONSOLE) != bool(block.file) for block in found)


def test_the_page_leads_from_an_empty_folder_to_a_conformant_ruleset(tmp_path: Path, wheel: str) -> None:
    place = CleanEnvironment.create(tmp_path, [wheel])
    folder = tmp_path / "teatime"
    folder.mkdir()
    typed = 0
    for block in blocks():
        if block.language != CONSOLE:
            file = folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
            continue
        for command, expected in block.commands():
            said = place.run(command, cwd=folder, shell=True)
            assert says(expected, said), f"$ {command}\n{said}\nbut the page shows\n{expected}"
            typed += 1
    assert typed > 5
    listed = place.rollbook("rulesets")
    assert "rollbook-teatime 1.0.0" in listed


def test_a_page_lists_every_event_with_its_fields() -> None:
    assert EVENTS.read_text(encoding="utf-8") == event_list(), (
        "Write the list again: python -m tests.support.event_list"
    )
