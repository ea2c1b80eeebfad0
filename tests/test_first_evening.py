"""The pages of a first evening can be typed as they stand, from the new campaign to the end of the session."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT, run
from tests.support.typed_pages import BLOCK, at_home, in_a_shell, type_page

__all__ = ["at_home"]

DOCS = ROOT / "docs"
PAGES = ("first-evening", "fifth-edition")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("page", PAGES)
def test_every_line_of_the_page_can_be_typed(page: str, at_home: Path) -> None:
    assert type_page((DOCS / f"{page}.md").read_text(encoding="utf-8"), at_home) > 12


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
