"""What is typed at the prompt goes to the prompt: no pager takes it, Enter stays on one screen, and Apply can wait."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.processes import run
from tests.support.terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture
def pager(home: Path) -> str:
    """One that swallows all keys until it gets a q."""
    path = home / "pager"
    path.write_text(
        '#!/bin/sh\necho "PAGED, secure $LESSSECURE"\ncat >/dev/null\nread key </dev/tty\necho "SWALLOWED $key"\n'
    )
    path.chmod(0o755)
    return str(path)


def prompt(pager: str, rows: int = 30) -> Terminal:
    return Terminal.running("play", columns=80, rows=rows, pager=pager)


def quit_and_end(terminal: Terminal) -> str:
    said = terminal.until("> ")
    terminal.say("quit")
    assert terminal.ended() == 0
    return said


def test_open_choices_are_one_line_for_each_character(rollbook) -> None:
    rollbook("new 'Kess' --ruleset luckpoint")
    rollbook("do join Kess")
    opened = [line for line in rollbook("status").out.splitlines() if "Open" in line]
    assert len(opened) == 1 and "Kess has " in opened[0] and " choices (choose kess)" in opened[0]


def test_enter_opens_no_pager_and_stays_on_one_screen(table, pager: str) -> None:
    for number in range(9):
        table(f"do join Wolf{number} --kind npc --hp 9 --ac 12")
    terminal = prompt(pager, rows=8)
    terminal.answer("> ", "")
    shown = terminal.until("> ")
    assert "PAGED" not in shown and "lines more: status" in shown and shown.count("\n") <= 8
    terminal.say("status")
    shown = terminal.until("> ")
    assert "PAGED" not in shown and "Wolf8" in shown
    terminal.say("quit")
    assert terminal.ended() == 0


def test_a_pager_is_secure_and_takes_no_line_that_was_typed_before_it(table, pager: str) -> None:
    terminal = prompt(pager, rows=8)
    terminal.answer("> ", "verbs")
    terminal.shows("PAGED, secure 1")
    terminal.say("q")
    terminal.answer("> ", "verbs\nharm guard 1")  # the second line waits while the first is answered
    terminal.until("harm")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0
    assert table("log -n 1 --json").data["verb"] == "harm"


def test_before_it_is_applied_a_question_may_be_asked(table, pager: str) -> None:
    terminal = prompt(pager)
    terminal.answer("> ", "undo last --why so")
    terminal.answer("Apply? [y/N]", "sh gu")
    terminal.shows("Guard")
    terminal.answer("Apply? [y/N]", "status")
    terminal.answer("Apply? [y/N]", "harm guard 3")
    terminal.shows("Type y or n, or a question first: status, sheet, log, why")
    terminal.answer("Apply? [y/N]", "sheet nobody")
    terminal.shows("There is no character called 'nobody'")
    terminal.answer("Apply? [y/N]", "y")
    terminal.shows("Undone")
    quit_and_end(terminal)
    assert table("log -n 1 --json").data["verb"] != "harm"


def test_the_program_alone_prints_its_help_to_stdout() -> None:
    alone = run()
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout == run("--help").stdout != ""
