"""Every line of the cheat sheet, and of the words of other programs, can be typed, from top to bottom."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import split_words
from tests.support.processes import ROOT, run
from tests.support.typed_pages import at_home, table_cells

__all__ = ["at_home"]
PAGES = {"cheat-sheet": 1, "from-your-virtual-tabletop": 2}
"""The pages, with the column of what is typed."""


def lines_of(page: str) -> list[str]:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return list(table_cells(text, PAGES[page]))


@pytest.mark.parametrize("page", PAGES)
def test_every_line_can_be_typed(page: str, at_home: Path) -> None:
    shell = [line for line in lines_of(page) if line.startswith("rollbook ")]
    for line in shell:
        done = run(*shlex.split(line)[1:], folder=at_home)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    typed = [line for line in lines_of(page) if line not in shell]
    with open_book(at_home / "rollbook.db", at_home / "seeds", create=False) as book:
        campaign, short = book.campaign("the-mill"), ShortForms(None)
        for line in typed:
            _type(campaign, short, line)
    assert len(typed) > 20


def _type(campaign: Campaign, short: ShortForms, line: str) -> None:
    try:
        done = campaign.say(written(short.expand(campaign, split_words(line))))
    except Exception as fault:
        raise AssertionError(f"{line}: {fault}") from fault
    assert done.entries or done.text, f"{line} says nothing"


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_one_page(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 90
    assert len(text.split()) <= 800
