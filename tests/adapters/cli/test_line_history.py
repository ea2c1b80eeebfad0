"""The key ↑ brings back what was typed at the prompt, in earlier sessions too, but nothing that is not everybody's."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from rollbook.adapters.cli.line_history import LineHistory
from rollbook.adapters.local_files.paths import prompt_lines, seeds_folder
from rollbook.adapters.local_files.prompt_lines import LONGEST, KeptLine, PromptLines, add_line, read_lines
from rollbook.adapters.wiring import open_book
from rollbook.application.redaction import redact
from tests.support.campaigns import memory_book
from tests.support.redacting import WORDS, words_on_disk
from tests.support.terminal import Terminal

UP = "\x1b[A"
on_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


def typed(*lines: str) -> None:
    """Type these lines at a prompt, one after the other, and leave."""
    terminal = Terminal.running("play")
    for line in lines:
        terminal.answer("test-table> ", line)
    terminal.answer("test-table> ", "quit")
    assert terminal.ended() == 0


def kept(home: Path) -> list[str]:
    (file,) = (home / "state").rglob("*.jsonl")
    return [line.line for line in read_lines(file)]


@on_a_terminal
def test_up_brings_back_the_lines_of_earlier_sessions(table) -> None:
    typed("note Hello", "sheet robin")
    typed(UP + UP)
    assert ["Hello" in str(line) for line in table("log --json -n 2").lines] == [True, True]


@on_a_terminal
def test_what_is_not_everybodys_is_not_kept(table, home: Path) -> None:
    typed(
        "note the first",
        "x-card --seat Mira",
        "x-card --resume",
        "note the butler did it --to gm",
        "roll 1d20 --secret",
        "roll 1d20 --secret --frob",
        "conceal guard",
        "harm guard 1",
        "sheet guard",
        "frobnicate robin",
        "sheet robin",
    )
    assert kept(home) == ["note the first", "sheet robin"]


@on_a_terminal
def test_a_line_that_failed_can_be_put_right_in_the_same_session(table, home: Path) -> None:
    typed("nnote Hello", UP + "\x01" + "\x1b[3~")  # to its beginning, and away with one letter
    assert "Hello" in table("log -n 1").out
    assert kept(home) == ["note Hello"]


@on_a_terminal
def test_answers_to_questions_are_no_lines(table, home: Path) -> None:
    terminal = Terminal.running("play")
    terminal.answer("test-table> ", "undo 9 --why oops")
    terminal.answer("[y/N]", "y")
    terminal.answer("test-table> ", UP)
    terminal.answer("test-table> ", "quit")
    assert terminal.ended() == 0
    assert kept(home) == ["undo 9 --why oops"]


@on_a_terminal
def test_the_file_is_the_users_alone(table, home: Path) -> None:
    typed("note Hello")
    (file,) = (home / "state").rglob("*.jsonl")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@on_a_terminal
def test_removed_words_are_removed_here_too(table, home: Path) -> None:
    typed(f"note {WORDS}", f'note "what she said: {WORDS}"', f"not {WORDS}", "note harmless")
    assert words_on_disk(home / "state")
    assert table("redact 10 --why asked --yes").code == 0
    assert kept(home) == ["note harmless"]
    assert not words_on_disk(home / "state")


@on_a_terminal
def test_words_that_are_removed_at_the_prompt_do_not_come_back_there(table, home: Path) -> None:
    typed(f"note {WORDS}", f"nnote {WORDS}", "redact 10 --why asked --yes", UP)
    assert WORDS not in table("log --all").out
    assert not words_on_disk(home / "state")


def test_a_correction_of_the_note_goes_with_it(home: Path) -> None:
    file = prompt_lines(home / "store.db", "table")
    add_line(file, KeptLine("note it's", (4,)))
    add_line(file, KeptLine("amend 4 text='it is'", (4,)))
    add_line(file, KeptLine('note  "IT  IS"', (5,)))
    add_line(file, KeptLine("note a rose", (6,)))
    PromptLines(home / "store.db").forget(["table"], 4, ["it is"])
    assert read_lines(file) == [KeptLine("note a rose", (6,))]
    memory_book(home).surroundings.typed_lines.forget(["table"], 6, ["a rose"])
    assert read_lines(file) == [KeptLine("note a rose", (6,))], "a store in memory has no lines"


@pytest.mark.parametrize("with_copies", [False, True])
def test_words_that_are_removed_from_python_are_removed_here_too(table, home: Path, with_copies: bool) -> None:
    store = home / "books" / "rollbook.db"
    assert table(f"do note '{WORDS}'").code == 0
    assert table("rerun --ruleset storytoken").code == 0
    canon, copy = prompt_lines(store, "test-table"), prompt_lines(store, "test-table~1")
    for file in (canon, copy):
        for line in (KeptLine(f"note {WORDS}", (10,)), KeptLine(f"nnote {WORDS}"), KeptLine("note harmless", (11,))):
            add_line(file, line)
    with open_book(store, seeds_folder()) as book:
        if with_copies:
            redact(book, book.campaign("test-table"), 10, why="asked")
        else:
            book.campaign("test-table").redact(10, why="asked")
    assert read_lines(canon) == [KeptLine("note harmless", (11,))]
    assert (read_lines(copy) == [KeptLine("note harmless", (11,))]) is with_copies
    assert words_on_disk(home / "state") is not with_copies


def test_what_is_refused_removes_no_line(table, home: Path) -> None:
    store = home / "books" / "rollbook.db"
    file = prompt_lines(store, "test-table")
    add_line(file, KeptLine("note The guard shouts.", (9,)))
    assert table("redact 9 --why asked --yes --seat Mira").code == 4
    assert table("redact 8 --why asked --yes").code == 4
    assert read_lines(file) == [KeptLine("note The guard shouts.", (9,))]


def test_only_the_newest_lines_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    for number in range(2 * LONGEST + 1):
        add_line(file, KeptLine(f"note {number}"))
    assert len(file.read_text().splitlines()) == LONGEST
    assert read_lines(file)[-1] == KeptLine(f"note {2 * LONGEST}")


def test_a_damaged_file_is_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text('{"line": "note a", "actions": [1]}\n{"line"\n[]\n', encoding="utf-8")
    assert read_lines(file) == [KeptLine("note a", (1,))]
    assert read_lines(tmp_path / "nowhere") == []


def test_without_readline_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "readline", None)
    lines = LineHistory(tmp_path / "lines.jsonl")
    with lines.open():
        lines.keep("note Hello", (1,))
        lines.remember("note Hello")
        lines.follow()
    assert not list(tmp_path.iterdir())
