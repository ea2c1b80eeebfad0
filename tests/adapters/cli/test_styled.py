"""Texts in styles: rich draws them as it draws its own, and in a pipe nobody waits for rich."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text as DrawnText

from rollbook.adapters.line_commands.styled import Text, columns_of, cut_to

ROOT = Path(__file__).parents[3]
PARTS = [("plain words", ""), ("✓ ", "bold green"), ("a name", "magenta"), ("梯子", "dim"), ("", "red")]


def drawn(text: Text | DrawnText) -> str:
    """What a terminal gets."""
    console = Console(force_terminal=True, color_system="standard", width=80, highlight=False)
    with console.capture() as said:
        console.print(text)
    return said.get()


def test_a_text_is_drawn_as_richs_own() -> None:
    ours, theirs = Text.assemble("first ", *PARTS), DrawnText.assemble("first ", *PARTS)
    assert (ours.plain, ours.cell_len, drawn(ours)) == (theirs.plain, theirs.cell_len, drawn(theirs))


@pytest.mark.parametrize("style", ["", "dim", "bold red"])
def test_a_text_in_another_keeps_its_own_style(style: str) -> None:
    ours = Text("before ").append(Text("in it", style).append(", and more", "green")).append(" after", "cyan")
    theirs = DrawnText("before ").append_text(DrawnText("in it", style).append(", and more", "green"))
    assert drawn(ours) == drawn(theirs.append(" after", "cyan"))


def test_texts_are_joined_with_one_between_them() -> None:
    joined = Text(", ", "dim").join([Text("one", "bold"), Text("two"), Text("three", "red")])
    theirs = DrawnText(", ", "dim").join([DrawnText("one", "bold"), DrawnText("two"), DrawnText("three", "red")])
    assert drawn(joined) == drawn(theirs)
    assert not Text(", ").join([])


def test_words_take_the_columns_that_rich_counts() -> None:
    letters = "aÄßЖ·•…–−▶✓✗→▏█│┊●あ梯한ｆ🙂👍e\u0301\u200bשض"
    assert {letter: columns_of(letter) for letter in letters} == {letter: cell_len(letter) for letter in letters}
    text = "梯子 Robin 🙂 of Sherwood"
    for columns in range(cell_len(text) + 1):
        assert cut_to(text, columns).rstrip() == set_cell_size(text, columns).rstrip()


def test_in_a_pipe_answers_do_not_take_rich(table) -> None:
    table("do begin-encounter robin,guard --dice 15,4")
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    for command in ("do attack robin guard longbow --dice 14,4", "log", "sheet robin", "status"):
        code = f"import sys; from rollbook import main; sys.argv[1:] = {command.split()!r}; main(); "
        code += "print(*sys.modules, file=sys.stderr)"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True, env=environment
        )
        assert "Robin Hood" in done.stdout
        assert not {"rich.text", "rich.console", "rich.table"} & set(done.stderr.split()), command
