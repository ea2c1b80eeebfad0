"""What the surroundings say is doubted: screens of no size, a dash in the place of a file, Ctrl-C before anything is done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from rollbook.adapters.cli import drawing, terminal
from rollbook.adapters.cli.app import COMMANDS, command_named
from rollbook.adapters.cli.parameters import FileName
from tests.support.needs import needs
from tests.support.processes import ROOT
from tests.support.terminal import RunRollbook, Terminal

SCREENS = ("0", "1", "-4", "", "wide", "99999999999")


@pytest.mark.parametrize("columns", SCREENS)
def test_a_screen_that_no_screen_is_loses_no_answer(
    table: RunRollbook, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    said = table("log").out.split()
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", "0")
    assert table("log").out.split() == said
    assert "Robin Hood" in table("status").out
    for size in (terminal.screen(), drawing.console().size):
        assert terminal.NARROWEST <= size[0] <= terminal.WIDEST
        assert size[1] > 0


def test_a_terminal_that_says_it_has_no_columns_shows_eighty(table: RunRollbook) -> None:
    terminal = Terminal.running("log", columns=0, rows=0)
    terminal.shows("The guard shouts.")


def test_a_screen_that_somebody_may_have_is_believed() -> None:
    for size in ((80, 25), (10, 1), (300, 90), (10_000, 24)):
        assert terminal.believed(size) == size


def file_parameters() -> Iterator[tuple[str, click.Parameter]]:
    """Every parameter of a command that is the name of a file."""

    def below(name: str, command: click.Command) -> Iterator[tuple[str, click.Parameter]]:
        if isinstance(command, click.Group) and name != "do":
            for each in command.list_commands(click.Context(command)):
                found = command.get_command(click.Context(command), each)
                assert found is not None
                yield from below(f"{name} {each}", found)
        yield from ((name, each) for each in command.params if isinstance(each.type, click.Path))

    for name in COMMANDS:
        yield from below(name, command_named(name))


TAKES_A_DASH = {"export FILE": "stdout", "play FILE": "stdin"}


def test_a_dash_is_never_the_name_of_a_file() -> None:
    dashed = {}
    for command, parameter in file_parameters():
        assert isinstance(parameter.type, FileName), (command, parameter)
        if parameter.type.allow_dash:
            dashed[f"{command} {parameter.make_metavar(click.Context(command_named(command))).strip('[]')}"] = parameter
            continue
        with pytest.raises(click.BadParameter, match="is no file"):
            parameter.type.convert("-", parameter, None)
    assert set(dashed) == set(TAKES_A_DASH)


@pytest.mark.parametrize(
    "words", ["backup -", "move -", "pictures --svg -", "import -", "restore -", "store copy - x.db"]
)
def test_what_cannot_be_piped_is_refused_and_nothing_is_written(
    table: RunRollbook, home: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(home)
    before = sorted(home.iterdir())
    answer = table(words)
    assert (answer.code, answer.out) == (2, "")
    assert "write ./-" in answer.err
    assert sorted(home.iterdir()) == before


@pytest.mark.parametrize(
    ("ending", "form", "way"),
    [
        (".jsonl", (), ()),
        (".jsonl", (), ("--for", "player:mira")),
        (".html", ("--to", "replay"), ()),
        pytest.param(".pdf", ("--to", "pdf"), (), marks=needs("typst")),
    ],
)
def test_an_export_goes_to_stdout_and_is_what_the_file_is(
    table: RunRollbook, home: Path, ending: str, form: tuple[str, ...], way: tuple[str, ...]
) -> None:
    words = (sys.executable, "-m", "rollbook", "export", "-", *form, *way)
    piped = subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
    assert table(f"export {home}/it{ending} --overwrite {' '.join(way)}").code == 0
    assert piped.stdout == (home / f"it{ending}").read_bytes()
    assert b"holds" not in piped.stderr and b"rollbook-" not in piped.stderr
    assert not (ROOT / "-").exists()


def test_a_folder_cannot_be_piped(table: RunRollbook) -> None:
    answer = table("export - --to csv")
    assert (answer.code, answer.out) == (1, "")
    assert "a folder of several files" in answer.err


PRESSED = """
import os, signal, sys
class Press:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["PRESSED"]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Press())
sys.argv = ["/usr/bin/rollbook", "log"]
from rollbook import main
sys.exit(main())
"""
"""The program, and Ctrl-C as it is about to import the module that is named."""


@pytest.mark.parametrize(
    "module",
    [
        "importlib.util",
        "rollbook.adapters",
        "rollbook.adapters.cli",
        "click",
        "rollbook.adapters.cli.context",
        "rollbook.adapters.line_commands.commands.log",
    ],
)
def test_ctrl_c_is_quiet_from_the_first_import_on(table: RunRollbook, module: str) -> None:
    surroundings = {**os.environ, "PRESSED": module}
    done = subprocess.run(
        [sys.executable, "-c", PRESSED], cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 130, done
    assert done.stderr.strip() in ("", "Stopped."), done


def test_a_program_that_imports_rollbook_keeps_its_own_ctrl_c() -> None:
    line = "import signal; before = signal.getsignal(2); import rollbook; assert signal.getsignal(2) is before"
    subprocess.run([sys.executable, "-c", line], cwd=ROOT, env=dict(os.environ), check=True)
