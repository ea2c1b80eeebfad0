"""Following the pages for authors of plug-ins ends with packages that are installed, tested and used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.support.assertions import says
from tests.support.clean_environment import ROOT, CleanEnvironment
from tests.support.event_list import PAGE as EVENTS
from tests.support.event_list import event_list

PAGES = {"write-a-ruleset": "rollbook-teatime 1.0.0", "write-a-plug-in": ""}
"""Each page, and what ``rollbook rulesets`` lists afterwards."""
CONSOLE = "console"
SHOWN = ("python",)
"""Languages of blocks that are looked at alone, if they name no file: ``test_api`` runs them."""
_BLOCK = re.compile(r'^```(?P<language>\w+)(?: title="(?P<file>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
LONGEST_PLUG_IN = 40
"""Lines of an importer or an exporter that is an example."""


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


def text_of(page: str) -> str:
    return (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    found = (Block(each["language"], each["file"] or "", each["text"]) for each in _BLOCK.finditer(text_of(page)))
    return [block for block in found if block.file or block.language not in SHOWN]


def test_three_dots_stand_for_anything_and_everything_else_for_itself() -> None:
    assert says("...", "")
    assert says("#3 [4 3] ...yes", "#3 [4 3]  ✓ yes  \n")
    assert not says("#3 [4 3] ...yes", "#3 4 ✓ yes")
    assert not says("", "a warning")


@pytest.mark.parametrize("about", PAGES)
def test_every_block_of_a_page_is_a_file_or_a_conversation(about: str) -> None:
    found = blocks(about)
    assert len(found) >= 5
    assert text_of(about).count("```") == 2 * len(_BLOCK.findall(text_of(about)))
    assert all((block.language == CONSOLE) != bool(block.file) for block in found)


@pytest.mark.process
@pytest.mark.parametrize(("about", "listed"), PAGES.items())
def test_a_page_leads_from_an_empty_folder_to_a_plug_in(tmp_path: Path, wheel: str, about: str, listed: str) -> None:
    place = CleanEnvironment.create(tmp_path, [wheel])
    folder = tmp_path / "package"
    folder.mkdir()
    typed = 0
    for block in blocks(about):
        if block.language != CONSOLE:
            file = folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
            continue
        for command, expected in block.commands():
            said = place.run(command, cwd=folder, shell=True)
            assert says(expected, said), f"$ {command}\n{said}\nbut the page shows\n{expected}"
            typed += 1
    assert typed >= 5
    assert listed in place.rollbook("rulesets")


def test_an_importer_and_an_exporter_are_short() -> None:
    code = [block for block in blocks("write-a-plug-in") if block.file.endswith(("importer.py", "exporter.py"))]
    assert len(code) == 2
    assert all(len([line for line in block.text.splitlines() if line]) <= LONGEST_PLUG_IN for block in code)


def test_a_page_lists_every_event_with_its_fields() -> None:
    assert EVENTS.read_text(encoding="utf-8") == event_list(), (
        "Write the list again: python -m tests.support.event_list"
    )
