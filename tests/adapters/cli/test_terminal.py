"""As a process among others: pipes, colours, completion, the prompt, and what it costs to start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE, ROOT, piped, run
from tests.support.terminal import Terminal

COMMAND = [sys.executable, "-m", "rollbook"]


def run_from_the_beginning(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """In a process that is no copy of another."""
    return subprocess.run(
        [*COMMAND, *words],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=PATIENCE,
    )


def test_a_process_answers_as_the_function_does(table) -> None:
    done = run_from_the_beginning("log", "-n", "1")
    assert (done.returncode, done.stdout) == (0, table("log -n 1").out)
    assert run_from_the_beginning("do", "attack").returncode == 2
    assert run_from_the_beginning("sheet", "nobody").stderr.count("\n") == 1


def test_a_pipe_gets_whole_lines_without_colour_or_blanks(table) -> None:
    for words in (["log"], ["sheet"], ["sheet", "robin"], ["verbs"], ["audit"]):
        out = run(*words).stdout
        assert "\x1b" not in out
        assert "│" not in out
        assert not [line for line in out.splitlines() if line != line.rstrip()]


def test_no_color_is_respected(table) -> None:
    coloured = run("log", FORCE_COLOR="1").stdout
    assert "\x1b[36m" in coloured
    assert "\x1b[36m" not in run("log", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_what_was_undone_is_struck_through(table) -> None:
    table("undo 8 --why oops --yes")
    assert "\x1b[2;9m" in run("log", FORCE_COLOR="1", COLUMNS="100").stdout


def test_a_reader_that_leaves_early_is_no_error(table) -> None:
    process = piped("log", "--all")
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait()
    process.stderr.close()


def test_a_terminal_without_unicode_is_served(table) -> None:
    done = run_from_the_beginning("log", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_completion_offers_verbs_characters_and_choices(table, completions) -> None:
    assert completions("rollbook do att") == ["attack", "attitude"]
    assert completions("rollbook do attack ro") == ["robin"]
    assert completions("rollbook do attack robin g") == ["guard"]
    assert "longbow" in completions("rollbook do attack robin guard l")
    assert "--distance" in completions("rollbook do attack robin guard longbow --dist")
    assert completions("rollbook do begin-encounter robin,g") == ["robin,guard"]
    assert completions("rollbook do attack robin guard longbow --seat M") == ["Mira"]
    assert completions("rollbook sheet ro") == ["robin"]
    assert completions("rollbook log -c te") == ["test-table"]
    assert completions("rollbook un") == ["undo"]
    asked = run_from_the_beginning(_ROLLBOOK_COMPLETE="bash_complete", COMP_WORDS="rollbook do att", COMP_CWORD="2")
    assert asked.stdout == "plain,attack\nplain,attitude\n"


def test_completion_without_a_store_offers_nothing(rollbook) -> None:
    done = run(_ROLLBOOK_COMPLETE="bash_complete", COMP_WORDS="rollbook do att", COMP_CWORD="2")
    assert done.stdout.strip() == ""


def test_the_completion_script_is_there(rollbook) -> None:
    assert "_rollbook_completion" in run(_ROLLBOOK_COMPLETE="bash_source").stdout


def test_two_processes_write_at_the_same_moment(table) -> None:
    processes = [piped("do", "note", f"note {number}") for number in range(4)]
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    assert len(table("log --json").lines) == 13
    assert table("audit").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_prompt_plays_asks_and_leaves(table) -> None:
    terminal = Terminal.running("play")
    terminal.answer("test-table> ", "attack robin guard longbow ! 14 4")
    terminal.until("Hit points")
    terminal.say("frobnicate")
    terminal.until("There is no verb called")
    terminal.say("undo 10 --why oops")
    terminal.answer("[y/N]", "n")
    terminal.until("Nothing was recorded")
    terminal.say("undo 10 --why oops")
    terminal.answer("[y/N]", "y")
    terminal.until("Undone. The log keeps")
    terminal.say("sheet rob\t")
    terminal.until("Abilities")
    terminal.say("quit")
    assert terminal.ended() == 0
    assert table("log --json").lines[-1]["status"] == "undone"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_prompt_says_whose_turn_it_is_and_enter_shows_the_fight(table) -> None:
    table("do begin-encounter robin,guard --dice 15,4")
    terminal = Terminal.running("play", columns=80)
    terminal.answer("test-table · round 1 · Robin Hood> ", "")
    assert "Left" in terminal.until("Guard")
    terminal.answer("test-table · round 1 · Robin Hood> ", "end-turn --next guard")
    terminal.answer("test-table · round 1 · Guard> ", "end-encounter")
    terminal.answer("test-table> ", "quit")
    assert terminal.ended() == 0


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from rollbook.adapters.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = set(done.stderr.split())
    assert not loaded & {"eventsourcing", "sqlite_utils", "cattrs", "msgspec", "rich.console", "attrs", "sqlite3"}


def test_new_without_a_ruleset_shows_the_games_and_asks(home: Path) -> None:
    screen = Terminal.running("new", "Sherwood")
    screen.until("storytoken")
    screen.answer("Which game", "grid")
    screen.until("Sherwood begins, by grid")
    assert screen.ended() == 0
