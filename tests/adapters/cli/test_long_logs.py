"""A log is read and shown a page at a time: what it says is the same, and nobody waits for what they do not read."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from rollbook.adapters.cli.paging import Paged
from rollbook.adapters.line_commands.commands import log as command
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.projections.session_log import Wanted
from tests.support.campaigns import begin_campaign, file_book
from tests.support.pty_screen import LINES, on_screen

QUESTIONS = (
    "log",
    "log --all",
    "log --undone",
    "log --corrections",
    "log --search shouts",
    "log -n 4",
    "log --session 1",
    "log who=robin",
    "log who=nobody",
    "log --at 5",
    "log --all --json",
    "log --json verb=note",
)


@pytest.fixture
def long(table):
    """A table at which some things were said, undone and corrected."""
    for number in range(12):
        table(f"do note 'somebody shouts {number}'")
    table("undo 9 --yes --why wrong")
    table("undo 11 --yes --why wrong")
    table("redo 9 --yes")
    return table


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_log_of_many_pages_is_the_same_as_one(long, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "PAGE", 10_000)
    whole = {words: long(words).out for words in QUESTIONS}
    assert len(whole["log"].splitlines()) > 12
    monkeypatch.setattr(command, "PAGE", size)
    for words in QUESTIONS:
        assert long(words).out == whole[words], words


def test_pages_of_a_log_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        for _ in range(9):
            campaign.do("gain-token", {"who": "robin"})
        campaign.session.project()
        model: SQLiteReadModel = book.read_model
        for everything, undone in ((True, 12), (False, 13)):
            wanted = Wanted(campaign="sherwood", everything=everything)
            pages = model.log_pages(wanted, 4)
            first = next(pages)
            campaign.corrections.undo(undone, reason="so").apply()
            campaign.session.project()
            assert [line.action for line in first] == [1, 2, 3, 4]
            rest = [line for page in pages for line in page]
            assert [*first, *rest][4:] == model.log("sherwood", everything=everything)[4:], "as it is when it is read"


def test_the_pager_begins_with_the_first_screen_and_who_leaves_it_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\nhead -n 3 > {seen}\n")
    pager.chmod(0o755)
    monkeypatch.setenv("PAGER", str(pager))
    out = StringIO()
    paged = Paged(out, 5)
    written = 0
    while paged.is_wanted and written < 1_000_000:
        written += paged.write(f"line {written}\n" * 100)
    paged.finish()
    assert paged.is_paged
    assert written < 1_000_000, "it ends when somebody has read enough"
    assert out.getvalue() == ""
    assert seen.read_text().count("\n") == 3


def test_what_fits_the_screen_or_has_no_pager_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    for pager, height in (("cat", 50), ("", 5), ("no-such-pager", 5)):
        monkeypatch.setenv("PAGER", pager)
        out = StringIO()
        paged = Paged(out, height)
        for number in range(20):
            paged.write(f"{number}\n")
        paged.finish()
        assert out.getvalue().splitlines() == [str(number) for number in range(20)]


def test_a_long_log_is_paged_whole_at_a_terminal(long, home: Path) -> None:
    for number in range(2 * LINES):
        long(f"do note 'and more {number}'")
    said = on_screen("log", "log --no-pager", PAGER="cat")
    assert said["log"] == said["log --no-pager"]
    assert f"and more {2 * LINES - 1}" in said["log"]
